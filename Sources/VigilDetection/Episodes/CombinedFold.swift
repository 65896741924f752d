import VigilKernels
import VigilModel

/// Follows the episodes of a person's metrics together (specification, evidence-person.md).
struct CombinedFold {
  let judge: CombinedJudge
  let machineSettings: EpisodeMachine.Settings
  let window: FoldWindow
  /// The episodes of the series that the database holds, in order of `activeSince`.
  let stored: [StoredEpisode]
  /// Index of the series in the input.
  let seriesIndex: Int
  /// By member.
  let devices: [DeviceTimeline]
  /// By loaded day, 1 where the person was working out; nil for never.
  let workouts: UnsafeBufferPointer<UInt8>?
  /// By member, the observations that are not in an episode that has ended.
  private(set) var series: [EligibleSeries]
  /// By member, the place of the first observation after the day at hand.
  private var ends: [Int]

  /// Index of the first day of the newest level that was adopted.
  private var adoptedSince = Int.min
  /// Index of the day on which the last episode ended.
  private var lastResolved = Int.min
  private var current: Current?

  /// The active episode.
  private struct Current {
    let evidence: CombinedEvidence
    /// The member of each contribution.
    let members: [Int]
    let isSuppressedOnWorkoutDays: Bool
    var course: CombinedCourse
    var followed: FollowedEpisode
    /// The row with the same key.
    let stored: StoredEpisode?
  }

  /// - Parameters:
  ///   - series: By member.
  ///   - index: That of the combined series.
  ///   - judge: The constants.
  ///   - machineSettings: Those of evidence.
  ///   - window: The days to fold.
  ///   - stored: The stored episodes.
  ///   - deviceChanges: By member, in the order of their days.
  ///   - workouts: By loaded day.
  init(
    _ series: [EligibleSeries], index: Int, by judge: CombinedJudge,
    machineSettings: EpisodeMachine.Settings, window: FoldWindow, stored: [StoredEpisode],
    deviceChanges: [[DeviceChange]], workouts: UnsafeBufferPointer<UInt8>?
  ) {
    self.series = series
    seriesIndex = index
    self.judge = judge
    self.machineSettings = machineSettings
    self.window = window
    self.stored = stored
    devices = deviceChanges.map {
      DeviceTimeline(
        changes: $0, firstDay: window.loaded.lowerBound, horizonDays: judge.evidence.horizonDays)
    }
    self.workouts = workouts
    ends = Array(repeating: 0, count: series.count)
    for member in judge.members { member.screen.reset() }
  }

