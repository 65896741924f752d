/// The key of a series: subject and metric; at most one episode of a series is active at a time.
///
/// ```swift
/// let series = SeriesKey(user: UUID(name: "anna"), metric: MetricType("steps"), pattern: .drop)
/// print(series.metric, series.pattern.rawValue)  // steps drop_vs_baseline
/// ```
public struct SeriesKey: Hashable, Sendable, Comparable {
  public var user: UUID
  /// The medication of the person that it is about; nil where it is about the person.
  public var medication: UUID?
  public var metric: MetricType
  public var pattern: PatternType

  public init(user: UUID, medication: UUID? = nil, metric: MetricType, pattern: PatternType) {
    self.user = user
    self.medication = medication
    self.metric = metric
    self.pattern = pattern
  }

  public static func < (left: SeriesKey, right: SeriesKey) -> Bool {
    let (own, other) = (
      (left.user.lowercased, left.metric.rawValue, left.pattern.rawValue),
      (right.user.lowercased, right.metric.rawValue, right.pattern.rawValue)
    )
    guard own == other else { return own < other }
    return (left.medication?.lowercased ?? "") < (right.medication?.lowercased ?? "")
  }
}

/// One row of `pattern_alert_state` (specification, tables.md).
///
/// ```swift
/// guard let start = Day("2026-06-24") else { return }
/// let series = SeriesKey(user: UUID(name: "anna"), metric: MetricType("steps"), pattern: .drop)
/// let profile = Profile(version: "v2", digest: "0123456789abcdef")
/// let id = PatternAlertState.id(of: series, activeSince: start, in: profile)
/// // The same episode has the same id on every machine.
/// print(id == PatternAlertState.id(of: series, activeSince: start, in: profile))  // true
/// ```
public struct PatternAlertState: Hashable, Sendable {
  /// `id(of:activeSince:in:)`.
  public let id: UUID
  /// The thresholds that the episode was found with.
  public let profile: Profile
  public var series: SeriesKey
  public var episode: Episode
  /// The alert that started the event in which this one is: its own id, where it started one.
  public var eventID: UUID
  /// The highest level for which a notification was enqueued (live), and when.
  public var lastNotifiedLevel: AlertLevel?
  public var lastNotifiedAt: Timestamp?
  /// The highest level for which shadow nights planned a notification.
  public var shadowNotifiedLevel: AlertLevel?
  /// The first day after a snooze; set by members, never by a run.
  public var snoozeUntil: Day?
  public var dismissedAt: Timestamp?
  public var acknowledgedAt: Timestamp?
  public var acknowledgedBy: UUID?
  /// The run that last wrote this row.
  public var runID: UUID
  public var computedAt: Timestamp
  public var createdAt: Timestamp
  public var updatedAt: Timestamp

  /// - Parameters:
  ///   - id: Nil for the one that follows from profile, series and first day.
  ///   - profile: The profile that found the episode.
  ///   - series: The subject, metric and pattern.
  ///   - episode: The episode.
  ///   - eventID: The alert that started the event; nil where this one did.
  ///   - lastNotifiedLevel: The level of the newest live notification.
  ///   - lastNotifiedAt: When that was planned.
  ///   - shadowNotifiedLevel: The same level for shadow runs.
  ///   - snoozeUntil: The day on which notifications resume.
  ///   - dismissedAt: When a member dismissed it.
  ///   - acknowledgedAt: When a member acknowledged it.
  ///   - acknowledgedBy: The member who did.
  ///   - runID: The run that wrote the row.
  ///   - computedAt: When that run began.
  ///   - createdAt: When the row was written first.
  ///   - updatedAt: When it was written last.
  public init(
    id: UUID? = nil, profile: Profile, series: SeriesKey, episode: Episode,
    eventID: UUID? = nil, lastNotifiedLevel: AlertLevel? = nil,
    lastNotifiedAt: Timestamp? = nil, shadowNotifiedLevel: AlertLevel? = nil,
    snoozeUntil: Day? = nil, dismissedAt: Timestamp? = nil, acknowledgedAt: Timestamp? = nil,
    acknowledgedBy: UUID? = nil, runID: UUID, computedAt: Timestamp, createdAt: Timestamp,
    updatedAt: Timestamp
  ) {
    self.id = id ?? Self.id(of: series, activeSince: episode.activeSince, in: profile)
    self.eventID = eventID ?? self.id
    self.profile = profile
    self.series = series
    self.episode = episode
    self.lastNotifiedLevel = lastNotifiedLevel
    self.lastNotifiedAt = lastNotifiedAt
    self.shadowNotifiedLevel = shadowNotifiedLevel
    self.snoozeUntil = snoozeUntil
    self.dismissedAt = dismissedAt
    self.acknowledgedAt = acknowledgedAt
    self.acknowledgedBy = acknowledgedBy
    self.runID = runID
    self.computedAt = computedAt
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// Whether a member has answered the alert.
  public var isAnswered: Bool {
    acknowledgedAt != nil || dismissedAt != nil || snoozeUntil != nil
  }

  public var severity: Severity { series.metric.severity(of: episode.level) }

  /// Whether it started the event in which it is.
  public var startsEvent: Bool { eventID == id }

  /// UUIDv5 of the natural key: the same episode has the same id in every database and mode.
  public static func id(of series: SeriesKey, activeSince: Day, in profile: Profile) -> UUID {
    nameStart(of: series, in: profile).id(endingWith: activeSince.description)
  }

  /// The beginning of the names behind `id(of:activeSince:in:)`, which end with `activeSince`.
  public static func nameStart(of series: SeriesKey, in profile: Profile) -> NameStart {
    let medication = series.medication.map { "\($0.lowercased):" } ?? ""
    return NameStart(
      "pattern_alert_state:\(profile.id):\(series.user.lowercased)"
        + ":\(series.metric.rawValue):\(series.pattern.rawValue):\(medication)")
  }
}
