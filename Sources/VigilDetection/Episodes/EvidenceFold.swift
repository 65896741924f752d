import VigilKernels
import VigilModel

/// Follows the episodes of one series under evidence (specification, evidence.md).
struct EvidenceFold: EpisodeFold {
  var frame: FoldFrame
  let judge: EvidenceJudge
  let devices: DeviceTimeline
  /// By loaded day, 1 where the person was working out; nil where workouts do not matter.
  let workouts: UnsafeBufferPointer<UInt8>?
  /// The observations that are not in an episode that has ended.
  private(set) var series: EligibleSeries

  private var past = EligibleDays()
  /// The place of the next observation.
  private var place = 0
  private var current: Current?

  /// The active episode.
  private struct Current {
    let evidence: EpisodeEvidence
    let figures: EpisodeFigures
    var course: EvidenceCourse
  }

  init(
    _ series: EligibleSeries, index: Int, by judge: EvidenceJudge,
    machineSettings: EpisodeMachine.Settings, window: FoldWindow, stored: [Episode],
    deviceChanges: [DeviceChange], workouts: UnsafeBufferPointer<UInt8>?
  ) {
    frame = FoldFrame(machineSettings, over: window, stored: stored, series: index)
    self.series = series
    self.judge = judge
    devices = DeviceTimeline(
      changes: deviceChanges, firstDay: window.loaded.lowerBound,
      horizonDays: judge.settings.horizonDays)
    self.workouts = judge.isSuppressedOnWorkoutDays ? workouts : nil
  }

  // MARK: Eligible observations

  /// The first day whose observations count on `day`.
  private func firstEligibleDay(on day: Int) -> Int {
    max(day - judge.settings.horizonDays, past.adoptedSince, devices.since(on: day))
  }

  mutating func close(
    from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason
  ) {
    if past.close(from: activeSince, on: day, reason) { series.remove(days: activeSince...day) }
    place = series.place(from: day + 1)
  }

  // MARK: Opening

  /// A day that deviates, with all that is kept of it.
  private struct Opening {
    /// The place of the day's observation.
    var last: Int
    var pool: EvidencePool
    var window: EvidenceWindow
  }

  mutating func open(from day: Int, through last: Int) -> (day: Int, runStart: Day)? {
    guard let opening = nextOpening(through: last) else { return nil }
    place = opening.last + 1
    let day = Int(series.days[opening.last])
    begin(opening, day: day)
    return (day, frame.date(Int(series.days[opening.window.first])))
  }

  /// The next day, from the observation at `place` on, that can open an episode.
  private func nextOpening(through last: Int) -> Opening? {
    let end = series.place(from: last + 1)
    guard place < end else { return nil }
    let fresh = series.place(from: past.lastResolved == .min ? 0 : past.lastResolved + 1)
    let lanes = judge.lanes
    judge.dayScreen.reset()
    // From here on, observations are looked at in sections; before, one by one.
    var sectionsFrom = lanes.isUsable && isDense(from: place, to: end) ? place : end
    var (next, first) = (place, 0)
    var isLaid = false
    while next < end {
      if next < sectionsFrom {
        let run = next..<min(sectionsFrom, end)
        if let opening = opening(in: run, first: &first, fresh: fresh) { return opening }
        next = run.upperBound
        continue
      }
      if !isLaid {
        lay(from: next, to: end, fresh: fresh)
        isLaid = true
      }
      let section = section(from: next, before: end, first: &first)
      next = section.upperBound
      if section.isEmpty { continue }
      let firsts = lanes.firsts.pointer
      guard var rest = lanes.candidates(section, first: firsts) else {
        (next, first) = (section.lowerBound, firsts[0])
        sectionsFrom = next + Self.runLength
        continue
      }
      while rest != 0 {
        let index = rest.trailingZeroBitCount
        if let opening = opening(
          at: section.lowerBound + index, first: firsts[index], fresh: fresh)
        {
          return opening
        }
        rest &= rest - 1
      }
    }
    return nil
  }

  /// The observations that are looked at one by one where bounds of a section do not hold.
  private static let runLength = 48

  /// Whether most days have a value; gaps let shorter shifts count, and few days are left out by sections.
  private func isDense(from place: Int, to end: Int) -> Bool {
    let first = series.place(from: Int(series.days[place]) - judge.settings.horizonDays)
    let days = Int(series.days[end - 1] - series.days[first]) + 1
    return 6 * (end - first) >= 5 * days
  }

  private func lay(from place: Int, to end: Int, fresh: Int) {
    let earliest = max(Int(series.days[place]) - judge.settings.horizonDays, past.adoptedSince)
    judge.lanes.begin(
      series, places: series.place(from: earliest)..<end, fresh: fresh,
      dayCount: frame.window.loaded.upperBound - frame.window.loaded.lowerBound + 1)
  }

  /// The first day that can open an episode, of observations that are looked at one by one.
  private func opening(in places: Range<Int>, first: inout Int, fresh: Int) -> Opening? {
    let settings = judge.settings
    for last in places {
      let day = Int(series.days[last])
      // Not always forward: a device change that falls out of the horizon lets older values count again.
      first = series.place(from: firstEligibleDay(on: day), near: first)
      let eligible = last - first + 1
      let size = settings.poolSize(eligible: eligible)
      guard size > 0, workouts?[day] != 1 else { continue }
      let guardCount = settings.guardCount(eligible: eligible)
      let end = last + 1 - guardCount
      if judge.dayScreen.mayDeviate(
        last, pool: end - size..<end, longest: min(guardCount, last - max(fresh, first) + 1),
        of: series),
        let opening = opening(at: last, first: first, fresh: fresh)
      {
        return opening
      }
    }
    return nil
  }

