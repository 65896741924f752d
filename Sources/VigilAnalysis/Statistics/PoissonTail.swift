import CMath

/// Sums over the Poisson distribution.
enum PoissonTail {
  /// Returns the probability of at most `count` events; 0 for a negative `count`.
  ///
  /// Adds the terms of the smaller tail, from the largest down, so that none of the sum is lost.
  static func atMost(_ count: Int, mean: Double) -> Double {
    if count < 0 { return 0 }
    if mean <= 0 { return 1 }
    if Double(count) >= mean { return 1 - sum(from: count + 1, mean: mean, step: 1) }
    return sum(from: count, mean: mean, step: -1)
  }

  private static func sum(from first: Int, mean: Double, step: Int) -> Double {
    var events = first
    var term = exp(Double(first) * log(mean) - mean - lgamma(Double(first) + 1))
    var sum = 0.0
    while events >= 0, term > sum * 1e-18 {
      sum += term
      term *= step > 0 ? mean / Double(events + 1) : Double(events) / mean
      events += step
    }
    return sum
  }
}
