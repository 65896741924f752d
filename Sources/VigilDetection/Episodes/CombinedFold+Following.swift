import VigilModel

extension CombinedFold {
  /// Makes an episode the active one, as it stood at the end of the day that opened it.
  mutating func follow(_ evidence: CombinedEvidence) {
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
    let opened = frame.index(of: evidence.openedOn)
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
      course: course)
  }

  func value(at place: Int, of member: Int, as contribution: Int) -> CombinedCourse.Value {
    CombinedCourse.Value(
      member: contribution, y: series[member].y[place], weekday: series[member].weekdays[place])
  }

  /// The observations of some metrics on a day.
  func values(on day: Int, of members: [Int]) -> [CombinedCourse.Value] {
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
  mutating func judged(_ day: Int) -> DayVerdict {
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
  func isSuppressed(on day: Int) -> Bool {
    workouts?[day] == 1 && current?.isSuppressedOnWorkoutDays == true
  }

  func row(
    of episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?
  ) -> Episode {
    guard let evidence = current?.evidence else {
      preconditionFailure("an active episode has evidence")
    }
    var row = Episode(episode, figures: EpisodeFigures(evidence), resolution: resolution)
    row.combined = evidence
    return row
  }
}
