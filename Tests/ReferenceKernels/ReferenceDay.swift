public import VigilDetection
public import VigilModel

/// Slow twin of the evaluation of a day: the specification's section 3 word by word, over a
/// dictionary, with means and deviations spelled out.
public struct ReferenceDay: Equatable {
  public var isDeviating = false
  public var isNormal = false
  public var isClean = false
  public var unknownReason: String?
  public var baselineDays: [Day] = []
  public var baseline: Double?
  public var recent: Double?
  public var deviation: Double?
  public var matched: [String] = []

  public init(
    _ values: [Day: Double], on day: Day, metric: MetricThresholds, thresholds: Thresholds,
    anchor: Double? = nil
  ) {
    let observed = values.keys.filter { $0 >= day - thresholds.horizonDays && $0 <= day }.sorted()
    let window = (0..<thresholds.recentDays).map { day - $0 }
    let hasRecent = window.allSatisfy { values[$0] != nil }
    if let anchor {
      guard hasRecent else {
        unknownReason = "gap_in_recent"
        return
      }
      baseline = anchor
    } else {
      guard observed.count >= thresholds.baseline.minTotalDays else {
        unknownReason = "insufficient_history"
        return
      }
      guard hasRecent else {
        unknownReason = "gap_in_recent"
        return
      }
      let pool = observed.dropLast(thresholds.recentDays).suffix(thresholds.baseline.maxDays)
      guard pool.count >= thresholds.baseline.minDays else {
        unknownReason = "insufficient_baseline"
        return
      }
      baselineDays = Array(pool)
      let numbers = pool.compactMap { values[$0] }
      switch thresholds.baseline.statistic {
      case .mean: baseline = numbers.reduce(0, +) / Double(numbers.count)
      case .median:
        let sorted = numbers.sorted()
        let half = sorted.count / 2
        baseline =
          sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
      }
    }
    let recent = window.compactMap { values[$0] }.reduce(0, +) / Double(window.count)
    let baseline = baseline ?? 0
    self.recent = recent
    deviation = abs(baseline) <= 1e-9 ? nil : (recent - baseline) / baseline
    let deviation = deviation
    func reached(_ amount: Double, _ threshold: Double) -> Bool {
      amount >= threshold - 1e-9 * max(1, abs(threshold))
    }
    for rule in metric.rules {
      let matches =
        switch rule.kind {
        case .percentDropAtLeast: deviation.map { reached(-$0, rule.threshold) } ?? false
        case .percentRiseAtLeast: deviation.map { reached($0, rule.threshold) } ?? false
        case .absoluteDropAtLeast: reached(baseline - recent, rule.threshold)
        case .absoluteRiseAtLeast: reached(recent - baseline, rule.threshold)
        case .absoluteDropBelow: !reached(recent, rule.threshold)
        }
      if matches { matched.append(rule.kind.rawValue) }
    }
    isDeviating = !matched.isEmpty
    isNormal = matched.isEmpty
    if isNormal, baseline > 1e-9, let deviation {
      let towardsWorse = metric.pattern == .drop ? -deviation : deviation
      isClean = !(towardsWorse > thresholds.recovery.within + 1e-9)
    }
  }
}
