import VigilModel

/// Follows the episodes of missed doses of one person (specification, evidence-doses.md).
struct DoseFold {
  let judge: DoseJudge
  let machineSettings: EpisodeMachine.Settings
  let window: FoldWindow
  /// The episodes of the series that the database holds, in order of `activeSince`.
  let stored: [Episode]
  /// Index of the series in the input.
  let seriesIndex: Int
  /// All observations.
  let series: DoseSeries
  /// The observations that are not in an episode that has ended.
  private var eligible: DoseSeries

  /// Index of the first day of the newest level that was adopted.
  private var adoptedSince = Int.min
  /// Index of the day on which the last episode ended.
  private var lastResolved = Int.min
  private var current: Current?

  /// The active episode.
  private struct Current {
    let evidence: DoseEvidence
    let figures: EpisodeFigures
    var course: DoseCourse
    var levels = FollowedLevels()
  }

  init(
    _ series: DoseSeries, index: Int, by judge: DoseJudge,
    machineSettings: EpisodeMachine.Settings, window: FoldWindow, stored: [Episode]
  ) {
    self.series = series
    eligible = series
    seriesIndex = index
    self.judge = judge
    self.machineSettings = machineSettings
    self.window = window
    self.stored = stored
  }

  mutating func run(into result: inout FoldResult) {
    var machine = resumedMachine()
    let last = index(of: window.folded.upperBound)
    var day = index(of: window.folded.lowerBound)
    while day <= last {
      if case .idle = machine.state {
        guard let opening = nextOpening(from: day, through: last) else { return }
        day = Int(eligible.observations[opening.last].index)
        begin(opening)
        _ = machine.step(
          date(day), verdict: .deviating, rolling: .normal,
          runStart: eligible.day(at: opening.window.first))
      } else {
        let verdict = verdict(on: day)
        let action = machine.step(
          date(day), verdict: verdict, rolling: verdict.isUnknown ? .unknown : .normal,
          runStart: date(day))
        if case .resolved(let ended, let reason) = action {
          emit(ended, resolution: .init(day: date(day), reason: reason), into: &result)
          close(from: index(of: ended.activeSince), on: day, reason)
        }
      }
      if case .active(let episode) = machine.state { note(episode, on: date(day), into: &result) }
      day += 1
    }
    if case .active(let episode) = machine.state { emit(episode, resolution: nil, into: &result) }
  }

  private func index(of day: Day) -> Int { day - window.loaded.lowerBound }

  private func date(_ index: Int) -> Day { window.loaded.lowerBound + index }

  /// Takes the end of an episode into account.
  private mutating func close(
    from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason
  ) {
    lastResolved = max(lastResolved, day)
    switch reason {
    case .recovered, .noData: eligible.remove(days: activeSince...day)
    case .rebased: adoptedSince = max(adoptedSince, activeSince)
    case .recalibrated, .superseded, .left, .retracted, .profileChanged: break
    }
  }

  // MARK: Opening

  /// A day that deviates, with all that is kept of it.
  private struct Opening {
    /// The place of the day among the eligible observations.
    var last: Int
    var pool: Range<Int>
    var anchor: DoseAnchor
    var window: DoseWindow
  }

  /// The next day, from `day` on, that can open an episode.
  private func nextOpening(from day: Int, through end: Int) -> Opening? {
    let settings = judge.settings
    let fresh = lastResolved == .min ? 0 : eligible.place(from: lastResolved + 1)
    for last in eligible.place(from: day)..<eligible.place(from: end + 1)
    where eligible.observations[last].missed > 0 {
      let day = Int(eligible.observations[last].index)
      let first = eligible.place(from: max(day - settings.horizonDays, adoptedSince))
      let count = last - first + 1
      let size = settings.poolSize(eligible: count)
      guard size > 0 else { continue }
      let guardCount = settings.guardCount(eligible: count)
      let pool = last + 1 - guardCount - size..<last + 1 - guardCount
      let anchor = judge.anchor(of: eligible.observations[pool])
      if let window = judge.decidingWindow(
        endingAt: last, of: eligible, longest: min(guardCount, last - max(first, fresh) + 1),
        against: anchor), judge.isEnough(window, poolSize: size)
      {
        return Opening(last: last, pool: pool, anchor: anchor, window: window)
      }
    }
    return nil
  }

