import VigilDetection
import VigilModel

/// Looks for the least change of the input that leads to the opposite answer, by deciding again with
/// changed input.
extension DecisionExplainer {
  /// Days that are added at most.
  private static let mostDays = 60

  func opposite(of explanation: Explanation, _ past: Past) -> Opposite? {
    if metric.doses != nil { return oppositeOfDoses(explanation, past) }
    let usual = usualValue(of: explanation.day, explanation)
    if explanation.isActive {
      return valueThatCalms(explanation, past, usual: usual)
        ?? usualDays(explanation, past)
    }
    if explanation.isSuppressed {
      var series = past.series
      series.workouts.remove(explanation.day)
      if isActive(series, on: explanation.day, past) { return .noWorkout }
    }
    return valueThatOpens(explanation, past, usual: usual)
      ?? daysUntilJudged(explanation, past)
      ?? daysLikeRecent(explanation, past, usual: usual)
  }

  private func isActive(_ series: ExplainedSeries, on day: Day, _ past: Past) -> Bool {
    episodes(of: series, from: past.first, through: day).contains(where: \.isActive)
  }

  private func isActive(withValue value: Double, on day: Day, _ past: Past) -> Bool {
    var series = past.series
    series[day] = value
    return isActive(series, on: day, past)
  }

  // MARK: Doses

  /// Looks for days with all doses taken, or with all missed, as many as the newest day expects.
  private func oppositeOfDoses(_ explanation: Explanation, _ past: Past) -> Opposite? {
    let newest = past.series.doses.last { $0.isObservation }
    guard let expected = newest?.expected else { return nil }
    let day = explanation.day
    func fewest(_ counts: DoseCounts, isReached: (ExplainedSeries, Day) -> Bool) -> Int? {
      var series = past.series
      for count in 1...Self.mostDays {
        series.set(counts, on: day + count)
        if isReached(series, day + count) { return count }
      }
      return nil
    }
    let taken = DoseCounts(expected: expected, missed: 0, inferred: 0)
    let missed = DoseCounts(expected: expected, missed: expected, inferred: 0)
    if explanation.isActive {
      return fewest(taken) { !isActive($0, on: $1, past) }.map(Opposite.daysTaken)
    }
    return fewest(missed) { isActive($0, on: $1, past) }.map(Opposite.daysMissed)
  }

  // MARK: The value of the day

  /// The worst value that is taken for possible: nothing, or a value far above all others.
  private func worstValue(_ past: Past) -> Double {
    switch metric.pattern {
    case .drop: return metric.plausible?.lowerBound ?? 0
    case .rise, .worse, .silence, .medication, .belowLimit, .aboveLimit:
      let most = past.series.values.lazy.filter { !$0.isNaN }.max() ?? 0
      return min(metric.plausible?.upperBound ?? .infinity, max(most, 1) * 4)
    }
  }

  private func bestValue(_ past: Past) -> Double {
    switch metric.pattern {
    case .drop:
      let most = past.series.values.lazy.filter { !$0.isNaN }.max() ?? 0
      return min(metric.plausible?.upperBound ?? .infinity, max(most, 1) * 4)
    case .rise, .worse, .silence, .medication, .belowLimit, .aboveLimit:
      return metric.plausible?.lowerBound ?? 0
    }
  }

  private func valueThatOpens(
    _ explanation: Explanation, _ past: Past, usual: Double?
  ) -> Opposite? {
    guard let usual = explanation.value ?? usual else { return nil }
    let worst = worstValue(past)
    guard isActive(withValue: worst, on: explanation.day, past),
      !isActive(withValue: usual, on: explanation.day, past)
    else { return nil }
    return limit(from: worst, to: usual) { value in
      isActive(withValue: value, on: explanation.day, past)
    }
  }

  private func valueThatCalms(
    _ explanation: Explanation, _ past: Past, usual: Double?
  ) -> Opposite? {
    guard let value = explanation.value else { return nil }
    // A value far on the good side is no more likely than a usual one; it is the last resort.
    for candidate in [usual, bestValue(past)].compactMap({ $0 })
    where !isActive(withValue: candidate, on: explanation.day, past) {
      return limit(from: candidate, to: value) { value in
        !isActive(withValue: value, on: explanation.day, past)
      }
    }
    return nil
  }

  /// The value closest to `far` from which on, on the side of `near`, the answer is the wanted one.
  ///
  /// `near` has it and `far` has not.
  private func limit(
    from near: Double, to far: Double, _ isWanted: (Double) -> Bool
  ) -> Opposite {
    let wanted = ValueLimit.between(near, far, isWanted)
    return near < far ? .valueAtMost(wanted) : .valueAtLeast(wanted)
  }

  // MARK: Further days

  /// The fewest days after `day`, filled by `value`, after which `isReached` holds.
  private func fewestDays(
    after day: Day, _ past: Past, value: (Day) -> Double?,
    isReached: (ExplainedSeries, Day) -> Bool
  ) -> Int? {
    var series = past.series
    for count in 1...Self.mostDays {
      guard let value = value(day + count) else { return nil }
      series[day + count] = value
      if isReached(series, day + count) { return count }
    }
    return nil
  }

  private func usualDays(_ explanation: Explanation, _ past: Past) -> Opposite? {
    fewestDays(
      after: explanation.day, past,
      value: { day in
        guard let anchor = explanation.after?.evidence?.anchor, let evidence = metric.evidence
        else { return explanation.after?.figures.baseline.value }
        return evidence.usualValue(of: day, in: anchor)
      },
      isReached: { !isActive($0, on: $1, past) }
    ).map(Opposite.usualDays)
  }

  private func daysUntilJudged(_ explanation: Explanation, _ past: Past) -> Opposite? {
    guard explanation.judgement.isUnknown else { return nil }
    let newest = past.series.newestValues(3, upTo: explanation.day)
    let mean = newest.isEmpty ? 1 : newest.reduce(0, +) / Double(newest.count)
    return fewestDays(
      after: explanation.day, past, value: { _ in mean },
      isReached: { series, day in
        let earlier = episodes(of: series, from: past.first, through: day - 1)
        let then = Past(
          series: series, first: past.first, before: earlier.last(where: \.isActive),
          folded: earlier)
        return !judgement(of: series, on: day, then).isUnknown
      }
    ).map(Opposite.daysWithValue)
  }

  private func daysLikeRecent(
    _ explanation: Explanation, _ past: Past, usual: Double?
  ) -> Opposite? {
    let newest = past.series.newestValues(3, upTo: explanation.day)
    guard newest.count == 3, let usual else { return nil }
    let mean = newest.reduce(0, +) / 3
    // Where the newest days are no worse than usual, more of them lead to nothing.
    guard metric.pattern == .drop ? mean < usual : mean > usual else { return nil }
    return fewestDays(
      after: explanation.day, past, value: { _ in mean },
      isReached: { isActive($0, on: $1, past) }
    ).map { .daysLikeRecent($0, value: mean) }
  }
}

extension Explanation.Judgement {
  /// Whether the day could not be judged.
  public var isUnknown: Bool {
    switch self {
    case .means(let means):
      if case .unknown = means.evaluation.state { return true }
      return false
    case .evidence(let day):
      if case .unknown = day.state { return true }
      return false
    case .recovery(let day): return day.shift == nil
    case .doses(let day):
      if case .unknown = day.state { return true }
      return false
    case .doseRecovery(let day): return day.lastObservation != day.day
    }
  }
}
