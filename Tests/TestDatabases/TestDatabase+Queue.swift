import Foundation
public import VigilModel
import VigilStorage

/// A person with an alert, and notifications of it in the queue, for tests of senders.
public struct QueuedPeople {
  /// The number of persons, from 1.
  public var people: Int
  /// The channels of each person's rows.
  public var channels: [String] = ["push"]
  public var priority = "high"
  /// When the rows are due, and until when.
  public var scheduledFor: Timestamp
  public var expiresAt: Timestamp
  public var maxAttempts = 3
  public var payload = """
    {"active_since":"2026-05-07","detail":"standard","deviation":-0.3624,"direction":"lower","duration_days":7,\
    "evaluated_end_date":"2026-05-09","kind":"pattern_alert","level":7,\
    "member_user_id":"7db5ae13-09a3-52aa-8eef-dd3c54786dcd","metric_type":"steps",\
    "pattern_type":"drop_vs_baseline","severity":"attention"}
    """
  /// The recipient of all rows; nil for each person themselves.
  public var recipient: Int?

  public init(_ people: Int, dueAt scheduledFor: Timestamp) {
    self.people = people
    self.scheduledFor = scheduledFor
    expiresAt = scheduledFor.adding(seconds: 24 * 3600)
  }

  /// The id of person `number`.
  public static func person(_ number: Int) -> String { id(number, "1") }

  /// The id of the alert of person `number`.
  public static func alert(_ number: Int) -> String { id(number, "2") }

  private static func id(_ number: Int, _ kind: String) -> String {
    let digits = "\(number)"
    return "\(kind)0000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
      + digits
  }
}

extension TestDatabase {
  /// Adds persons, alerts and due rows; the database is migrated first.
  public func fill(_ queued: QueuedPeople) throws {
    _ = try open().migrate(at: queued.scheduledFor)
    for start in stride(from: 1, through: queued.people, by: 500) {
      let numbers = start...min(start + 499, queued.people)
      try execute(
        [
          "INSERT INTO users (id, created_at, updated_at) VALUES "
            + numbers.map {
              "('\(QueuedPeople.person($0))', '\(queued.scheduledFor)', '\(queued.scheduledFor)')"
            }
            .joined(separator: ","),
          Self.alertInsertion
            + numbers.map { Self.alertValues($0, at: queued.scheduledFor) }.joined(separator: ","),
          Self.queueInsertion
            + numbers.flatMap { number in
              queued.channels.map { Self.queueValues(number, $0, queued) }
            }.joined(separator: ","),
        ].joined(separator: ";"))
    }
  }

  private static let alertInsertion = """
    INSERT INTO pattern_alert_state (
      id, profile, user_id, metric_type, pattern_type, event_id, episode_status, active_since,
      last_evaluated_date, consecutive_true_days, current_level, severity, baseline_start, baseline_end,
      baseline_days, baseline_value, recent_start, recent_end, recent_value, deviation_fraction,
      thresholds_version, thresholds_digest, run_id, computed_at, created_at, updated_at
    ) VALUES 
    """

  private static func alertValues(_ number: Int, at time: Timestamp) -> String {
    let alert = QueuedPeople.alert(number)
    return """
      ('\(alert)', 'v2@', '\(QueuedPeople.person(number))', 'steps', 'drop_vs_baseline', '\(alert)', 'active',
      '2026-06-20', '2026-06-30', 11, 7, 'attention', '2026-05-20', '2026-06-19', 28, 9000, '2026-06-28',
      '2026-06-30', 4500, -0.5, 'v2', '', '\(alert)', '\(time)', '\(time)', '\(time)')
      """
  }

  private static let queueInsertion = """
    INSERT INTO notification_queue (
      id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level, channel,
      payload, priority, scheduled_for, expires_at, max_attempts, dedupe_key, run_id, created_at, updated_at
    ) VALUES 
    """

  private static func queueValues(_ number: Int, _ channel: String, _ queued: QueuedPeople)
    -> String
  {
    let recipient = QueuedPeople.person(queued.recipient ?? number)
    let key = "\(number):\(channel)"
    return """
      ('\(UUID(name: key).lowercased)', '\(recipient)', '\(QueuedPeople.person(number))',
      '\(QueuedPeople.alert(number))', 'pattern_alert', 'pattern_alert.level_7', 7, '\(channel)',
      '\(queued.payload)', '\(queued.priority)', '\(queued.scheduledFor)', '\(queued.expiresAt)',
      \(queued.maxAttempts), '\(key)', '\(QueuedPeople.alert(number))', '\(queued.scheduledFor)',
      '\(queued.scheduledFor)')
      """
  }
}
