public import VigilDetection
public import VigilModel

/// The decision about one day of a person's silence (specification, silence.md).
public struct SilenceExplanation: Hashable, Sendable {
  public var series: SilenceSeries
  public var day: Day
  /// The first day of the silence in which `day` lies; nil where the day is not silent, `SilentDays.longAgo` where
  /// that is before what was read.
  public var silentSince: Day?
  /// By day up to `day`, the silent days in a row of which it is the last; 0 on a day with a sign of life.
  public var silentDays: [Day: Int]
  /// Whether no alert could open on the day, as the feed was broken.
  public var isSuspended = false
  /// The episode that was active at the end of the day before.
  public var before: Episode?
  /// The episode that is active at the end of the day, or else the one that ended on it.
  public var after: Episode?
  /// The episodes of the followed days, as they stand at the end of the day, by `activeSince`.
  public var episodes: [Episode]
  public var change: Explanation.Change

  /// Whether there is an active episode at the end of the day: the answer that is explained.
  public var isActive: Bool { after?.isActive == true }

  /// The silent days in a row up to the day; nil where more than was read.
  public var count: Int? {
    guard let silentSince else { return 0 }
    return silentSince == SilentDays.longAgo ? nil : day - silentSince + 1
  }

  /// The silent days after this one with which an episode would open; nil where none would.
  public var daysUntilOpening: Int? {
    guard !isActive, let count else { return nil }
    let left = series.settings.openAfterDays - count
    return left > 0 ? left : nil
  }
}

/// Recomputes the decision about a day of a person's silence, by the same fold as runs.
public struct SilenceExplainer {
  public let series: SilenceSeries
  public let thresholds: Thresholds

  public init(_ series: SilenceSeries, of thresholds: Thresholds) {
    self.series = series
    self.thresholds = thresholds
  }

  /// Explains the decision about `day`.
  ///
  /// - Parameters:
  ///   - silent: The silent days of the one person, up to `day` or later.
  ///   - stored: The episodes that the database holds, in order of `activeSince`.
  ///   - day: The evaluated day.
  ///   - first: The day to follow episodes from; nil where `stored` says what was active before `day`.
  ///   - suspended: Days on which no episode opens.
  /// - Precondition: The days of `silent` begin `warmup_days` before `day - 1` and `first`, or earlier.
  public func explain(
    _ silent: SilentDays, stored: [StoredEpisode], on day: Day, from first: Day? = nil,
    suspending suspended: Set<Day> = []
  ) -> SilenceExplanation {
    let first = min(first ?? day, day - 1)
    let before = folded(silent, stored, from: first, through: day - 1, suspended)
      .last { $0.isActive }
    let later = folded(silent, stored, from: first, through: day, suspended)
    let active = later.last { $0.isActive }
    let ended = later.last { $0.resolution?.day == day }
    let counts = (silent.days.lowerBound...day).compactMap { day -> (Day, Int)? in
      guard let start = silent.start(person: 0, day: day) else { return (day, 0) }
      return start == SilentDays.longAgo ? nil : (day, day - start + 1)
    }
    return SilenceExplanation(
      series: series, day: day, silentSince: silent.start(person: 0, day: day),
      silentDays: Dictionary(uniqueKeysWithValues: counts),
      isSuspended: suspended.contains(day) && series.metric == .inactivity, before: before,
      after: active ?? ended, episodes: later,
      change: .init(from: before, to: active, ended: ended, on: day))
  }

  private func folded(
    _ silent: SilentDays, _ stored: [StoredEpisode], from first: Day, through last: Day,
    _ suspended: Set<Day>
  ) -> [Episode] {
    let window = FoldWindow(evaluating: min(first, last)...last, thresholds: thresholds)
    let days = SilentDays(personCount: 1, days: window.folded)
    for day in window.folded {
      if let start = silent.start(person: 0, day: day) {
        days.set(person: 0, day: day, since: start)
      }
    }
    var result = FoldResult()
    BlockSilenceFold([series]).fold(
      [days], over: window, stored: [0: stored], suspending: suspended, into: &result)
    return result.episodes.map(\.episode)
  }
}
