public import VigilModel

/// The reason why a limit cannot be set for a person, or would have no effect.
public enum LimitFault: Hashable, Sendable {
  /// The metric is not measured by wearables.
  case notMeasured
  /// The profile has no such metric of wearables; it has these.
  case notFollowed([MetricType])
  /// No day can have such a value; days can have these.
  case impossible(ClosedRange<Double>)
  /// Its last day is before today.
  case over
  /// There is no name of who set it.
  case unnamed
  /// There is one of the same key.
  case taken(PersonLimit)
}

extension PersonLimit {
  /// Finds out whether a limit can be set.
  ///
  /// Others of the same metric and side are no fault: the gravest that a day meets counts (limits.md section 3).
  ///
  /// - Parameters:
  ///   - thresholds: The profile by which nights judge the person.
  ///   - today: The present day.
  ///   - others: The limits of the person.
  /// - Returns: The first fault; nil for none.
  public func fault(
    under thresholds: Thresholds, on today: Day, beside others: [PersonLimit]
  ) -> LimitFault? {
    guard limit.metric.canHaveLimits else { return .notMeasured }
    let followed = thresholds.wearableMetrics
    guard let metric = followed.first(where: { $0.metric == limit.metric }) else {
      return .notFollowed(followed.map(\.metric))
    }
    for range in [limit.metric.possibleValues, metric.plausible].compactMap(\.self)
    where !range.contains(limit.value) {
      return .impossible(range)
    }
    if days.upperBound < today { return .over }
    if setBy.allSatisfy(\.isWhitespace) { return .unnamed }
    return others.first { $0.hasKey(of: self) }.map(LimitFault.taken)
  }
}
