import CMath
public import VigilModel

extension MetricEvidence.Transform {
  /// The value in the metric's unit of one on the transformed scale; values below 0 count as 0.
  public func original(_ value: Double) -> Double {
    switch self {
    case .none: max(value, 0)
    case .squareRoot: max(value, 0) * max(value, 0)
    case .logarithm: exp(value)
    }
  }
}

extension MetricEvidence {
  /// The usual value of a day in the metric's unit, against which an anchor judges it.
  public func usualValue(of day: Day, in anchor: EvidenceAnchor) -> Double {
    transform.original(anchor.usual(onWeekday: day.weekday))
  }

  /// The values within one personal spread of what is usual.
  ///
  /// - Parameters:
  ///   - anchor: The usual values.
  ///   - day: The day whose weekday counts; nil for the mean of all.
  public func usualRange(in anchor: EvidenceAnchor, of day: Day? = nil) -> ClosedRange<Double> {
    let usual = day.map { anchor.usual(onWeekday: $0.weekday) } ?? anchor.mean
    return transform.original(usual - anchor.spread)...transform.original(usual + anchor.spread)
  }
}

extension EvidenceSettings {
  /// Whether a personal spread is mostly the metric's: the person's own values are too few, or vary too little, to
  /// say much of chance (specification, evidence.md section 2: s).
  ///
  /// - Parameters:
  ///   - spread: The personal spread.
  ///   - poolSize: The observations that it comes from.
  ///   - prior: The spread of the metric.
  public func isMostlyPrior(spread: Double, poolSize: Int, prior: Double) -> Bool {
    let squares = spread * spread * (spreadPriorDays + Double(poolSize))
    return spread <= spreadFloor * prior * (1 + 1e-9)
      || spreadPriorDays * prior * prior > squares / 2
  }
}
