import VigilModel

/// Follows the episodes of a person's metrics together (specification, evidence-person.md).
struct CombinedFold: EpisodeFold {
  var frame: FoldFrame
  let judge: CombinedJudge
  /// By member.
  let devices: [DeviceTimeline]
  /// By loaded day, 1 where the person was working out; nil for never.
  let workouts: UnsafeBufferPointer<UInt8>?
  /// By member, the observations that are not in an episode that has ended.
  private(set) var series: [EligibleSeries]
  /// By member, the place of the first observation after the day at hand.
  private(set) var ends: [Int]

  private(set) var past = EligibleDays()
  var current: Current?
  /// Whether `explained` gets the figures of the last day, which takes time.
  var explainsLastDay = false
  private(set) var explained: CombinedDay?

  /// The active episode.
  struct Current {
    let evidence: CombinedEvidence
    /// The member of each contribution.
    let members: [Int]
    let isSuppressedOnWorkoutDays: Bool
    var course: CombinedCourse
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
    frame = FoldFrame(machineSettings, over: window, stored: stored, series: index)
    self.series = series
    self.judge = judge
    devices = deviceChanges.map {
      DeviceTimeline(
        changes: $0, firstDay: window.loaded.lowerBound, horizonDays: judge.evidence.horizonDays)
    }
    self.workouts = workouts
    ends = Array(repeating: 0, count: series.count)
    for member in series.indices { forget(member) }
  }

  mutating func open(from day: Int, through last: Int) -> (day: Int, runStart: Day)? {
    for day in day...last {
      advance(to: day)
      if explainsLastDay, day == last {
        explained = CombinedDay(day: frame.date(day), figures: .evidence(windows(on: day)))
      }
      if let finding = opening(on: day) {
        return (day, frame.date(begin(finding, on: day)))
      }
    }
    return nil
  }

  mutating func verdict(on day: Int) -> (day: DayVerdict, rolling: DayVerdict) {
    advance(to: day)
    let verdict = judged(day)
    if explainsLastDay, frame.date(day) == frame.window.folded.upperBound,
      let recovery = recovery(on: day)
    {
      explained = CombinedDay(day: frame.date(day), figures: .recovery(recovery))
    }
    return (verdict, verdict.isUnknown ? .unknown : .normal)
  }

  /// The course of the active episode after a day that it has taken in.
  private func recovery(on day: Int) -> CombinedDay.Recovery? {
    guard let current else { return nil }
    return CombinedDay.Recovery(
      hasValue: !values(on: day, of: current.members).isEmpty, evidence: current.course.evidence,
      isEasing: current.course.isEasing, calmDays: current.course.calmDays,
      level: current.course.level)
  }

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

  mutating func close(
    from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason
  ) {
    guard past.close(from: activeSince, on: day, reason) else { return }
    for member in series.indices {
      series[member].remove(days: activeSince...day)
      forget(member)
      ends[member] = series[member].place(from: day + 1)
    }
  }
}
