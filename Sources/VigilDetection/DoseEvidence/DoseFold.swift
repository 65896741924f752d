import VigilModel

/// Follows the episodes of missed doses of one person, or of one medication (specification, evidence-doses.md).
struct DoseFold: EpisodeFold {
  var frame: FoldFrame
  let judge: DoseJudge
  /// All observations.
  let series: DoseSeries
  /// Index of the last day on which a dose can be expected.
  private let lastIndex: Int
  /// Days on which an alert about all doses of the person is active, by index: this one is then not sent.
  private let covering: [Range<Int>]
  /// The observations that are not in an episode that has ended.
  private var eligible: DoseSeries

  private var past = EligibleDays()
  private var current: Current?

  /// The active episode.
  private struct Current {
    let evidence: DoseEvidence
    let figures: EpisodeFigures
    var course: DoseCourse
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
    frame = FoldFrame(
      EpisodeMachine.Settings(judge.settings, finding: judge.finding), over: window,
      stored: stored, series: index)
    self.series = series
    eligible = series
    self.judge = judge
    let first = window.loaded.lowerBound
    lastIndex = lastDay.map { $0 - first } ?? .max
    self.covering = covering.map { $0.lowerBound - first..<$0.upperBound - first }
  }

  mutating func close(
    from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason
  ) {
    if past.close(from: activeSince, on: day, reason) { eligible.remove(days: activeSince...day) }
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

  mutating func open(from day: Int, through last: Int) -> (day: Int, runStart: Day)? {
    guard let opening = nextOpening(from: day, through: last) else { return nil }
    begin(opening)
    return (Int(eligible.observations[opening.last].index), eligible.day(at: opening.first))
  }

  /// The next day, from `day` on, that can open an episode.
  private func nextOpening(from day: Int, through end: Int) -> Opening? {
    let settings = judge.settings
    let fresh = past.lastResolved == .min ? 0 : eligible.place(from: past.lastResolved + 1)
    for last in eligible.place(from: day)..<eligible.place(from: end + 1)
    where judge.mayOpen(on: last, of: eligible) {
      let day = Int(eligible.observations[last].index)
      let first = eligible.place(from: max(day - settings.horizonDays, past.adoptedSince))
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
    follow(evidence, figures)
  }

  private mutating func follow(_ evidence: DoseEvidence, _ figures: EpisodeFigures) {
    let opened = series.place(from: frame.index(of: evidence.openedOn) + 1) - 1
    current = Current(
      evidence: evidence, figures: figures,
      course: DoseCourse(of: evidence, endingAt: opened, of: series, by: judge))
  }

  // MARK: While an episode is active

  /// The verdict of a day, whose doses the course of the episode takes in.
  private mutating func judged(_ day: Int) -> DayVerdict {
    if day > lastIndex { return .over }
    let place = series.place(from: day)
    guard place < series.count, Int(series.observations[place].index) == day, var now = current
    else { return .unknown }
    now.course.take(series.observations[place])
    current = now
    if !now.course.isEasing { return .deviating }
    return now.course.isOver ? [.normal, .clean] : .normal
  }

  mutating func verdict(on day: Int) -> (day: DayVerdict, rolling: DayVerdict) {
    let verdict = judged(day)
    return (verdict, verdict.isUnknown ? .unknown : .normal)
  }

  mutating func note(
    _ episode: EpisodeMachine.ActiveEpisode, on day: Day, into result: inout FoldResult
  ) {
    let index = frame.index(of: day)
    let isNotified = current?.coveredLevel.map { $0 >= episode.level } ?? false
    if day >= frame.window.notifying.lowerBound, !isNotified {
      frame.levels.reach(
        episode.level, on: day, duration: episode.duration, figures: current?.figures,
        isCovered: isCovered(index), into: &result)
    }
    cover(episode.level, on: index)
  }

  private func isCovered(_ day: Int) -> Bool { covering.contains { $0.contains(day) } }

  /// Takes into account that another alert stands for the level of a day: it is not sent later.
  private mutating func cover(_ level: AlertLevel, on day: Int) {
    guard !covering.isEmpty, isCovered(day) else { return }
    let before = current?.coveredLevel
    current?.coveredLevel = .highest(before, level)
  }

  func row(
    of episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?
  ) -> Episode {
    guard let current else { preconditionFailure("an active episode has evidence") }
    var row = Episode(episode, figures: current.figures, resolution: resolution)
    var evidence = current.evidence
    // Records before the loaded days are known from the row.
    let before = evidence.recordedOn.flatMap {
      $0 < frame.window.loaded.lowerBound ? $0 : nil
    }
    evidence.recordedOn =
      before
      ?? series.firstRecorded(
        from: episode.activeSince, through: resolution?.day ?? frame.window.folded.upperBound)
    row.doses = evidence
    return row
  }

  // MARK: Resuming

  /// An episode that was active on the eve is replayed from its opening (specification, evidence-doses.md section 6);
  /// as it was active then, no day ends it.
  mutating func resume() -> EpisodeMachine.ActiveEpisode? {
    closeEnded()
    guard let active = frame.stored.active(onEndOf: frame.eve), let evidence = active.doses
    else { return nil }
    follow(evidence, active.figures)
    var state = EpisodeMachine.ActiveEpisode(opening: active.activeSince, on: evidence.openedOn)
    let (opened, end) = (frame.index(of: evidence.openedOn), frame.index(of: frame.eve) + 1)
    let rest = series.place(from: opened + 1)
    var covered = max(opened, 0)
    for place in rest..<max(rest, series.place(from: end)) {
      let day = Int(series.observations[place].index)
      for earlier in covered..<day { cover(state.level, on: earlier) }
      covered = day
      current?.course.take(series.observations[place])
      state.follow(series.day(at: place), counts: current?.course.isEasing == false)
    }
    for earlier in covered..<max(covered, end) { cover(state.level, on: earlier) }
    return state
  }
}