  private mutating func begin(_ opening: Opening) {
    let (pool, found) = (opening.pool, opening.window)
    let day = eligible.day(at: opening.last)
    let since = eligible.day(at: found.first)
    let evidence = DoseEvidence(
      openedOn: day, windowDays: found.count, missed: found.missed, expected: found.expected,
      evidence: found.evidence,
      threshold: judge.settings.thresholds.threshold(poolSize: pool.count),
      heldLevel: judge.heldLevel(found, from: opening.anchor), anchor: opening.anchor,
      recordedOn: nil)
    let figures = EpisodeFigures(
      baseline: EpisodeFigures.Window(
        value: 100 * (1 - opening.anchor.missedShare), start: eligible.day(at: pool.lowerBound),
        end: eligible.day(at: pool.upperBound - 1), count: pool.count),
      recent: EpisodeFigures.Window(
        value: 100 * (1 - evidence.missedShare), start: since, end: day, count: found.count))
    follow(evidence, figures)
  }

  private mutating func follow(_ evidence: DoseEvidence, _ figures: EpisodeFigures) {
    let opened = series.place(from: index(of: evidence.openedOn) + 1) - 1
    current = Current(
      evidence: evidence, figures: figures,
      course: DoseCourse(of: evidence, endingAt: opened, of: series, by: judge.settings))
  }

  // MARK: While an episode is active

  /// The verdict of a day, whose doses the course of the episode takes in.
  private mutating func verdict(on day: Int) -> DayVerdict {
    let place = series.place(from: day)
    guard place < series.count, Int(series.observations[place].index) == day, var now = current
    else { return .unknown }
    now.course.take(series.observations[place])
    current = now
    if !now.course.isEasing { return .deviating }
    return now.course.isOver ? [.normal, .clean] : .normal
  }

  private mutating func note(
    _ episode: EpisodeMachine.ActiveEpisode, on day: Day, into result: inout FoldResult
  ) {
    guard day >= window.notifying.lowerBound else { return }
    let figures = current?.figures
    current?.levels.reach(
      episode.level, on: day, duration: episode.duration, figures: figures, into: &result)
  }

  private mutating func emit(
    _ episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?,
    into result: inout FoldResult
  ) {
    guard let ended = current else { return }
    var folded = Episode(episode, figures: ended.figures, resolution: resolution)
    var evidence = ended.evidence
    evidence.recordedOn = series.firstRecorded(
      from: episode.activeSince, through: resolution?.day ?? window.folded.upperBound)
    folded.doses = evidence
    ended.levels.add(folded, ofSeries: seriesIndex, to: &result)
    current = nil
  }

  // MARK: Resuming

  /// The machine as it stood before the first folded day: stored episodes that had ended by then count, and one
  /// that was active is replayed from its opening (specification, evidence-doses.md section 6).
  private mutating func resumedMachine() -> EpisodeMachine {
    let eve = window.folded.lowerBound - 1
    for (activeSince, resolution) in stored.ended(by: eve) {
      close(from: index(of: activeSince), on: index(of: resolution.day), resolution.reason)
    }
    guard let active = stored.active(onEndOf: eve), let evidence = active.doses else {
      return EpisodeMachine(settings: machineSettings)
    }
    follow(evidence, active.figures)
    var state = EpisodeMachine.ActiveEpisode(
      opening: active.activeSince, on: evidence.openedOn)
    // As it was active on the eve, no day up to then ends it.
    let rest = series.place(from: index(of: evidence.openedOn) + 1)
    for place in rest..<max(rest, series.place(from: index(of: eve) + 1)) {
      current?.course.take(series.observations[place])
      state.follow(series.day(at: place), counts: current?.course.isEasing == false)
    }
    return EpisodeMachine(settings: machineSettings, resuming: state)
  }
}
