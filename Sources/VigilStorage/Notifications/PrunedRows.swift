/// The numbers of rows that `Storage.pruneQueues` has removed, or would remove.
public struct PrunedRows: Hashable, Sendable {
  /// Measures of the last so many days stay whatever the cutoff: late data change them.
  public static let daysOfMeasuresKept = 60

  /// Pending rows of `notification_queue` that were not sent in time: they are cancelled, and
  /// removed once that is long enough ago.
  public var expired = 0
  /// Rows of `notification_queue`.
  public var notifications = 0
  /// The number of `notifications` whose ids are kept, so that they are never sent again.
  public var remembered = 0
  /// Rows of `shadow_notification_queue`.
  public var shadowNotifications = 0
  /// Rows of `held_notifications`.
  public var held = 0
  /// Rows of `sms_log`, of months that are over.
  public var messages = 0
  /// Rows of `dose_analytics`, of 7, 30 and 90 days that ended before the cutoff; the newest of a person stay.
  public var measures = 0
  /// Rows of `escalation_log`, about alerts that have ended.
  public var calls = 0
  /// Rows of `batch_checkpoints`.
  public var checkpoints = 0
  /// Rows of `outbox`.
  public var events = 0

  public init() {}

  /// The number of all removed rows.
  public var total: Int {
    notifications + shadowNotifications + messages + measures + calls + held + checkpoints + events
  }
}
