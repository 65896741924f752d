import VigilModel

/// Follows the episodes of a person's metrics together (specification, evidence-person.md).
struct CombinedFold {
  let judge: CombinedJudge
  let machineSettings: EpisodeMachine.Settings
  let window: FoldWindow
  /// The episodes of the series that the database holds, in order of `activeSince`.
  let stored: [Episode]
  /// Index of the series in the input.
  let seriesIndex: Int
  /// By member.
  let devices: [DeviceTimeline]
  /// By loaded day, 1 where the person was working out; nil for never.
  let workouts: UnsafeBufferPointer<UInt8>?
  /// By member, the observations that are not in an episode that has ended.
  private(set) var series: [EligibleSeries]
  /// By member, the place of the first observation after the day at hand.
  private(set) var ends: [Int]

  /// Index of the first day of the newest level that was adopted.
  private(set) var adoptedSince = Int.min
  /// Index of the day on which the last episode ended.
  private(set) var lastResolved = Int.min
  var current: Current?

  /// The active episode.
  struct Current {
    let evidence: CombinedEvidence
    /// The member of each contribution.
    let members: [Int]
    let isSuppressedOnWorkoutDays: Bool
    var course: CombinedCourse
    var levels = FollowedLevels()
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
    machineSettings: EpisodeMachine.Settings, window: FoldWindow, stored: [Episode],
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
    for member in series.indices { forget(member) }
  }

  /// - Parameters:
  ///   - explainsLastDay: Whether `result` gets the figures of the last day.
  ///   - result: Gets the episodes.
  mutating func run(explainsLastDay: Bool = false, into result: inout FoldResult) {
    if namesAnAbsentMetric {
      result.unjudgedSeries.insert(seriesIndex)
      return
    }
    var machine = resumedMachine()
    let last = index(of: window.folded.upperBound)
    var day = index(of: window.folded.lowerBound)
    while day <= last {
      advance(to: day)
      let explains = explainsLastDay && day == last
      if case .idle = machine.state {
        if explains { explain(.evidence(windows(on: day)), on: day, into: &result) }
        if let finding = opening(on: day) {
          let since = begin(finding, on: day)
          _ = machine.step(date(day), verdict: .deviating, rolling: .normal, runStart: date(since))
        }
      } else {
        let verdict = verdict(on: day)
        if explains, let recovery = recovery(on: day) {
          explain(.recovery(recovery), on: day, into: &result)
        }
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

  private func explain(
    _ figures: CombinedDay.Figures, on day: Int, into result: inout FoldResult
  ) {
    result.combinedDays[seriesIndex] = CombinedDay(day: date(day), figures: figures)
  }

  /// The course of the active episode after a day that it has taken in.
  private func recovery(on day: Int) -> CombinedDay.Recovery? {
    guard let current else { return nil }
    return CombinedDay.Recovery(
      hasValue: !values(on: day, of: current.members).isEmpty, evidence: current.course.evidence,
      isEasing: current.course.isEasing, calmDays: current.course.calmDays,
      level: current.course.level)
  }

  func index(of day: Day) -> Int { day - window.loaded.lowerBound }

  func date(_ index: Int) -> Day { window.loaded.lowerBound + index }

  private mutating func advance(to day: Int) {
    for member in series.indices {
      while ends[member] < series[member].count, Int(series[member].days[ends[member]]) <= day {
        ends[member] += 1
      }
    }
  }

  func hasValue(_ member: Int, on day: Int) -> Bool {
    ends[member] > 0 && Int(series[member].days[ends[member] - 1]) == day
  }

  /// Forgets what is known of the observations of a metric.
  private func forget(_ member: Int) {
    judge.members[member].screen.reset()
    judge.day.reset(member)
  }

  /// Takes the end of an episode into account.
  mutating func close(
    from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason
  ) {
    lastResolved = max(lastResolved, day)
    switch reason {
    case .recovered, .noData:
      for member in series.indices {
        series[member].remove(days: activeSince...day)
        forget(member)
        ends[member] = series[member].place(from: day + 1)
      }
    case .rebased: adoptedSince = max(adoptedSince, activeSince)
    case .recalibrated, .superseded, .retracted, .profileChanged, .left: break
    }
  }
}
