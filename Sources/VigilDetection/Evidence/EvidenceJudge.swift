import CMath
import VigilKernels
import VigilModel

/// The constants of one metric under evidence, and the working memory of its statistics.
///
/// One thread uses one instance.
final class EvidenceJudge {
  let settings: EvidenceSettings
  let prior: MetricEvidence
  /// 1 where a rise is bad, -1 where a drop is: a shift in personal spreads times it is positive where bad.
  let direction: Double
  let isSuppressedOnWorkoutDays: Bool
  /// Compares a mean of raw values with the base.
  let rules: MetricJudge
  let residuals: AlignedBuffer<Double>
  /// Two figures of each weekday.
  let byWeekday: AlignedBuffer<Double>
  let lanes: LaneScreen
  let dayScreen: DayScreen

  init(_ metric: MetricThresholds, _ prior: MetricEvidence, _ settings: EvidenceSettings) {
    self.settings = settings
    self.prior = prior
    direction = metric.pattern == .drop ? -1 : 1
    isSuppressedOnWorkoutDays = metric.isSuppressedOnWorkoutDays
    rules = MetricJudge(metric, recentDays: 1, recoveryWithin: 0)
    residuals = AlignedBuffer(count: settings.baselineDays + 8)
    byWeekday = AlignedBuffer(count: 16)
    lanes = LaneScreen(settings, prior, direction: direction, rules: rules)
    dayScreen = DayScreen(settings, prior, direction: direction, rules: rules)
  }

  /// Puts values on the scale of the metric.
  func transform(_ x: UnsafePointer<Double>, into y: UnsafeMutablePointer<Double>, count: Int) {
    switch prior.transform {
    case .none: for index in 0..<count { y[index] = max(x[index], 0) }
    case .squareRoot: for index in 0..<count { y[index] = max(x[index], 0).squareRoot() }
    case .logarithm: for index in 0..<count { y[index] = log(max(x[index], 1)) }
    }
  }

  /// The shift of a value from what is usual, in personal spreads; positive is bad.
  @inline(__always)
  func shift(of y: Double, weekday: UInt8, from anchor: EvidenceAnchor) -> Double {
    let spreads = (y - anchor.mean - anchor.weekdays[Int(weekday)]) / anchor.spread
    return direction * min(max(spreads, -settings.clip), settings.clip)
  }

  /// The correlation with the day that is `days` later.
  @inline(__always)
  func correlation(_ autocorrelation: Double, over days: Int32) -> Double {
    if days == 1 { return autocorrelation }
    var (power, result, rest) = (autocorrelation, 1.0, days)
    while rest > 0 {
      if rest & 1 == 1 { result *= power }
      power *= power
      rest >>= 1
    }
    return result
  }
}

extension MetricJudge {
  /// Whether a rule matches a mean of raw values, with the tolerance of its kind (specification, evidence.md
  /// section 3).
  func matters(recent: Double, base: Double) -> Bool {
    for line in lines {
      if line.isRelative && base <= Self.zeroBaseline { continue }
      if line.kind == .absoluteDropBelow && recent >= base { continue }
      if sign * recent <= line.slope * (sign * base) + line.offset { return true }
    }
    return false
  }

  /// Whether a rule may match means that rounding can have changed by `slack`.
  func mayMatter(recent: Double, base: Double, slack: Double) -> Bool {
    let slack = slack + 1e-9 * (abs(recent) + abs(base))
    for line in lines {
      if line.isRelative && base + slack <= 0 { continue }
      if line.kind == .absoluteDropBelow && recent > base + slack { continue }
      if sign * recent <= line.slope * (sign * base) + line.offset + slack * (2 + abs(line.slope)) {
        return true
      }
    }
    return false
  }
}
