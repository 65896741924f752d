/// What `Storage.pruneQueues` has removed, or would remove.
public struct PrunedRows: Hashable, Sendable {
  /// Pending rows of `notification_queue` that nobody has sent in time: they are cancelled, and go when
  /// they have been that for long enough.
  public var expired = 0
  /// Rows of `notification_queue`.
  public var notifications = 0
  /// Those of them whose ids are remembered, so that they are never sent again.
  public var remembered = 0
  /// Rows of `shadow_notification_queue`.
  public var shadowNotifications = 0
  /// Rows of `held_notifications`.
  public var held = 0
  /// Rows of `batch_checkpoints`.
  public var checkpoints = 0

  public init() {}

  /// All that is removed.
  public var total: Int { notifications + shadowNotifications + held + checkpoints }
}
