public import VigilModel

/// The findings of one profile, as far as a comparison needs them.
public struct ProfileFindings: Hashable, Sendable {
  public var episodes: [ComparedEpisode]
  /// No two are the same.
  public var notifications: [ComparedNotification]

  public init(episodes: [ComparedEpisode] = [], notifications: [ComparedNotification] = []) {
    self.episodes = episodes
    self.notifications = notifications
  }
}

/// A notification of one recipient, on however many channels.
public struct ComparedNotification: Hashable, Sendable {
  public var series: SeriesKey
  public var alertStateID: UUID
  public var recipient: UUID
  /// The level that the alert has reached, or had when it ended.
  public var level: AlertLevel
  /// Whether it is about the end of the alert.
  public var isRecovery: Bool
  /// The night whose alerts the recipient gets as one notification; nil where each is one of its own.
  public var groupNight: Day?
  /// The metrics that it is about, ascending: those that the alerts of its event name.
  public var metrics: [MetricType]

  public init(
    series: SeriesKey, alertStateID: UUID, recipient: UUID, level: AlertLevel,
    isRecovery: Bool = false, groupNight: Day? = nil,
    metrics: [MetricType]? = nil
  ) {
    self.series = series
    self.alertStateID = alertStateID
    self.recipient = recipient
    self.level = level
    self.isRecovery = isRecovery
    self.groupNight = groupNight
    self.metrics = metrics ?? [series.metric]
  }
}