  mutating func run(into result: inout FoldResult) {
    var machine = resumedMachine()
    let last = index(of: window.folded.upperBound)
    var day = index(of: window.folded.lowerBound)
    while day <= last {
      advance(to: day)
      if case .idle = machine.state {
        if let finding = opening(on: day) {
          let since = begin(finding, on: day)
          _ = machine.step(date(day), verdict: .deviating, rolling: .normal, runStart: date(since))
        }
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
      if case .active(let episode) = machine.state { notify(episode, on: date(day), into: &result) }
      day += 1
    }
    if case .active(let episode) = machine.state { emit(episode, resolution: nil, into: &result) }
  }

  private func index(of day: Day) -> Int { day - window.loaded.lowerBound }

  private func date(_ index: Int) -> Day { window.loaded.lowerBound + index }

  private mutating func advance(to day: Int) {
    for member in series.indices {
      while ends[member] < series[member].count, Int(series[member].days[ends[member]]) <= day {
        ends[member] += 1
      }
    }
  }

  private func hasValue(_ member: Int, on day: Int) -> Bool {
    ends[member] > 0 && Int(series[member].days[ends[member] - 1]) == day
  }

  /// Takes the end of an episode into account.
  private mutating func close(
    from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason
  ) {
    lastResolved = max(lastResolved, day)
    switch reason {
    case .recovered, .noData:
      for member in series.indices {
        series[member].remove(days: activeSince...day)
        judge.members[member].screen.reset()
        ends[member] = series[member].place(from: day + 1)
      }
    case .rebased: adoptedSince = max(adoptedSince, activeSince)
    case .recalibrated, .superseded, .retracted, .profileChanged: break
    }
  }

  // MARK: Opening

  /// A day that deviates, with what is kept of it.
  private struct Opening {
    var finding: CombinedFinding
    var views: [CombinedView?]
  }

  /// The evidence of a day that opens an episode.
  private func opening(on day: Int) -> Opening? {
    let hasValue = setView(of: day)
    guard hasValue != 0 else { return nil }
    let memory = UnsafeBufferPointer(start: judge.day.takingPart.pointer, count: judge.day.windows)
    guard memory.contains(where: { $0 & ($0 - 1) != 0 && $0 & hasValue != 0 }) else { return nil }
    let needed = judge.mayContribute(hasValue: hasValue)
    guard needed != 0 else { return nil }
    let views = series.indices.map { member -> CombinedView? in
      guard needed & 1 << member != 0, let own = places(of: member, on: day) else { return nil }
      return judge.view(
        judge.members[member], own, counts: judge.day.counts(of: member), of: series[member])
    }
    guard let finding = judge.finding(hasValue: hasValue, views: views),
      !isSuppressed(finding.set, on: day)
    else { return nil }
    return Opening(finding: finding, views: views)
  }

  /// Sets the memory of the day: who takes part in which window, and how much evidence that can give.
  ///
  /// - Returns: The metrics in view with a value on the day.
  private func setView(of day: Int) -> Int {
    let since = lastResolved == .min ? Int.min : lastResolved + 1
    let takingPart = judge.day.takingPart.pointer
    takingPart.update(repeating: 0, count: judge.day.windows)
    var hasValue = 0
    for (place, member) in judge.members.enumerated() {
      guard let own = places(of: place, on: day) else { continue }
      let counts = judge.day.counts(of: place)
      judge.countWindows(own, of: series[place], day: day, since: since, into: counts)
      for window in 0..<judge.day.windows where counts[window] > 0 {
        takingPart[window] |= 1 << place
      }
      if self.hasValue(place, on: day) { hasValue |= 1 << place }
      let size = judge.evidence.poolSize(eligible: own.count)
      member.screen.bound(
        own, counts: counts, windows: judge.day.windows, of: series[place],
        trust: member.trust(poolSize: size), into: judge.day.bounds(of: place))
    }
    return hasValue
  }

  /// The eligible observations of a metric that is in view on `day`.
  private func places(of member: Int, on day: Int) -> CombinedPlaces? {
    let last = ends[member] - 1
    guard last >= 0, day - Int(series[member].days[last]) <= judge.settings.maxAgeDays else {
      return nil
    }
    let earliest = max(
      day - judge.evidence.horizonDays, adoptedSince, devices[member].since(on: day))
    let places = CombinedPlaces(first: series[member].place(from: earliest), last: last)
    guard places.count > 0, judge.evidence.poolSize(eligible: places.count) > 0 else { return nil }
    return places
  }

  private func isSuppressed(_ set: Int, on day: Int) -> Bool {
    guard workouts?[day] == 1 else { return false }
    return judge.members.enumerated().contains { place, member in
      set & 1 << place != 0 && member.isSuppressedOnWorkoutDays
    }
  }

  /// Begins an episode; returns its first day.
  private mutating func begin(_ opening: Opening, on day: Int) -> Int {
    let (finding, views) = (opening.finding, opening.views)
    var found: [(member: Int, contribution: CombinedEvidence.Contribution)] = []
    var unchanged: [MetricType] = []
    for (member, constants) in judge.members.enumerated()
    where finding.takingPart & 1 << member != 0 {
      guard finding.set & 1 << member != 0, let view = views[member],
        let own = view.windows[finding.window]
      else {
        unchanged.append(constants.metric)
        continue
      }
      found.append(
        (member, contribution(of: constants.metric, own, view, of: series[member])))
    }
    // Equal evidence leaves the order of the settings.
    found.sort {
      ($1.contribution.z, $0.member) < ($0.contribution.z, $1.member)
    }
    let evidence = CombinedEvidence(
      openedOn: date(day), windowDays: judge.settings.windowsDays[finding.window],
      evidence: finding.evidence, threshold: finding.threshold,
      contributions: found.map(\.contribution), unchanged: unchanged)
    let first = found.map { index(of: $0.contribution.recent.start) }.min() ?? day
    let known = stored.first { $0.episode.activeSince == date(first) }
    follow(evidence, stored: known)
    return first
  }

  private func contribution(
    of metric: MetricType, _ own: CombinedView.Window, _ view: CombinedView,
    of series: EligibleSeries
  ) -> CombinedEvidence.Contribution {
    func day(_ place: Int) -> Day { date(Int(series.days[place])) }
    let pool = view.pool.range
    return CombinedEvidence.Contribution(
      metric: metric, z: own.z, shift: own.shift,
      baseline: EpisodeFigures.Window(
        value: view.pool.base, start: day(pool.lowerBound), end: day(pool.upperBound - 1),
        count: pool.count),
      recent: EpisodeFigures.Window(
        value: own.recent, start: day(own.first), end: day(own.first + own.count - 1),
        count: own.count),
      anchor: view.pool.anchor)
  }

  // MARK: While an episode is active

  /// Makes an episode the active one, as it stood at the end of the day that opened it.
  private mutating func follow(_ evidence: CombinedEvidence, stored: StoredEpisode?) {
    var members: [Int] = []
    var contributions: [(CombinedEvidence.Contribution, EvidenceJudge)] = []
    for contribution in evidence.contributions {
      guard let member = judge.members.firstIndex(where: { $0.metric == contribution.metric })
      else { continue }
      members.append(member)
      contributions.append((contribution, judge.members[member].judge))
    }
    let set = members.reduce(0) { $0 | 1 << $1 }
    var course = CombinedCourse(
      contributions, redundancy: judge.redundancy(of: set), judge.settings.recovery)
    let opened = index(of: evidence.openedOn)
    let first = opened - evidence.windowDays + 1
    for (place, member) in members.enumerated() {
      let before = series[member].place(from: first) - 1
      if before >= 0 {
        course.follow(value(at: before, of: member, as: place), on: series[member].days[before])
      }
    }
    for day in first...opened {
      let values = values(on: day, of: members)
      if !values.isEmpty { course.begin(values, on: Int32(day)) }
    }
    current = Current(
      evidence: evidence, members: members,
      isSuppressedOnWorkoutDays: contributions.contains { $0.1.isSuppressedOnWorkoutDays },
      course: course, followed: FollowedEpisode(notifiedLevel: stored?.notifiedLevel),
      stored: stored)
  }

  private func value(at place: Int, of member: Int, as contribution: Int) -> CombinedCourse.Value {
    CombinedCourse.Value(
      member: contribution, y: series[member].y[place], weekday: series[member].weekdays[place])
  }

  /// The observations of some metrics on a day.
  private func values(on day: Int, of members: [Int]) -> [CombinedCourse.Value] {
    var found: [CombinedCourse.Value] = []
    for (contribution, member) in members.enumerated() {
      let place = series[member].place(from: day)
      if place < series[member].count, Int(series[member].days[place]) == day {
        found.append(value(at: place, of: member, as: contribution))
      }
    }
    return found
  }

  /// The verdict of a day, which the course of the episode takes in.
  private mutating func verdict(on day: Int) -> DayVerdict {
    guard let members = current?.members else { return .unknown }
    if members.contains(where: { devices[$0].isRecognized(on: day) }) {
      return [.normal, .recalibrated]
    }
    let values = values(on: day, of: members)
    if values.isEmpty { return .unknown }
    current?.course.take(values, on: Int32(day))
    guard let course = current?.course else { return .unknown }
    let verdict: DayVerdict =
      !course.isEasing ? .deviating : course.isOver ? [.normal, .clean] : .normal
    return isSuppressed(on: day) ? verdict.union(.suppressed) : verdict
  }

  /// Whether `day` is one on which workouts explain a change of a contributing metric.
  private func isSuppressed(on day: Int) -> Bool {
    workouts?[day] == 1 && current?.isSuppressedOnWorkoutDays == true
  }

  private mutating func notify(
    _ episode: EpisodeMachine.ActiveEpisode, on day: Day, into result: inout FoldResult
  ) {
    guard day >= window.notifying.lowerBound, current?.followed.hasNotified(episode.level) == false
    else { return }
    let withheld = current?.stored?.reasonToWithhold(on: day)
    guard current?.followed.plan(episode.level, withheld: withheld) == true else { return }
    result.notifications.append(
      FoldedNotification(
        episode: result.episodes.count, day: day, level: episode.level, deviation: nil,
        withheld: withheld))
  }

  private mutating func emit(
    _ episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?,
    into result: inout FoldResult
  ) {
    guard let ended = current else { return }
    var folded = Episode(
      episode, figures: EpisodeFigures(ended.evidence), resolution: resolution)
    folded.combined = ended.evidence
    ended.followed.add(folded, ofSeries: seriesIndex, to: &result)
    current = nil
  }

  // MARK: Resuming

  /// The machine as it stood before the first folded day: as for one metric (see `EvidenceFold`).
  private mutating func resumedMachine() -> EpisodeMachine {
    let eve = index(of: window.folded.lowerBound) - 1
    for known in stored where !known.isRetracted {
      guard let resolution = known.episode.resolution, index(of: resolution.day) <= eve else {
        continue
      }
      close(
        from: index(of: known.episode.activeSince), on: index(of: resolution.day),
        resolution.reason)
    }
    let active = stored.first { known in
      guard let evidence = known.episode.combined, index(of: evidence.openedOn) <= eve else {
        return false
      }
      guard let resolution = known.episode.resolution else { return true }
      return !known.isRetracted && index(of: resolution.day) > eve
    }
    guard let active, let evidence = active.episode.combined else {
      return EpisodeMachine(settings: machineSettings)
    }
    follow(evidence, stored: active)
    var state = EpisodeMachine.ActiveEpisode(
      opening: active.episode.activeSince, on: evidence.openedOn)
    let opened = index(of: evidence.openedOn)
    if opened < eve {
      for day in opened + 1...eve {
        let values = values(on: day, of: current?.members ?? [])
        if values.isEmpty { continue }
        current?.course.take(values, on: Int32(day))
        let counts = current?.course.isEasing == false && !isSuppressed(on: day)
        state.follow(date(day), counts: counts)
      }
    }
    return EpisodeMachine(settings: machineSettings, resuming: state)
  }
}
