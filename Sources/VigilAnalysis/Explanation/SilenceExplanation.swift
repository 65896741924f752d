public import VigilDetection
public import VigilModel

/// The decision about one day of a person's silence (specification, silence.md).
public struct SilenceExplanation: Hashable, Sendable {
  public var series: SilenceSeries
  public var day: Day
  /// The first day of the silence in which `day` lies; nil where the day is not silent, or no sign before it was
  /// read.
  public var silentSince: Day?
  /// The silent days in a row up to the day; nil where more than was read.
  public var count: Int?
  /// By day up to `day`, the silent days in a row of which it is the last; 0 on a day with a sign of life.
  public var silentDays: [Day: Int]
  /// The pauses that are usual for the person, and what follows from them; nil where the day is not silent, the
  /// person has no device that could fall silent, or the series is another.
  public var habit: Habit?
  /// Whether no alert could open on the day, as the feed was broken.
  public var isSuspended = false
  /// The episode that was active at the end of the day before.
  public var before: Episode?
  /// The episode that is active at the end of the day, or else the one that ended on it.
  public var after: Episode?
  /// The episodes of the series up to the day, as they stand at its end, by `activeSince`.
  public var episodes: [Episode]
  public var change: Explanation.Change

  /// Whether there is an active episode at the end of the day: the answer that is explained.
  public var isActive: Bool { after?.isActive == true }

  /// The silent days with which an episode opens, and the most with which one still does.
  public var opening: (first: Int, last: Int) {
    switch series {
    case .checkInOverdue(let settings): (settings.openAfterDays, settings.watchedDays)
    case .inactivity(let settings):
      (habit?.threshold ?? settings.minDays, settings.leftAfterDays - 1)
    }
  }

  /// The silent days after this one with which an episode would open; nil where none would.
  public var daysUntilOpening: Int? {
    guard !isActive, let count, !isSuspended else { return nil }
    let left: Int
    switch series {
    case .checkInOverdue(let settings): left = settings.openAfterDays - count
    case .inactivity(let settings):
      guard let habit else { return nil }
      left = habit.threshold - habit.countedDays
      if count + left >= settings.leftAfterDays { return nil }
    }
    return left > 0 ? left : nil
  }

  /// The usual pauses before a silence.
  public struct Habit: Hashable, Sendable {
    public var value: SilenceHabit
    /// The silent days with which an alert opens.
    public var threshold: Int
    /// The silent days up to the explained one on which the feed was not broken.
    public var countedDays: Int
  }
}

/// Recomputes the decision about a day of a person's silence, by the same fold as runs.
public struct SilenceExplainer {
  public let series: SilenceSeries
  public let thresholds: Thresholds

  /// - Parameters:
  ///   - series: The series, of the profile as it is for the person.
  ///   - thresholds: The same profile.
  public init(_ series: SilenceSeries, of thresholds: Thresholds) {
    self.series = series
    self.thresholds = thresholds
  }

  /// Explains the decision about `day`.
  ///
  /// - Parameters:
  ///   - days: The days of the one person.
  ///   - stored: The episodes that the database holds, in order of `activeSince`.
  ///   - day: The evaluated day.
  ///   - first: The day to follow episodes from; nil where `stored` says what was active before `day`.
  ///   - brokenFeed: Days with a broken feed.
  /// - Precondition: The days were read for an evaluation of `day - 1` and `first`, or an earlier one.
  public func explain(
    _ days: SilenceDays, stored: [Episode], on day: Day, from first: Day? = nil,
    brokenFeed: Set<Day> = []
  ) -> SilenceExplanation {
    let first = min(first ?? day, day - 1)
    let before = folded(days, stored, from: first, through: day - 1, brokenFeed)
      .last { $0.isActive }
    let later = folded(days, stored, from: first, through: day, brokenFeed)
    let active = later.last { $0.isActive }
    let ended = later.last { $0.resolution?.day == day }
    let start = days.start(on: day)
    let counts = (days.shown.lowerBound...day).compactMap { day in
      days.count(on: day).map { (day, $0) }
    }
    return SilenceExplanation(
      series: series, day: day, silentSince: start, count: days.count(on: day),
      silentDays: Dictionary(uniqueKeysWithValues: counts),
      habit: start.flatMap { habit(days, silentSince: $0, on: day, brokenFeed) },
      isSuspended: brokenFeed.contains(day) && series.metric == .inactivity, before: before,
      after: active ?? ended,
      episodes: stored.ended(before: window(from: first, through: day)) + later,
      change: .init(from: before, to: active, ended: ended, on: day))
  }

  private func habit(
    _ days: SilenceDays, silentSince start: Day, on day: Day, _ brokenFeed: Set<Day>
  ) -> SilenceExplanation.Habit? {
    guard case .inactivity(let settings) = series, let signs = days.signs,
      signs.isWorn(person: 0, inLast: settings.maxDays, before: start)
    else { return nil }
    let broken = BrokenFeedDays(brokenFeed, among: signs.days)
    return SilenceHabit(
      ofPerson: 0, silentSince: start, signs: signs, broken: broken, settings: settings
    ).map {
      SilenceExplanation.Habit(
        value: $0, threshold: $0.threshold(settings),
        countedDays: broken.sound(from: start, to: day))
    }
  }

  private func window(from first: Day, through last: Day) -> FoldWindow {
    FoldWindow(evaluating: min(first, last)...last, thresholds: thresholds)
  }

  private func folded(
    _ days: SilenceDays, _ stored: [Episode], from first: Day, through last: Day,
    _ brokenFeed: Set<Day>
  ) -> [Episode] {
    let window = window(from: first, through: last)
    var result = FoldResult()
    BlockSilenceFold([series]).fold(
      signs: days.signs, overdue: days.overdue?.of(window.folded), over: window,
      stored: [0: stored], brokenFeed: brokenFeed, into: &result)
    return result.episodes.map(\.episode)
  }
}
