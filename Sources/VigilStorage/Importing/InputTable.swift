public import VigilModel

/// A table that `vigil import` fills: its columns, their types and its key.
public struct InputTable: Sendable, Hashable {
  public var name: String
  public var columns: [Column]
  /// Names of the columns that identify a row; an import upserts by them.
  public var key: [String]
  /// Names of other columns that no two rows share; empty where there are none.
  public var alsoUnique: [String] = []

  public struct Column: Sendable, Hashable {
    public var name: String
    public var kind: Kind
    /// Whether a row without a value for it cannot be used.
    public var isRequired: Bool
    /// The value for an empty field; the table's columns have the same default.
    public var fallback: InputValue?
    /// The table whose `id` it holds, where that is not `users`.
    public var reference: String?

    init(
      _ name: String, _ kind: Kind, isRequired: Bool = false, fallback: InputValue? = nil,
      refersTo reference: String? = nil
    ) {
      self.name = name
      self.kind = kind
      self.isRequired = isRequired
      self.fallback = fallback
      self.reference = reference
    }
  }

  public enum Kind: Sendable, Hashable {
    /// A person's id; ids that are no UUIDs are derived (cli.md). Two of them in one row are
    /// two persons.
    case person
    /// Any other id.
    case id
    case text
    /// One of a closed list of words.
    case word([String])
    /// A day that is not in the future.
    case day
    /// A day from 1990 on that is not in the future: one that can have been measured.
    case observedDay
    /// A day of any time, such as the last of a treatment.
    case plannedDay
    case timestamp
    case real
    case integer
    /// A whole number from 0 to 100.
    case score
    /// A day of the week, from 0, which is Sunday, to 6.
    case weekday
    /// A place in an order, from 1, which comes first, to 1000.
    case priority
    /// An e-mail address or a telephone number: one line of up to 320 characters.
    case address
    /// A language, such as `en` or `pt-BR`.
    case language
    /// A whole number of minutes within these.
    case minutes(ClosedRange<Int>)
    /// A whole number of days within these.
    case dayCount(ClosedRange<Int>)
    case boolean
    /// `HH:MM`, local time.
    case timeOfDay
    /// An IANA timezone name.
    case timezone
    /// A list, kept as JSON.
    case list(ListElement)
  }

  /// The elements of a list.
  public enum ListElement: Sendable, Hashable {
    case text
    /// `HH:MM`, local time; at least one.
    case timeOfDay
    /// From 0, which is Sunday, to 6.
    case weekday
  }

  public func column(named name: String) -> Column? {
    columns.first { $0.name == name }
  }
}

extension InputTable {
  /// Every table that an import can fill, in the order in which their rows refer to each other.
  public static let all =
    [
      users, userProfiles, familyMembers, alertRecipientExclusions, wearableDailyMetrics,
      exerciseSessions, vitalityScores, medications, schedules, doseHistory, timezoneEvents,
      scheduleAdjustments, checkIns, checkInPlans, sensitivityOverrides, personLimits,
      doNotDisturb,
    ] + ofEscalation

  /// The tables that runs read, in the place of which an app may have a view of its own.
  public static let ofRuns = all.filter { !ofEscalation.contains($0) }

  public static let users = InputTable(
    name: "users",
    columns: [
      Column("id", .person, isRequired: true),
      Column("external_id", .text),
      Column("email", .text),
      Column("display_name", .text),
      Column("birth_date", .day),
      Column("created_at", .timestamp),
      Column("updated_at", .timestamp),
    ],
    key: ["id"])

  public static let userProfiles = InputTable(
    name: "user_profiles",
    columns: [
      Column("user_id", .person, isRequired: true),
      Column("timezone", .timezone),
    ] + ChannelSwitch.allCases.map { Column($0.rawValue, .boolean) } + [
      Column("is_champion", .boolean),
      Column("quiet_hours_start", .timeOfDay),
      Column("quiet_hours_end", .timeOfDay),
      Column("quiet_hours_apply_critical", .boolean),
    ],
    key: ["user_id"])

  public static let familyMembers = InputTable(
    name: "family_members",
    columns: [
      Column("family_id", .id, isRequired: true),
      Column("user_id", .person, isRequired: true),
      Column("role", .word(FamilyMember.Role.allCases.map(\.rawValue)), isRequired: true),
      Column(
        "invite_status", .word(FamilyMember.InviteStatus.allCases.map(\.rawValue)),
        isRequired: true),
    ],
    key: ["family_id", "user_id"])

  /// The recipients that a person, the subject, has excluded from notifications about them.
  public static let alertRecipientExclusions = InputTable(
    name: "alert_recipient_exclusions",
    columns: [
      Column("subject_user_id", .person, isRequired: true),
      Column("excluded_user_id", .person, isRequired: true),
    ],
    key: ["subject_user_id", "excluded_user_id"])

  public static let wearableDailyMetrics = InputTable(
    name: "wearable_daily_metrics",
    columns: [
      Column("user_id", .person, isRequired: true),
      Column("metric_date", .observedDay, isRequired: true),
      Column("source", .text, isRequired: true),
    ] + wearableMetrics.map { Column($0.rawValue, .real) } + [
      Column("created_at", .timestamp),
      Column("updated_at", .timestamp),
    ],
    key: ["user_id", "metric_date", "source"])

