import VigilModel

/// Runs the state machine of one series over the days of a fold.
struct SeriesFold: EpisodeFold {
  var frame: FoldFrame
  var evaluated: EvaluatedSeries
  let context: Context

  /// The values that the folds of all series of one metric share.
  final class Context {
    let isAnchored: Bool
    let judge: MetricJudge
    let evaluator: DayEvaluator
    let machineSettings: EpisodeMachine.Settings

    init(_ metric: MetricThresholds, of thresholds: Thresholds) {
      isAnchored = thresholds.baseline.mode == .anchored
      evaluator = DayEvaluator(metric, of: thresholds)
      judge = evaluator.judge
      machineSettings = EpisodeMachine.Settings(thresholds)
    }
  }

  /// The state of the active episode that the machine does not hold.
  struct Current {
    /// The baseline of the run's first day; nil where every day has its own.
    var anchor: EpisodeFigures.Window?
    /// Index in `stored` of the episode with the same key.
    var stored: Int?
    /// The figures of the last level, with their deviating day: mostly the episode has the same.
    var noted: (day: Day, figures: EpisodeFigures)?
  }

  var current: Current?
  /// The earliest day that a run of deviating days reaches back to.
  var runLimit: Day

  init(
    series: Int, evaluated: EvaluatedSeries, window: FoldWindow, context: Context,
    stored: [Episode]
  ) {
    frame = FoldFrame(context.machineSettings, over: window, stored: stored, series: series)
    self.evaluated = evaluated
    self.context = context
    runLimit = window.loaded.lowerBound
  }

  // MARK: Days

  mutating func open(from day: Int, through last: Int) -> (day: Int, runStart: Day)? {
    guard let next = nextActionableDay(from: day, through: last) else { return nil }
    let start = believedRunStart(runStart(of: frame.date(next)))
    begin(runStart: start, after: nil)
    return (next, start)
  }

  mutating func verdict(on day: Int) -> (day: DayVerdict, rolling: DayVerdict) {
    let date = frame.date(day)
    return (verdict(on: date), rollingVerdict(on: date))
  }

  mutating func restart(runStart: Day) { begin(runStart: runStart, after: current?.anchor) }

  mutating func close(
    from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason
  ) {
    // The day on which one episode supersedes another belongs to the run of the other.
    if reason != .superseded { runLimit = max(runLimit, frame.date(day) + 1) }
  }

  // MARK: Verdicts

  func rollingVerdict(on day: Day) -> DayVerdict {
    DayVerdict(rawValue: evaluated.verdicts[frame.index(of: day)])
  }

  /// The verdict that counts on `day`: against the anchor where an episode has one.
  mutating func verdict(on day: Day) -> DayVerdict {
    let rolling = rollingVerdict(on: day)
    guard let anchor = current?.anchor else { return rolling }
    guard let recentSum = evaluated.recentSum(at: frame.index(of: day)) else {
      return rolling.intersection(.suppressed)
    }
    return context.judge.verdict(recentSum: recentSum, baseline: anchor.value)
      .union(rolling.intersection(.suppressed))
  }

  /// The next day, `day` included, that can open an episode.
  private func nextActionableDay(from day: Int, through last: Int) -> Int? {
    var position = day
    let end = last + 1
    let bytes = UnsafeRawPointer(evaluated.verdicts)
    while position < end {
      // Eight days at once: bit 0 of a byte says deviating, bit 3 suppressed.
      let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
      let actionable = word & ~(word >> 3) & 0x0101_0101_0101_0101
      if actionable != 0 {
        position += actionable.trailingZeroBitCount / 8
        return position < end ? position : nil
      }
      position += 8
    }
    return nil
  }

  /// First day of the longest run of deviating days that ends on `day`.
  func runStart(of day: Day) -> Day {
    var start = day
    while start > runLimit, rollingVerdict(on: start - 1).contains(.deviating) { start = start - 1 }
    return start
  }

  /// The first day whose whole horizon is loaded.
  var firstJudgedDay: Day {
    frame.window.loaded.lowerBound + context.evaluator.settings.horizonDays
  }

  // MARK: Episodes

  /// - Parameter superseded: The baseline of the episode that it supersedes.
  private mutating func begin(runStart: Day, after superseded: EpisodeFigures.Window?) {
    let since = runStart - (context.machineSettings.recentDays - 1)
    let known = frame.stored.firstIndex { $0.activeSince == since }
    var anchor: EpisodeFigures.Window?
    if context.isAnchored {
      // The first loaded days lack a part of their horizon; stored figures had all of it.
      if let known, runStart < firstJudgedDay, !frame.stored[known].isRetracted {
        anchor = frame.stored[known].figures.baseline
      } else {
        // A day that deviates from an older anchor may have too little history for a baseline of
        // its own; then the older one stays.
        anchor =
          loadedFigures(on: runStart, against: nil)?.baseline ?? superseded
      }
    }
    current = Current(anchor: anchor, stored: known)
  }

  /// The figures of a day that is known to deviate, and therefore has them.
  private mutating func figures(
    on day: Day, against anchor: EpisodeFigures.Window?
  ) -> EpisodeFigures {
    guard let figures = loadedFigures(on: day, against: anchor) else {
      preconditionFailure("a deviating day has a baseline and a recent window")
    }
    return figures
  }

  private mutating func loadedFigures(
    on day: Day, against anchor: EpisodeFigures.Window?
  ) -> EpisodeFigures? {
    let (index, first) = (frame.index(of: day), frame.window.loaded.lowerBound)
    return evaluated.figures(at: index, firstDay: first, against: anchor)
      ?? context.evaluator.evaluate(
        evaluated.values, at: index, firstDay: first, against: anchor
      ).figures
  }

  /// The figures of the last deviating day of `episode`.
  private mutating func figures(of episode: EpisodeMachine.ActiveEpisode) -> EpisodeFigures {
    let day = episode.lastDeviating
    if let noted = current?.noted, noted.day == day { return noted.figures }
    guard let known = current?.stored, day < frame.window.folded.lowerBound else {
      return figures(on: day, against: current?.anchor)
    }
    // Before the fold the loaded days may not reach back far enough; the stored figures do.
    let stored = frame.stored[known]
    if day == stored.lastDeviating || day < frame.window.loaded.lowerBound {
      return stored.figures
    }
    return loadedFigures(on: day, against: current?.anchor) ?? stored.figures
  }

  mutating func note(
    _ episode: EpisodeMachine.ActiveEpisode, on day: Day, into result: inout FoldResult
  ) {
    guard day >= frame.window.notifying.lowerBound, !frame.levels.hasReached(episode.level)
    else { return }
    let figures = figures(of: episode)
    current?.noted = (episode.lastDeviating, figures)
    frame.levels.reach(
      episode.level, on: day, duration: episode.duration, figures: figures, into: &result)
  }

  mutating func row(
    of episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?
  ) -> Episode {
    Episode(episode, figures: figures(of: episode), resolution: resolution)
  }
}
