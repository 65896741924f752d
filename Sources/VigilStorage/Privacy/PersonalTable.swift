/// A table with rows about persons: what an export of a person reads, and an erasure removes.
///
/// `all` is the one list of them. A test reads the catalogue of the database and fails for a column that names a person
/// and is not here.
public struct PersonalTable: Sendable, Hashable {
  public let name: String
  /// The columns that tie a row to a person, each by itself.
  public let links: [Link]
  /// The columns of an export of rows that name the person and are about another one; empty for no such rows.
  public let columnsOfOthers: [String]
  /// Whether an export has its rows; copies of others' need not be in it.
  public let isExported: Bool

  init(
    _ name: String, _ links: [Link], ofOthers columns: [String] = [], isExported: Bool = true
  ) {
    self.name = name
    self.links = links
    columnsOfOthers = columns
    self.isExported = isExported
  }

  /// A column that ties a row to a person.
  public struct Link: Sendable, Hashable {
    public let column: String
    public let kind: Kind
    /// Whether a row with this person is about them, and not about another one.
    public let isAboutPerson: Bool

    init(_ column: String, _ kind: Kind, isAboutPerson: Bool = true) {
      self.column = column
      self.kind = kind
      self.isAboutPerson = isAboutPerson
    }

    static func person(_ column: String) -> Link { Link(column, .person) }

    static func named(_ column: String) -> Link { Link(column, .person, isAboutPerson: false) }

    static func of(_ parent: String, _ column: String) -> Link { Link(column, .parent(parent)) }
  }

  /// The contents of a linking column.
  public enum Kind: Sendable, Hashable {
    /// The id of the person.
    case person
    /// The id of the person, in a row of another one that stays: an erasure clears the column.
    case cleared
    /// The id of a row of another table, which has a column `user_id`.
    case parent(String)
    /// A text that holds the id of the person among others.
    case text
    /// A version of a schedule, as JSON.
    case version
  }

  /// In the order in which rows can be removed: those that refer to others first.
  public static let all: [PersonalTable] =
    results + queues + inputs + [
      // A batch is evaluated anew where its checkpoint is gone.
      PersonalTable(
        "batch_checkpoints", [.named("first_person"), .named("last_person")],
        ofOthers: ["run_id", "shard", "written_at"]),
      // PostgreSQL only, as sharing_grants.
      PersonalTable("person_locks", [Link("name", .text)]),
      PersonalTable("quarantined_rows", [Link("row_key", .text)]),
      PersonalTable("erasure_requests", [.person("user_id")]),
      PersonalTable("users", [.person("id")]),
    ]

  private static let queues = [
    PersonalTable("outbox", [.person("user_id")]),
    PersonalTable("provisional_notifications", [.person("user_id")]),
    PersonalTable("provisional_alerts", [.person("user_id")]),
    PersonalTable("sms_log", [.person("recipient_user_id")]),
    PersonalTable("sms_quota_warnings", [.person("user_id")]),
    PersonalTable(
      "raised_alerts",
      [.person("user_id"), Link("resolved_by", .cleared, isAboutPerson: false)]),
    PersonalTable("pings", [.person("sender_user_id"), .person("recipient_user_id")]),
    PersonalTable("check_in_reminders", [.person("user_id")]),
    PersonalTable(
      "escalation_log", [.person("patient_id"), .named("caregiver_id")],
      ofOthers: [
        "id", "caregiver_id", "triggered_at", "status", "acknowledged_at", "resolved_at",
        "resolution", "channels_used",
      ]),
    notifications(in: "held_notifications", "outcome"),
    notifications(in: "shadow_notification_queue", "status"),
    notifications(in: "notification_queue", "status", "delivered_at", "read_at"),
    PersonalTable(
      "alert_reads", [.of("pattern_alert_state", "alert_state_id"), .named("user_id")],
      ofOthers: ["id", "user_id", "read_at"]),
    PersonalTable(
      "alert_actions", [.of("pattern_alert_state", "alert_state_id"), .named("actor_user_id")],
      ofOthers: ["id", "action", "actor_user_id", "acted_at"]),
    PersonalTable(
      "pattern_alert_state",
      [.person("user_id"), Link("acknowledged_by", .cleared, isAboutPerson: false)]),
  ]

  /// Notifications about the person, and those to the person about others.
  private static func notifications(in table: String, _ states: String...) -> PersonalTable {
    PersonalTable(
      table, [.person("member_user_id"), .named("recipient_user_id")],
      ofOthers: [
        "id", "recipient_user_id", "notification_type", "channel", "scheduled_for", "created_at",
      ] + states)
  }

  private static let results = [
    PersonalTable("schedule_versions", [Link("row", .version)]),
    PersonalTable("trend_coverage", [.person("user_id")]),
    PersonalTable("trend_insights", [.person("user_id")]),
    PersonalTable("vitality_scores", [.person("user_id")]),
    PersonalTable("dose_analytics", [.person("user_id")]),
  ]

  private static let inputs = [
    PersonalTable("schedule_adjustments", [.of("timezone_events", "timezone_event_id")]),
    // On SQLite copies go with the first of the rows that they are copies of.
    PersonalTable(
      "medication_history", [.of("medications", "medication_id")], isExported: false),
    PersonalTable("dose_history", [.of("medications", "medication_id")]),
    PersonalTable("schedules", [.of("medications", "medication_id")]),
    PersonalTable("timezone_events", [.person("user_id")]),
    PersonalTable("medications", [.person("user_id")]),
    PersonalTable("do_not_disturb", [.person("user_id")]),
    PersonalTable("person_limits", [.person("user_id")]),
    PersonalTable("sensitivity_overrides", [.person("user_id")]),
    PersonalTable("check_in_plans", [.person("user_id")]),
    PersonalTable("check_ins", [.person("user_id")]),
    PersonalTable("exercise_sessions", [.person("user_id")]),
    PersonalTable("metric_history", [.person("user_id")], isExported: false),
    PersonalTable("wearable_daily_metrics", [.person("user_id")]),
    PersonalTable("emergency_contacts", [.person("user_id")]),
    PersonalTable("contact_points", [.person("user_id")]),
    PersonalTable("push_tokens", [.person("user_id")]),
    // Whom another person wants called first, has excluded, or lets read, is theirs alone.
    PersonalTable("sharing_grants", [.person("user_id"), .named("member_user_id")]),
    PersonalTable("caregiver_priority", [.person("user_id"), .named("caregiver_id")]),
    PersonalTable("caregiver_availability", [.person("user_id")]),
    PersonalTable("escalation_settings", [.person("user_id")]),
    PersonalTable(
      "alert_recipient_exclusions", [.person("subject_user_id"), .named("excluded_user_id")]),
    PersonalTable("family_members", [.person("user_id")]),
    PersonalTable("user_profiles", [.person("user_id")]),
  ]
}
