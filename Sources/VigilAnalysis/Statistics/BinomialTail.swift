import CMath

/// Sums over the binomial distribution.
enum BinomialTail {
  /// Returns the probability of at most `successes` in `trials`; 0 for a negative number.
  static func atMost(_ successes: Int, of trials: Int, probability: Double) -> Double {
    if successes < 0 { return 0 }
    if successes >= trials || probability <= 0 { return 1 }
    if probability >= 1 { return 0 }
    if Double(successes) >= Double(trials) * probability {
      return 1 - sum(from: successes + 1, of: trials, probability: probability, step: 1)
    }
    return sum(from: successes, of: trials, probability: probability, step: -1)
  }

  private static func sum(from first: Int, of trials: Int, probability: Double, step: Int) -> Double
  {
    let odds = probability / (1 - probability)
    let (count, all) = (Double(first), Double(trials))
    let ways = lgamma(all + 1) - lgamma(count + 1) - lgamma(all - count + 1)
    var term = exp(ways + count * log(probability) + (all - count) * log1p(-probability))
    var successes = first
    var sum = 0.0
    while successes >= 0, successes <= trials, term > sum * 1e-18 {
      sum += term
      let present = Double(successes)
      term *=
        step > 0
        ? (all - present) / (present + 1) * odds : present / (all - present + 1) / odds
      successes += step
    }
    return sum
  }
}
