import VigilModel

/// Runs the state machine of one series over the days of a fold.
struct SeriesFold {
  let series: Int
  var evaluated: EvaluatedSeries
  let window: FoldWindow
  let context: Context
  let stored: [Episode]

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
    var levels: FollowedLevels
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
    self.series = series
    self.evaluated = evaluated
    self.window = window
    self.context = context
    self.stored = stored
    runLimit = window.loaded.lowerBound
  }

  mutating func run(into result: inout FoldResult) {
    var machine = resumedMachine()
    var day = window.folded.lowerBound
    let last = window.folded.upperBound
    while day <= last {
      var start = day
      if case .idle = machine.state {
        guard let next = nextActionableDay(from: day) else { return }
        day = next
        start = believedRunStart(runStart(of: next))
      }
      let action = machine.step(
        day, verdict: verdict(on: day), rolling: rollingVerdict(on: day), runStart: start)
      switch action {
      case .none, .extended: break
      case .opened(let runStart):
        begin(runStart: runStart, after: nil)
      case .restarted(let ended, let runStart):
        let superseded = current
        emit(ended, resolution: .init(day: day, reason: .superseded), into: &result)
        begin(runStart: runStart, after: superseded)
      case .resolved(let ended, let reason):
        emit(ended, resolution: .init(day: day, reason: reason), into: &result)
        runLimit = day + 1
      }
      if case .active(let episode) = machine.state {
        note(episode, on: day, into: &result)
      }
      day = day + 1
    }
    if case .active(let episode) = machine.state {
      emit(episode, resolution: nil, into: &result)
    }
  }

  // MARK: Verdicts

  private func index(of day: Day) -> Int { day - window.loaded.lowerBound }

  func rollingVerdict(on day: Day) -> DayVerdict {
    DayVerdict(rawValue: evaluated.verdicts[index(of: day)])
  }

  /// The verdict that counts on `day`: against the anchor where an episode has one.
  mutating func verdict(on day: Day) -> DayVerdict {
    let rolling = rollingVerdict(on: day)
    guard let anchor = current?.anchor else { return rolling }
    guard let recentSum = evaluated.recentSum(at: index(of: day)) else {
      return rolling.intersection(.suppressed)
    }
    return context.judge.verdict(recentSum: recentSum, baseline: anchor.value)
      .union(rolling.intersection(.suppressed))
  }

  /// The next day, `day` included, that can open an episode.
  private func nextActionableDay(from day: Day) -> Day? {
    var position = index(of: day)
    let end = index(of: window.folded.upperBound) + 1
    let bytes = UnsafeRawPointer(evaluated.verdicts)
    while position < end {
      // Eight days at once: bit 0 of a byte says deviating, bit 3 suppressed.
      let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
      let actionable = word & ~(word >> 3) & 0x0101_0101_0101_0101
      if actionable != 0 {
        position += actionable.trailingZeroBitCount / 8
        return position < end ? window.loaded.lowerBound + position : nil
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
  var firstJudgedDay: Day { window.loaded.lowerBound + context.evaluator.settings.horizonDays }

  // MARK: Episodes

  private mutating func begin(runStart: Day, after superseded: Current?) {
    let since = runStart - (context.machineSettings.recentDays - 1)
    let known = stored.firstIndex { $0.activeSince == since }
    var anchor: EpisodeFigures.Window?
    if context.isAnchored {
      // The first loaded days lack a part of their horizon; stored figures had all of it.
      if let known, runStart < firstJudgedDay, !stored[known].isRetracted {
        anchor = stored[known].figures.baseline
      } else {
        // A day that deviates from an older anchor may have too little history for a baseline of
        // its own; then the older one stays.
        anchor =
          loadedFigures(on: runStart, against: nil)?.baseline ?? superseded?.anchor
      }
    }
    current = Current(
      anchor: anchor, levels: FollowedLevels(after: superseded?.levels), stored: known)
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
    let first = window.loaded.lowerBound
    return evaluated.figures(at: index(of: day), firstDay: first, against: anchor)
      ?? context.evaluator.evaluate(
        evaluated.values, at: index(of: day), firstDay: first, against: anchor
      ).figures
  }

  /// The figures of the last deviating day of `episode`.
  private mutating func figures(of episode: EpisodeMachine.ActiveEpisode) -> EpisodeFigures {
    let day = episode.lastDeviating
    if let noted = current?.noted, noted.day == day { return noted.figures }
    guard let known = current?.stored, day < window.folded.lowerBound else {
      return figures(on: day, against: current?.anchor)
    }
    // Before the fold the loaded days may not reach back far enough; the stored figures do.
    let stored = stored[known]
    if day == stored.lastDeviating || day < window.loaded.lowerBound { return stored.figures }
    return loadedFigures(on: day, against: current?.anchor) ?? stored.figures
  }

  private mutating func note(
    _ episode: EpisodeMachine.ActiveEpisode, on day: Day, into result: inout FoldResult
  ) {
    guard day >= window.notifying.lowerBound, current?.levels.hasReached(episode.level) == false
    else { return }
    let figures = figures(of: episode)
    current?.noted = (episode.lastDeviating, figures)
    current?.levels.reach(
      episode.level, on: day, duration: episode.duration, figures: figures, into: &result)
  }

  private mutating func emit(
    _ episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?,
    into result: inout FoldResult
  ) {
    let ended = Episode(episode, figures: figures(of: episode), resolution: resolution)
    current?.levels.add(ended, ofSeries: series, to: &result)
    current = nil
  }
}
