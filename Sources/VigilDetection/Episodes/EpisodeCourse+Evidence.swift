import VigilModel

extension EpisodeCourse {
  /// Judges the days of an episode under evidence again (specification, evidence.md section 5).
  init(
    of episode: Episode, _ evidence: EpisodeEvidence, in series: UnsafeBufferPointer<Double>,
    from firstDay: Day, workouts: UnsafeBufferPointer<UInt8>?, through last: Day,
    by judge: EvidenceJudge
  ) {
    self.init()
    let workouts = judge.isSuppressedOnWorkoutDays ? workouts : nil
    let workspace = EvidenceWorkspace(days: firstDay...firstDay + (series.count - 1))
    let eligible = workspace.load(series, for: judge)
    let opened = eligible.place(from: evidence.openedOn - firstDay + 1) - 1
    var course = EvidenceCourse(of: evidence, endingAt: opened, of: eligible, by: judge)
    var (lastValue, lastCounted) = (evidence.openedOn, evidence.openedOn)
    let end = min(last, episode.resolution?.day ?? last)
    var place = eligible.place(from: episode.activeSince - firstDay)
    while place < eligible.count, firstDay + Int(eligible.days[place]) <= end {
      let day = firstDay + Int(eligible.days[place])
      let (y, weekday) = (eligible.y[place], eligible.weekdays[place])
      if place > opened { course.take(y, weekday: weekday, day: eligible.days[place]) }
      let isWorkout = workouts?[day - firstDay] == 1
      let shift = judge.shift(of: y, weekday: weekday, from: evidence.anchor)
      let base = episode.figures.baseline.value
      if !isWorkout, day <= episode.lastDeviating, shift > 0,
        abs(base) > EpisodeFigures.zeroBaseline
      {
        // By the value itself, as people see it: shifts are clipped, and know weekdays.
        let deviation = (eligible.x[place] - base) / base
        if abs(deviation) > abs(worst?.deviation ?? 0) {
          worst = Worst(day: day, deviation: deviation)
        }
      }
      lastValue = max(lastValue, day)
      if course.isEasing || !isWorkout { lastCounted = day }
      if !course.isEasing, !isWorkout { lastDeviating = day }
      place += 1
    }
    guard episode.isActive, last > episode.lastDeviating else { return }
    if lastValue < last {
      wait = .noData(since: lastValue + 1)
    } else if course.isEasing {
      wait = .clean(days: course.calmDays, needed: judge.settings.recovery.calmDays)
    } else if lastCounted < last {
      wait = .workouts(since: lastCounted + 1)
    }
  }
}
