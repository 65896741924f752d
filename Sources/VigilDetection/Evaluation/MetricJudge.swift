import VigilModel

/// Compares a recent window with a baseline under the rules of one metric.
///
/// Each rule is a straight line: with `r` the sum of the recent window and `b` the baseline, both
/// negated where a rise is bad, a rule matches when `r <= slope * b + offset`. Rules therefore cost
/// one multiplication and one comparison a day, and no division. The tolerance of the
/// specification, `1e-9 * max(1, |threshold|)`, is part of slope and offset.
struct MetricJudge: Sendable {
  /// One rule as a line over the baseline's *value*.
  struct Line: Sendable {
    var slope: Double
    var offset: Double
    /// Whether the rule needs a baseline that is not 0.
    var isRelative: Bool
    var kind: MetricRule.Kind
  }

  let lines: [Line]
  /// A normal day is clean when `r >= cleanSlope * b`.
  let cleanSlope: Double
  /// 1 where a drop is bad, -1 where a rise is.
  let sign: Double

  /// A baseline of this size or less counts as 0.
  static let zeroBaseline = EpisodeFigures.zeroBaseline

  static func tolerance(of threshold: Double) -> Double { 1e-9 * max(1, abs(threshold)) }

  init(_ metric: MetricThresholds, recentDays: Int, recoveryWithin: Double) {
    let days = Double(recentDays)
    let direction: Double = metric.pattern == .drop ? 1 : -1
    lines = metric.rules.map { rule in
      let tolerance = Self.tolerance(of: rule.threshold)
      switch rule.kind {
      case .percentDropAtLeast, .percentRiseAtLeast:
        // drop: recent <= baseline * (1 - t); rise: -recent <= -baseline * (1 + t)
        return Line(
          slope: days * (1 - direction * (rule.threshold - tolerance)), offset: 0,
          isRelative: true, kind: rule.kind)
      case .absoluteDropAtLeast, .absoluteRiseAtLeast:
        return Line(
          slope: days, offset: -days * (rule.threshold - tolerance), isRelative: false,
          kind: rule.kind)
      case .absoluteDropBelow:
        // Below means not having reached the threshold, so the tolerance narrows the rule; the
        // largest double under the limit turns "less than" into "at most".
        return Line(
          slope: 0, offset: (days * (rule.threshold - tolerance)).nextDown, isRelative: false,
          kind: rule.kind)
      }
    }
    cleanSlope = days * (1 - direction * (recoveryWithin + Self.tolerance(of: recoveryWithin)))
    sign = direction
  }

  /// Judges one day with any baseline, 0 and negative ones included.
  ///
  /// - Parameters:
  ///   - recentSum: Sum (not mean) of the recent window.
  ///   - baseline: Mean or median of the baseline.
  func verdict(recentSum: Double, baseline: Double) -> DayVerdict {
    for line in lines where matches(line, recentSum: recentSum, baseline: baseline) {
      return .deviating
    }
    let isClean =
      baseline > Self.zeroBaseline && sign * recentSum >= cleanSlope * (sign * baseline)
    return isClean ? [.normal, .clean] : .normal
  }

  /// The rules that match, in the order of the thresholds file.
  func matchedRules(recentSum: Double, baseline: Double) -> [MetricRule.Kind] {
    lines.filter { matches($0, recentSum: recentSum, baseline: baseline) }.map(\.kind)
  }

  @inline(__always)
  private func matches(_ line: Line, recentSum: Double, baseline: Double) -> Bool {
    let distance = sign * recentSum - (line.slope * (sign * baseline) + line.offset)
    guard line.isRelative else { return distance <= 0 }
    if baseline > Self.zeroBaseline { return distance <= 0 }
    // A deviation is a fraction of the baseline, so a negative baseline turns the comparison round.
    return baseline < -Self.zeroBaseline && distance >= 0
  }
}
