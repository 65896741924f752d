public import VigilModel

/// A change that is known to have happened: the truth that alerts are compared with.
public struct LabelledChange: Hashable, Sendable {
  public var person: UUID
  /// Nil where any metric may show it, such as with an illness.
  public var metric: MetricType?
  /// The first and the last changed day.
  public var days: ClosedRange<Day>

  public init(person: UUID, metric: MetricType?, days: ClosedRange<Day>) {
    self.person = person
    self.metric = metric
    self.days = days
  }
}

extension LabelledChange {
  /// The days after the end of a change on which an alert still counts as its own.
  public static let grace = 7

  /// Whether an alert is about this change: of its metric, alone or with others, and opened in time.
  func explains(_ alert: RaisedAlert) -> Bool {
    alert.person == person && metric.map(alert.named.contains) ?? true
      && alert.openedOn >= days.lowerBound && alert.openedOn <= days.upperBound + Self.grace
  }
}

/// An episode, as far as its comparison with labels needs it.
public struct RaisedAlert: Hashable, Sendable {
  public var person: UUID
  public var metric: MetricType
  /// The first day on which it was known.
  public var openedOn: Day
  public var level: AlertLevel
  /// The metrics that it is of: its own, or the contributing metrics of several together.
  public var named: Set<MetricType>
  /// The event that it is of; nil where it is one of its own.
  public var event: UUID?
  /// Whether a value was beyond a limit that holds without a baseline.
  public var isOfLimit: Bool

  public init(
    person: UUID, metric: MetricType, openedOn: Day, level: AlertLevel,
    contributing: [MetricType]? = nil, event: UUID? = nil, isOfLimit: Bool = false
  ) {
    self.person = person
    self.metric = metric
    self.openedOn = openedOn
    self.level = level
    named = contributing.map(Set.init) ?? [metric]
    self.event = event
    self.isOfLimit = isOfLimit
  }

  /// The alert of a row.
  public init(_ row: PatternAlertState) {
    self.init(
      person: row.series.user, metric: row.series.metric, openedOn: row.episode.openedOn,
      level: row.episode.level,
      contributing: row.episode.combined?.contributions.map(\.metric), event: row.eventID,
      isOfLimit: row.series.pattern.isOfLimit)
  }
}
