public import VigilModel

/// A table whose old rows go once they are in an archive.
///
/// Alerts, scores, insights and measures of calendar months have none: they are what is kept of old input.
public struct RetainedTable: Sendable, Hashable {
  public let name: String
  public let subject: RetentionSubject
  /// The rule for which rows are old.
  public let age: Age
  /// The columns that refer to rows of other tables, without which a row cannot be restored.
  public let parents: [Parent]
  /// The columns of persons.
  public let persons: [String]

  init(
    _ name: String, _ subject: RetentionSubject, by age: Age, _ parents: [Parent],
    persons: [String] = []
  ) {
    self.name = name
    self.subject = subject
    self.age = age
    self.parents = parents
    self.persons = persons
  }

  /// A rule for which rows of a table are old; a row without the day or the instant never is.
  public enum Age: Sendable, Hashable {
    /// A column with a day.
    case day(String)
    /// The first of these columns with an instant.
    case instant([String])
    /// The whole group of a notification is over, and has not changed since.
    case notification
    /// The alert of the call has ended, and all calls about it are over.
    case call
    /// The run is over, and nothing needs it; the column has the run's id.
    case run(String)
  }

  /// A column that refers to `id` of another table.
  public struct Parent: Sendable, Hashable {
    public let column: String
    public let table: String
    /// Whether the row stays without it.
    public let isOptional: Bool

    init(_ column: String, _ table: String, isOptional: Bool = false) {
      self.column = column
      self.table = table
      self.isOptional = isOptional
    }
  }

  /// In the order in which rows are removed: those that refer to others first.
  public static let all: [RetainedTable] = [
    RetainedTable(
      "wearable_daily_metrics", .metrics, by: .day("metric_date"), [Parent("user_id", "users")],
      persons: ["user_id"]),
    RetainedTable(
      "exercise_sessions", .metrics, by: .day("metric_date"), [Parent("user_id", "users")],
      persons: ["user_id"]),
    RetainedTable(
      "dose_history", .doses, by: .instant(["actual_time", "scheduled_time", "created_at"]),
      [
        Parent("medication_id", "medications"),
        Parent("schedule_id", "schedules", isOptional: true),
      ]),
    RetainedTable(
      "sms_log", .messages, by: .instant(["created_at"]), [Parent("recipient_user_id", "users")],
      persons: ["recipient_user_id"]),
    // Before the raised alerts, which say whether their calls are over.
    RetainedTable(
      "escalation_log", .calls, by: .call,
      [
        Parent("patient_id", "users"), Parent("caregiver_id", "users"),
        Parent("emergency_contact_id", "emergency_contacts"),
      ],
      persons: ["patient_id", "caregiver_id"]),
    // Those that are active have no resolution, and are not old.
    RetainedTable(
      "raised_alerts", .prompts, by: .instant(["resolved_at"]),
      [Parent("user_id", "users"), Parent("resolved_by", "users", isOptional: true)],
      persons: ["user_id"]),
    // A day after it was sent, a ping is over, whatever its status.
    RetainedTable(
      "pings", .prompts, by: .instant(["expires_at"]),
      [Parent("sender_user_id", "users"), Parent("recipient_user_id", "users")],
      persons: ["sender_user_id", "recipient_user_id"]),
    // Runs that a notification refers to stay until it has gone.
    RetainedTable("run_shards", .runs, by: .run("run_id"), [Parent("run_id", "batch_runs")]),
    RetainedTable("batch_runs", .runs, by: .run("id"), []),
    notifications(in: "notification_queue"),
    notifications(in: "shadow_notification_queue"),
  ]

  private static func notifications(in table: String) -> RetainedTable {
    let persons = ["recipient_user_id", "member_user_id"]
    return RetainedTable(
      table, .queues, by: .notification,
      persons.map { Parent($0, "users") } + [Parent("alert_state_id", "pattern_alert_state")],
      persons: persons)
  }

  public static func named(_ name: String) -> RetainedTable? { all.first { $0.name == name } }
}

/// The kind of rows that one rule is about.
public enum RetentionSubject: String, Sendable, Hashable, CaseIterable, Codable {
  /// Daily metrics and workouts.
  case metrics
  /// Recorded doses.
  case doses
  /// Notifications that are over.
  case queues
  /// Recorded runs that are over.
  case runs
  /// The log of text messages.
  case messages
  /// Calls upon caregivers and emergency contacts about alerts that have ended.
  case calls
  /// Alerts that persons raised, and pings, which are over.
  case prompts

  /// Whether nights need recent rows of it.
  public var isInputOfRuns: Bool {
    switch self {
    case .metrics, .doses, .runs: true
    case .queues, .messages, .calls, .prompts: false
    }
  }
}

/// Rows of a subject from before an instant are to go.
public struct RetentionCutoff: Sendable, Hashable {
  public var subject: RetentionSubject
  /// The day whose midnight in UTC is the instant.
  public var before: Day

  public init(_ subject: RetentionSubject, before: Day) {
    self.subject = subject
    self.before = before
  }
}
