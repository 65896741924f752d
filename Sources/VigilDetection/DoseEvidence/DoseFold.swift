import VigilModel

/// Follows the episodes of missed doses of one person, or of one medication (specification, evidence-doses.md).
struct DoseFold {
  let judge: DoseJudge
  private let machineSettings: EpisodeMachine.Settings
  let window: FoldWindow
  /// The episodes of the series that the database holds, in order of `activeSince`.
  let stored: [Episode]
  /// Index of the series in the input.
  let seriesIndex: Int
  /// All observations.
  let series: DoseSeries
  /// Index of the last day on which a dose can be expected.
  private let lastIndex: Int
  /// Days on which an alert about all doses of the person is active, by index: this one is then not sent.
  private let covering: [Range<Int>]
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
    /// The first day of the records that the database knows of; nil where it knows none.
    let recordedBefore: Day?
    /// The highest level that it had on a day on which another alert covered it.
    var coveredLevel: AlertLevel?
  }

  /// - Parameters:
  ///   - series: The observations of the loaded days.
  ///   - index: Index of the series in the input.
  ///   - judge: The judge.
  ///   - window: The days to evaluate.
  ///   - stored: The episodes of the series that the database holds.
  ///   - lastDay: The last day on which a dose can be expected; nil where no end is known.
  ///   - covering: Days on which another alert is sent in the place of this one.
  init(
    _ series: DoseSeries, index: Int, by judge: DoseJudge, window: FoldWindow, stored: [Episode],
    lastDay: Day? = nil, covering: [Range<Day>] = []
  ) {
    self.series = series
    eligible = series
    seriesIndex = index
    self.judge = judge
    machineSettings = EpisodeMachine.Settings(judge.settings, finding: judge.finding)
    self.window = window
    self.stored = stored
    let first = window.loaded.lowerBound
    lastIndex = lastDay.map { $0 - first } ?? .max
    self.covering = covering.map { $0.lowerBound - first..<$0.upperBound - first }
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
          runStart: eligible.day(at: opening.first))
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
      if case .active(let episode) = machine.state {
        note(episode, on: date(day), into: &result)
        cover(episode.level, on: day)
      }
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
    /// The place of the first observation of the episode.
    var first: Int
  }

  /// The next day, from `day` on, that can open an episode.
  private func nextOpening(from day: Int, through end: Int) -> Opening? {
    let settings = judge.settings
    let fresh = lastResolved == .min ? 0 : eligible.place(from: lastResolved + 1)
    for last in eligible.place(from: day)..<eligible.place(from: end + 1)
    where judge.mayOpen(on: last, of: eligible) {
      let day = Int(eligible.observations[last].index)
      let first = eligible.place(from: max(day - settings.horizonDays, adoptedSince))
      let count = last - first + 1
      let size = settings.poolSize(eligible: count)
      guard size > 0 else { continue }
      let guardCount = settings.guardCount(eligible: count)
      let pool = last + 1 - guardCount - size..<last + 1 - guardCount
      let anchor = judge.anchor(of: eligible.observations[pool])
      let lowest = max(first, fresh)
      if let window = judge.decidingWindow(
        endingAt: last, of: eligible, longest: min(guardCount, last - lowest + 1),
        against: anchor), judge.isEnough(window, poolSize: size)
      {
        return Opening(
          last: last, pool: pool, anchor: anchor, window: window,
          first: judge.beginning(of: window, in: eligible, from: lowest))
      }
    }
    return nil
  }

  private mutating func begin(_ opening: Opening) {
    let (pool, found) = (opening.pool, opening.window)
    let day = eligible.day(at: opening.last)
    let since = eligible.day(at: opening.first)
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
        value: 100 * (1 - evidence.missedShare), start: eligible.day(at: found.first), end: day,
        count: found.count))
    follow(evidence, figures, known: stored.first { $0.activeSince == since })
  }

  private mutating func follow(
    _ evidence: DoseEvidence, _ figures: EpisodeFigures, known: Episode?
  ) {
    let opened = series.place(from: index(of: evidence.openedOn) + 1) - 1
    current = Current(
      evidence: evidence, figures: figures,
      course: DoseCourse(of: evidence, endingAt: opened, of: series, by: judge),
      recordedBefore: known?.doses?.recordedOn)
  }

  // MARK: While an episode is active

  /// The verdict of a day, whose doses the course of the episode takes in.
  private mutating func verdict(on day: Int) -> DayVerdict {
    if day > lastIndex { return .over }
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
    if let covered = current?.coveredLevel, covered >= episode.level { return }
    let (figures, isCovered) = (current?.figures, isCovered(index(of: day)))
    current?.levels.reach(
      episode.level, on: day, duration: episode.duration, figures: figures, isCovered: isCovered,
      into: &result)
  }

  private func isCovered(_ day: Int) -> Bool { covering.contains { $0.contains(day) } }

  /// Takes into account that another alert stands for the level of a day: it is not sent later.
  private mutating func cover(_ level: AlertLevel, on day: Int) {
    guard !covering.isEmpty, isCovered(day) else { return }
    let before = current?.coveredLevel
    current?.coveredLevel = .highest(before, level)
  }

  private mutating func emit(
    _ episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?,
    into result: inout FoldResult
  ) {
    guard let ended = current else { return }
    var folded = Episode(episode, figures: ended.figures, resolution: resolution)
    var evidence = ended.evidence
    // Records before the loaded days are known from the row.
    let before = ended.recordedBefore.flatMap { $0 < window.loaded.lowerBound ? $0 : nil }
    evidence.recordedOn =
      before
      ?? series.firstRecorded(
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
    follow(evidence, active.figures, known: active)
    var state = EpisodeMachine.ActiveEpisode(
      opening: active.activeSince, on: evidence.openedOn)
    // As it was active on the eve, no day up to then ends it.
    let opened = index(of: evidence.openedOn)
    let rest = series.place(from: opened + 1)
    var covered = max(opened, 0)
    for place in rest..<max(rest, series.place(from: index(of: eve) + 1)) {
      let day = Int(series.observations[place].index)
      for earlier in covered..<day { cover(state.level, on: earlier) }
      covered = day
      current?.course.take(series.observations[place])
      state.follow(series.day(at: place), counts: current?.course.isEasing == false)
    }
    for earlier in covered..<max(covered, index(of: eve) + 1) { cover(state.level, on: earlier) }
    return EpisodeMachine(settings: machineSettings, resuming: state)
  }
}
