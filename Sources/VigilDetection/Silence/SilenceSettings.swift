public import VigilModel

/// When the silence of a person becomes an episode (specification, silence.md).
///
/// ```swift
/// let settings = SilenceSettings(openAfterDays: 3, watchedDays: 30)
/// print(settings.opens(afterSilentDays: 2), settings.opens(afterSilentDays: 3))  // false true
/// print(settings.opens(afterSilentDays: 31))  // false
/// ```
public struct SilenceSettings: Hashable, Sendable {
  /// The silent days in a row with which an episode opens.
  public var openAfterDays: Int
  /// The most silent days with which one still opens; nil for any number.
  ///
  /// A person who was silent for longer before the first evaluated day is not watched.
  public var watchedDays: Int?
  /// The fraction of the usual persons whose rows may be missing before no episode opens; nil for any.
  public var feedLimit: Double?

  public init(openAfterDays: Int, watchedDays: Int? = nil, feedLimit: Double? = nil) {
    self.openAfterDays = openAfterDays
    self.watchedDays = watchedDays
    self.feedLimit = feedLimit
  }

  /// The settings of `inactivity` where a file does not say otherwise.
  public static let inactivity = SilenceSettings(
    openAfterDays: 3, watchedDays: 30, feedLimit: 0.3)

  /// The settings of `check_in_overdue` where a file does not say otherwise.
  public static let checkInOverdue = SilenceSettings(openAfterDays: 1, watchedDays: 30)

  /// Whether a day opens an episode that is the last of so many silent ones.
  public func opens(afterSilentDays days: Int) -> Bool {
    days >= openAfterDays && watchedDays.map { days <= $0 } ?? true
  }
}

/// A series of silence of each person: its name, and when it becomes an episode.
public struct SilenceSeries: Hashable, Sendable {
  public var metric: MetricType
  public var settings: SilenceSettings

  public init(_ metric: MetricType, _ settings: SilenceSettings) {
    self.metric = metric
    self.settings = settings
  }
}
