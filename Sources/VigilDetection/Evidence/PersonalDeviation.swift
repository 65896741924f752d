import CMath
public import VigilModel

extension Thresholds {
  /// The distance of a day's value from what is usual, in personal spreads; positive is bad, and a day counts
  /// `evidence.clip` at most (specification, evidence.md section 2: u).
  ///
  /// - Parameters:
  ///   - value: In the metric's unit.
  ///   - metric: One of the profile's.
  ///   - day: The day, whose weekday counts.
  ///   - anchor: The usual values.
  /// - Returns: Nil where evidence does not follow the metric.
  public func deviation(
    of value: Double, of metric: MetricType, on day: Day, from anchor: EvidenceAnchor
  ) -> Double? {
    guard let own = metrics.first(where: { $0.metric == metric }), let prior = own.evidence else {
      return nil
    }
    let spreads =
      (prior.transform.transformed(value) - anchor.usual(onWeekday: day.weekday)) / anchor.spread
    return (own.pattern == .drop ? -1 : 1) * min(max(spreads, -evidence.clip), evidence.clip)
  }
}

extension MetricEvidence.Transform {
  /// The value on the transformed scale of one in the metric's unit.
  public func transformed(_ value: Double) -> Double {
    switch self {
    case .none: max(value, 0)
    case .squareRoot: max(value, 0).squareRoot()
    case .logarithm: log(max(value, 1))
    }
  }
}
