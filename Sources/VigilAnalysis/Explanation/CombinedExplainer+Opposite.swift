import VigilDetection
import VigilModel

/// Looks for the least change of the input that leads to the opposite answer, by deciding again with changed input.
extension CombinedExplainer {
  /// Days that are added at most.
  private static let mostDays = 60

  func opposite(
    of explanation: CombinedExplanation, _ series: [ExplainedSeries], _ past: Past
  ) -> CombinedExplanation.Opposite? {
    if explanation.isActive {
      if let value = value(turning: explanation, series, past) { return value }
      let anchors = explanation.after?.combined?.contributions ?? []
      return days(after: explanation.day, series, past, untilActive: false) { metric, day in
        guard let own = anchors.first(where: { $0.metric == metric.metric }) else { return nil }
        return metric.evidence?.usualValue(of: day, in: own.anchor)
      }.map(CombinedExplanation.Opposite.usualDays)
    }
    if explanation.isWorkoutDay {
      var rested = series
      for index in rested.indices { rested[index].workouts.remove(explanation.day) }
      if isActive(rested, past, on: explanation.day) { return .noWorkout }
    }
    if let value = value(turning: explanation, series, past) { return value }
    let newest = zip(metrics.map(\.metric), series).map { metric, own -> (MetricType, Double?) in
      let values = own.newestValues(3, upTo: explanation.day)
      return (metric, values.count == 3 ? values.reduce(0, +) / 3 : nil)
    }
    let means = Dictionary(newest, uniquingKeysWith: { $1 })
    return days(after: explanation.day, series, past, untilActive: true) { metric, _ in
      means[metric.metric] ?? nil
    }.map(CombinedExplanation.Opposite.daysLikeRecent)
  }

  /// The fewest days after `day`, filled by `value`, until an episode is active, or none is.
  private func days(
    after day: Day, _ series: [ExplainedSeries], _ past: Past, untilActive isWanted: Bool,
    value: (MetricThresholds, Day) -> Double?
  ) -> Int? {
    var series = series
    for count in 1...Self.mostDays {
      var hasValue = false
      for (index, metric) in metrics.enumerated() {
        guard let value = value(metric, day + count) else { continue }
        series[index][day + count] = value
        hasValue = true
      }
      guard hasValue else { return nil }
      if isActive(series, past, on: day + count) == isWanted { return count }
    }
    return nil
  }

  // MARK: Another value of the day

  /// The change of one metric's value that turns the answer: of several metrics the one whose value changes by the
  /// fewest personal spreads.
  private func value(
    turning explanation: CombinedExplanation, _ series: [ExplainedSeries], _ past: Past
  ) -> CombinedExplanation.Opposite? {
    let day = explanation.day
    var best: (spreads: Double, opposite: CombinedExplanation.Opposite)?
    for (index, metric) in metrics.enumerated() {
      guard let anchor = explanation.anchor(of: metric.metric), let evidence = metric.evidence
      else { continue }
      let known = explanation.values[metric.metric]
      let usual = evidence.usualValue(of: day, in: anchor)
      guard let far = known ?? (explanation.isActive ? nil : usual) else { continue }
      let near = explanation.isActive ? usual : worstValue(of: metric, series[index])
      func turns(_ value: Double) -> Bool {
        var changed = series
        changed[index][day] = value
        return isActive(changed, past, on: day) != explanation.isActive
      }
      guard far != near, turns(near), known != nil || !turns(far) else { continue }
      let limit = ValueLimit.between(near, far, turns)
      let spreads =
        abs(
          evidence.transform.transformed(limit) - evidence.transform.transformed(far))
        / anchor.spread
      guard spreads < best?.spreads ?? .infinity else { continue }
      best = (
        spreads,
        near < far ? .valueAtMost(metric.metric, limit) : .valueAtLeast(metric.metric, limit)
      )
    }
    return best?.opposite
  }

  /// The worst value that is taken for possible: nothing, or a value far above all others.
  private func worstValue(of metric: MetricThresholds, _ series: ExplainedSeries) -> Double {
    if metric.pattern == .drop { return metric.plausible?.lowerBound ?? 0 }
    let most = series.values.lazy.filter { !$0.isNaN }.max() ?? 0
    return min(metric.plausible?.upperBound ?? .infinity, max(most, 1) * 4)
  }
}

extension CombinedExplanation {
  /// The usual values that a metric's day is judged against; nil where there are none.
  fileprivate func anchor(of metric: MetricType) -> EvidenceAnchor? {
    if let combined = (isActive ? after : before)?.combined {
      return combined.contributions.first { $0.metric == metric }?.anchor
    }
    guard case .evidence(let windows)? = figures else { return nil }
    return windows.lazy.flatMap(\.metrics).first { $0.metric == metric }?.anchor
  }
}
