public import VigilModel

/// An alert of a person, as far as the events of the person depend on it.
public struct EventAlert<ID: Hashable & Sendable>: Hashable, Sendable {
  public var id: ID
  public var metric: MetricType
  public var activeSince: Day
  /// The first day on which the alert was known.
  public var openedOn: Day
  /// Nil while the alert is active.
  public var resolvedOn: Day?
  /// The metrics that the alert is of: its own, or the contributing metrics of several together.
  public var named: Set<MetricType>
  /// The event that the alert is known to be in; nil where that is to be found out.
  public var settledEvent: ID?

  public init(
    id: ID, metric: MetricType, activeSince: Day, openedOn: Day, resolvedOn: Day? = nil,
    contributing: [MetricType]? = nil, settledEvent: ID? = nil
  ) {
    self.id = id
    self.metric = metric
    self.activeSince = activeSince
    self.openedOn = openedOn
    self.resolvedOn = resolvedOn
    named = contributing.map(Set.init) ?? [metric]
    self.settledEvent = settledEvent
  }

  /// The alert of an episode.
  public init(id: ID, metric: MetricType, _ episode: Episode, settledEvent: ID? = nil) {
    self.init(
      id: id, metric: metric, activeSince: episode.activeSince, openedOn: episode.openedOn,
      resolvedOn: episode.resolution?.day,
      contributing: episode.combined?.contributions.map(\.metric), settledEvent: settledEvent)
  }

  /// Whether the alert is of several metrics together.
  public var isCombined: Bool { metric == .combined }

  /// The order of openings: by day, on one day several metrics together first, then by name.
  public static func opensBefore(_ left: Self, _ right: Self) -> Bool {
    if left.openedOn != right.openedOn { return left.openedOn < right.openedOn }
    if left.isCombined != right.isCombined { return left.isCombined }
    if left.metric != right.metric { return left.metric.rawValue < right.metric.rawValue }
    return left.activeSince < right.activeSince
  }

  /// Whether a day of the alert is one of those up to the opening of `later`.
  func reaches(_ later: Self) -> Bool {
    activeSince <= later.openedOn && later.activeSince <= resolvedOn ?? later.openedOn
  }
}