  /// The next observations that can be judged together: the first ones that count for them do not come earlier from
  /// one to the next, as they do where a device change falls out of the horizon.
  ///
  /// - Parameter first: That of the observation before, or a guess.
  private func section(from start: Int, before end: Int, first: inout Int) -> Range<Int> {
    let settings = judge.settings
    let firsts = judge.lanes.firsts.pointer
    var (start, count, most) = (start, 0, 1)
    while start + count < end, count < most {
      let place = start + count
      let own = series.place(
        from: firstEligibleDay(on: Int(series.days[place])), near: first)
      if count > 0, own < first { break }
      first = own
      let size = settings.poolSize(eligible: place - own + 1)
      if size == 0 {
        if count > 0 { break }
        start += 1
        continue
      }
      // Short pools have little in common.
      if count == 0 { most = LaneScreen.length(poolSize: size) }
      firsts[count] = own
      count += 1
    }
    return start..<start + count
  }

  /// Computes a day in full.
  private func opening(at last: Int, first: Int, fresh: Int) -> Opening? {
    guard workouts?[Int(series.days[last])] != 1 else { return nil }
    let eligible = last - first + 1
    let guardCount = judge.settings.guardCount(eligible: eligible)
    let poolEnd = last + 1 - guardCount
    let size = judge.settings.poolSize(eligible: eligible)
    let pool = judge.pool(poolEnd - size..<poolEnd, of: series)
    return judge.deviatingWindow(
      endingAt: last, of: series, guardCount: guardCount, fresh: last - max(fresh, first) + 1,
      pool: pool
    ).map { Opening(last: last, pool: pool, window: $0) }
  }

  private mutating func begin(_ opening: Opening, day: Int) {
    let (pool, found) = (opening.pool, opening.window)
    let since = frame.date(Int(series.days[found.first]))
    let evidence = EpisodeEvidence(
      openedOn: frame.date(day), windowDays: found.count, z: found.z,
      threshold: judge.prior.thresholds.threshold(poolSize: pool.range.count),
      shift: found.shift, anchor: pool.anchor)
    let figures = EpisodeFigures(
      baseline: EpisodeFigures.Window(
        value: pool.base, start: frame.date(Int(series.days[pool.range.lowerBound])),
        end: frame.date(Int(series.days[pool.range.upperBound - 1])), count: pool.range.count),
      recent: EpisodeFigures.Window(
        value: found.recent, start: since, end: frame.date(day), count: found.count))
    current = Current(
      evidence: evidence, figures: figures,
      course: EvidenceCourse(of: evidence, endingAt: opening.last, of: series, by: judge))
  }

  // MARK: While an episode is active

  mutating func verdict(on day: Int) -> (day: DayVerdict, rolling: DayVerdict) {
    guard place < series.count, Int(series.days[place]) == day else { return (.unknown, .unknown) }
    defer { place += 1 }
    return (verdict(ofPlace: place, on: day), .normal)
  }

  /// The verdict of a day with a value, which the course of the episode takes in.
  private mutating func verdict(ofPlace place: Int, on day: Int) -> DayVerdict {
    if devices.isRecognized(on: day) { return [.normal, .recalibrated] }
    guard var course = current?.course else { return .unknown }
    course.take(series.y[place], weekday: series.weekdays[place], day: series.days[place])
    current?.course = course
    let verdict: DayVerdict =
      !course.isEasing ? .deviating : course.isOver ? [.normal, .clean] : .normal
    return workouts?[day] == 1 ? verdict.union(.suppressed) : verdict
  }

  var notedFigures: EpisodeFigures? { current?.figures }

  func row(
    of episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?
  ) -> Episode {
    guard let current else { preconditionFailure("an active episode has evidence") }
    var row = Episode(episode, figures: current.figures, resolution: resolution)
    row.evidence = current.evidence
    return row
  }

  // MARK: Resuming

  /// An episode that was active on the eve is replayed from its opening (specification, evidence.md section 8); as it
  /// was active then, no day ends it.
  mutating func resume() -> EpisodeMachine.ActiveEpisode? {
    closeEnded()
    defer { place = series.place(from: frame.index(of: frame.window.folded.lowerBound)) }
    guard let active = frame.stored.active(onEndOf: frame.eve), let evidence = active.evidence
    else { return nil }
    let opened = series.place(from: frame.index(of: evidence.openedOn) + 1) - 1
    var course = EvidenceCourse(of: evidence, endingAt: opened, of: series, by: judge)
    var state = EpisodeMachine.ActiveEpisode(opening: active.activeSince, on: evidence.openedOn)
    var place = opened + 1
    let eve = frame.index(of: frame.eve)
    while place < series.count, Int(series.days[place]) <= eve {
      let day = Int(series.days[place])
      course.take(series.y[place], weekday: series.weekdays[place], day: series.days[place])
      state.follow(frame.date(day), counts: !course.isEasing && workouts?[day] != 1)
      place += 1
    }
    current = Current(evidence: evidence, figures: active.figures, course: course)
    return state
  }
}
