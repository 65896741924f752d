package import VigilModel

/// An estimate with the interval that holds the true value in at least the asked share of experiments.
///
/// ```swift
/// let rate = ExactInterval.poisson(count: 10, exposure: 20)
/// print(rate.estimate)  // 0.5
/// let share = ExactInterval.binomial(successes: 81, of: 100, confidence: 0.99)
/// print(share.lower < 0.81, share.upper < 1)  // true true
/// ```
///
/// The intervals are exact: they invert the tail sums of the distribution and need no approximation
/// for small counts. Each side has half of the error.
public struct ExactInterval: Hashable, Sendable, Codable {
  public var estimate: Double
  public var lower: Double
  public var upper: Double

  public init(estimate: Double, lower: Double, upper: Double) {
    self.estimate = estimate
    self.lower = lower
    self.upper = upper
  }

  /// Returns the rate of a Poisson count and its interval (Garwood, Biometrika 28, 1936).
  ///
  /// - Parameters:
  ///   - count: Events, at least 0.
  ///   - exposure: Time at risk, above 0; the rate is in events per unit of it.
  ///   - confidence: Above 0, below 1.
  /// - Complexity: O(square root of `count`) for each of some 100 steps.
  public static func poisson(
    count: Int, exposure: Double, confidence: Double = 0.95
  ) -> ExactInterval {
    precondition(count >= 0 && exposure > 0 && confidence > 0 && confidence < 1)
    let tail = (1 - confidence) / 2
    let events = Double(count)
    let highest = events + 20 + 20 * (events + 1).squareRoot()
    let lower =
      count == 0
      ? 0
      : root(in: 0...events) { PoissonTail.atMost(count - 1, mean: $0) > 1 - tail }
    let upper = root(in: events...highest) { PoissonTail.atMost(count, mean: $0) > tail }
    return ExactInterval(
      estimate: events / exposure, lower: lower / exposure, upper: upper / exposure)
  }

  /// Returns the share of successes and its interval (Clopper and Pearson, Biometrika 26, 1934).
  ///
  /// - Parameters:
  ///   - successes: At least 0, at most `trials`.
  ///   - trials: Independent trials; of 0 trials the interval is 0...1 and the estimate NaN.
  ///   - confidence: Above 0, below 1.
  public static func binomial(
    successes: Int, of trials: Int, confidence: Double = 0.95
  ) -> ExactInterval {
    precondition(successes >= 0 && successes <= trials && confidence > 0 && confidence < 1)
    guard trials > 0 else { return ExactInterval(estimate: .nan, lower: 0, upper: 1) }
    let tail = (1 - confidence) / 2
    let share = Double(successes) / Double(trials)
    let lower =
      successes == 0
      ? 0
      : root(in: 0...share) {
        BinomialTail.atMost(successes - 1, of: trials, probability: $0) > 1 - tail
      }
    let upper =
      successes == trials
      ? 1
      : root(in: share...1) {
        BinomialTail.atMost(successes, of: trials, probability: $0) > tail
      }
    return ExactInterval(estimate: share, lower: lower, upper: upper)
  }

  /// Halves the range until both ends agree; `isBelow` is true below the root and false above it.
  private static func root(
    in range: ClosedRange<Double>, isBelow: (Double) -> Bool
  ) -> Double {
    var (low, high) = (range.lowerBound, range.upperBound)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if middle <= low || middle >= high { break }
      if isBelow(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

extension ExactInterval: JSONRepresentable {
  package var json: JSONValue {
    let fields: JSONFields = ["estimate": estimate, "lower": lower, "upper": upper]
    return fields.json
  }
}
