public import VigilModel

extension EpisodeCourse {
  /// Judges the days of a stored episode again.
  ///
  /// - Parameters:
  ///   - series: One value a day, NaN where missing; from the horizon of the episode's first day
  ///     on.
  ///   - firstDay: The day of its first value.
  ///   - workouts: By day of the series, 1 where the person was working out; nil for never.
  ///   - last: The newest evaluated day, within the series.
  /// - Returns: Nil for a series without any value.
  /// - Complexity: O(days * horizon).
  public init?(
    of episode: Episode, in series: UnsafeBufferPointer<Double>, from firstDay: Day,
    workouts: UnsafeBufferPointer<UInt8>? = nil, through last: Day,
    by metric: MetricThresholds, of thresholds: Thresholds
  ) {
    guard let lastValue = series.lastIndex(where: { !$0.isNaN }) else { return nil }
    if let evidence = episode.evidence, let prior = metric.evidence {
      self.init(
        of: episode, evidence, in: series, from: firstDay, workouts: workouts, through: last,
        by: EvidenceJudge(metric, prior, thresholds.evidence))
      return
    }
    let judging = Judging(
      evaluator: DayEvaluator(metric, of: thresholds), series: series, firstDay: firstDay,
      workouts: metric.isSuppressedOnWorkoutDays ? workouts : nil,
      anchor: thresholds.baseline.mode == .anchored ? episode.figures.baseline : nil)
    self.init()
    let first = episode.activeSince + (thresholds.recentDays - 1)
    worst = judging.worst(of: episode, from: first)
    if first <= last { lastDeviating = judging.lastDeviating(in: first...last) }
    if episode.isActive, last > episode.lastDeviating {
      wait = judging.wait(
        after: episode.lastDeviating, through: last, lastValue: firstDay + lastValue,
        needed: thresholds.recovery.cleanDays(at: episode.level))
    }
  }

  /// One series with the baselines of its days.
  private struct Judging {
    let evaluator: DayEvaluator
    let series: UnsafeBufferPointer<Double>
    let firstDay: Day
    let workouts: UnsafeBufferPointer<UInt8>?
    let anchor: EpisodeFigures.Window?

    /// The evaluation of a day; nil outside the series.
    private func evaluation(on day: Day) -> DayEvaluation? {
      let index = day - firstDay
      guard series.indices.contains(index) else { return nil }
      return evaluator.evaluate(series, at: index, firstDay: firstDay, against: anchor)
    }

    private func isWorkout(_ day: Day) -> Bool { workouts?[day - firstDay] == 1 }

    func lastDeviating(in days: ClosedRange<Day>) -> Day? {
      days.last { evaluation(on: $0)?.state == .deviating && !isWorkout($0) }
    }

    func worst(of episode: Episode, from first: Day) -> Worst? {
      var worst: Worst?
      var day = first
      while day <= episode.lastDeviating {
        if let found = evaluation(on: day), found.state == .deviating, !isWorkout(day),
          let deviation = found.figures?.deviation,
          abs(deviation) > abs(worst?.deviation ?? 0)
        {
          worst = Worst(day: day, deviation: deviation)
        }
        day = day + 1
      }
      return worst
    }

    func wait(after lastDeviating: Day, through last: Day, lastValue: Day, needed: Int) -> Wait? {
      var (lastNotClean, lastKnown, lastCounted) = (lastDeviating, lastDeviating, lastDeviating)
      var day = lastDeviating + 1
      while day <= last {
        let found = evaluation(on: day)
        if found?.isClean != true { lastNotClean = day }
        if case .unknown = found?.state ?? .unknown(.gapInRecent) {} else { lastKnown = day }
        if found?.state != .deviating || !isWorkout(day) { lastCounted = day }
        day = day + 1
      }
      if lastKnown < last {
        return lastValue < last ? .noData(since: lastValue + 1) : .gaps(since: lastKnown + 1)
      }
      switch evaluation(on: last)?.state {
      case .deviating?:
        // Deviating without a workout: the input has changed since then, and the next run will
        // count the day.
        return isWorkout(last) ? .workouts(since: lastCounted + 1) : nil
      default: return .clean(days: last - lastNotClean, needed: needed)
      }
    }
  }
}
