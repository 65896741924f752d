public import VigilModel

extension EpisodeCourse {
  /// Judges the days of a stored episode of several metrics again (specification, evidence-person.md section 5).
  ///
  /// - Parameters:
  ///   - episode: An episode with the evidence of several metrics.
  ///   - series: By metric, one value a day, NaN where missing; from the horizon of the episode's first day on.
  ///   - metrics: Those of the series, in their order.
  ///   - firstDay: The day of the first values.
  ///   - workouts: By day of the series, 1 where the person was working out; nil for never.
  ///   - last: The newest evaluated day, within the series.
  ///   - thresholds: The profile.
  ///   - sensitivity: The person's own.
  /// - Returns: Nil where the metrics are not followed together, a contributing one is not among them, or none has a
  ///   value.
  /// - Complexity: O(days * metrics).
  public init?(
    ofTogether episode: Episode, in series: [UnsafeBufferPointer<Double>],
    of metrics: [MetricThresholds], from firstDay: Day,
    workouts: UnsafeBufferPointer<UInt8>? = nil, through last: Day, by thresholds: Thresholds,
    for sensitivity: PersonalSensitivity = PersonalSensitivity()
  ) {
    guard let evidence = episode.combined, let count = series.first?.count, count > 0,
      let judge = FoldRules(thresholds, metrics: metrics, for: sensitivity).combined
    else { return nil }
    let days = firstDay...firstDay + (count - 1)
    let workspaces = judge.members.map { _ in EvidenceWorkspace(days: days) }
    defer { withExtendedLifetime(workspaces) {} }
    let loaded = zip(judge.members, workspaces).map { member, workspace in
      workspace.load(series[member.index], for: member.judge)
    }
    var fold = CombinedFold(
      loaded, index: 0, by: judge, machineSettings: EpisodeMachine.Settings(thresholds.evidence),
      window: FoldWindow(wholeHistory: days), stored: [], deviceChanges: loaded.map { _ in [] },
      workouts: workouts)
    fold.follow(evidence)
    guard let members = fold.current?.members, members.count == evidence.contributions.count,
      members.contains(where: { loaded[$0].count > 0 })
    else { return nil }
    self.init()
    var (lastValue, lastCounted) = (evidence.openedOn, evidence.openedOn)
    var day = max(episode.activeSince, firstDay)
    let end = min(last, episode.resolution?.day ?? last)
    while day <= end {
      defer { day = day + 1 }
      let index = fold.frame.index(of: day)
      let values = fold.values(on: index, of: members)
      if values.isEmpty { continue }
      if day > evidence.openedOn { fold.current?.course.take(values, on: Int32(index)) }
      let isSuppressed = fold.isSuppressed(on: index)
      lastValue = max(lastValue, day)
      if fold.current?.course.isEasing == true || !isSuppressed { lastCounted = day }
      if fold.current?.course.isEasing == false, !isSuppressed { lastDeviating = day }
      if !isSuppressed, day <= episode.lastDeviating { note(day, in: fold, evidence) }
    }
    worst = worstByMetric.values.max {
      (abs($0.deviation), $1.day) < (abs($1.deviation), $0.day)
    }
    guard episode.isActive, last > episode.lastDeviating, let course = fold.current?.course else {
      return
    }
    if lastValue < last {
      wait = .noData(since: lastValue + 1)
    } else if course.isEasing {
      wait = .clean(days: course.calmDays, needed: judge.settings.recovery.calmDays)
    } else if lastCounted < last {
      wait = .workouts(since: lastCounted + 1)
    }
  }

  /// Notes the day of each contributing metric that is further from usual than those before, by the value itself.
  private mutating func note(_ day: Day, in fold: CombinedFold, _ evidence: CombinedEvidence) {
    let index = fold.frame.index(of: day)
    for contribution in evidence.contributions {
      let base = contribution.baseline.value
      guard abs(base) > EpisodeFigures.zeroBaseline,
        let member = fold.judge.members.firstIndex(where: { $0.metric == contribution.metric })
      else { continue }
      let series = fold.series[member]
      let place = series.place(from: index)
      guard place < series.count, Int(series.days[place]) == index else { continue }
      let shift = fold.judge.members[member].judge.shift(
        of: series.y[place], weekday: series.weekdays[place], from: contribution.anchor)
      let deviation = (series.x[place] - base) / base
      if shift > 0, abs(deviation) > abs(worstByMetric[contribution.metric]?.deviation ?? 0) {
        worstByMetric[contribution.metric] = Worst(
          day: day, deviation: deviation, metric: contribution.metric)
      }
    }
  }
}