  /// Returns the same table with columns of numbers that an operator has added.
  ///
  /// - Parameter metrics: Names of columns; those that it has already change nothing.
  public func adding(_ metrics: Set<MetricType>) -> InputTable {
    var table = self
    let names = metrics.map(\.rawValue).filter { column(named: $0) == nil }
    table.columns += names.sorted().map { Column($0, .real) }
    return table
  }

  public static let exerciseSessions = InputTable(
    name: "exercise_sessions",
    columns: [
      Column("id", .id, isRequired: true),
      Column("user_id", .person, isRequired: true),
      Column("metric_date", .observedDay, isRequired: true),
      Column("activity_type_name", .text),
      Column("started_at", .timestamp),
      Column("ended_at", .timestamp),
    ],
    key: ["id"])

  /// The instants at which persons checked in.
  public static let checkIns = InputTable(
    name: "check_ins",
    columns: [
      Column("user_id", .person, isRequired: true),
      Column("checked_in_at", .timestamp, isRequired: true),
      Column(
        "kind", .word(["manual", "automatic", "responder"]), fallback: .text("manual")),
    ],
    key: ["user_id", "checked_in_at"])

  /// The plans by which persons are to check in.
  public static let checkInPlans = InputTable(
    name: "check_in_plans",
    columns: [
      Column("user_id", .person, isRequired: true),
      Column("interval_minutes", .minutes(1...CheckInPlan.mostMinutes), isRequired: true),
      Column("grace_minutes", .minutes(0...CheckInPlan.mostMinutes), fallback: .integer(0)),
      Column("starts_at", .timestamp, isRequired: true),
      Column("reminder_minutes", .minutes(1...CheckInPlan.mostMinutes)),
    ],
    key: ["user_id"])

  /// The metrics of persons of which more, less or nothing becomes an alert than the profile says.
  public static let sensitivityOverrides = InputTable(
    name: "sensitivity_overrides",
    columns: [
      Column("user_id", .person, isRequired: true),
      Column("metric_type", .text, isRequired: true),
      Column("sensitivity", .word(Sensitivity.allCases.map(\.rawValue)), isRequired: true),
    ],
    key: ["user_id", "metric_type"])

  /// The limits of values that clinicians have set for single persons.
  public static let personLimits = InputTable(
    name: "person_limits",
    columns: [
      Column("user_id", .person, isRequired: true),
      Column("metric_type", .text, isRequired: true),
      Column(
        "direction", .word(CriticalLimit.Direction.allCases.map(\.rawValue)), isRequired: true),
      Column("limit_value", .real, isRequired: true),
      Column("days", .dayCount(CriticalLimit.possibleDays), fallback: .integer(1)),
      Column(
        "severity", .word(Severity.allCases.map(\.rawValue)),
        fallback: .text(Severity.attention.rawValue)),
      Column("starts_on", .plannedDay, isRequired: true),
      Column("ends_on", .plannedDay, isRequired: true),
      Column("set_by", .text, isRequired: true),
      Column("note", .text),
    ],
    key: ["user_id", "metric_type", "direction", "days", "starts_on"])

  /// The hours of a week in which persons are not disturbed.
  public static let doNotDisturb = InputTable(
    name: "do_not_disturb",
    columns: [
      Column("user_id", .person, isRequired: true),
      Column("weekday", .weekday, isRequired: true),
      Column("starts_at", .timeOfDay, isRequired: true),
      Column("ends_at", .timeOfDay, isRequired: true),
    ],
    key: ["user_id", "weekday", "starts_at"])

  /// Scores that an app has computed, and those that Vigil does.
  public static let vitalityScores = InputTable(
    name: "vitality_scores",
    columns: [
      Column("user_id", .person, isRequired: true),
      Column("score_date", .observedDay, isRequired: true),
      Column("total_score", .score),
      Column("sleep_score", .score),
      Column("movement_score", .score),
      Column("stress_score", .score),
      Column("schema_version", .text, isRequired: true),
      Column("source", .text, isRequired: true),
    ],
    key: ["user_id", "score_date"])

  /// Whether an import clears the columns that a file does not have: the scores of a row belong to
  /// one source and version, so that none of another may stay.
  public var replacesWholeRows: Bool { self == .vitalityScores }

  /// The column with the day of a row, or with the first day on which it counts.
  public var dayColumn: String { Self.dayColumn(of: name) }

  /// The columns of numbers of `wearable_daily_metrics`, in the table's order.
  public static let wearableMetrics = [
    "steps", "sleep_minutes", "hrv_ms", "resting_hr", "sleep_efficiency_pct", "movement_minutes",
    "deep_sleep_minutes", "rem_sleep_minutes", "light_sleep_minutes", "awake_minutes",
    "active_calories", "breathing_rate", "spo2_avg_pct", "skin_temperature_c", "worn_minutes",
  ].map { MetricType($0) }
}
