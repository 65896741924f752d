import CMath

/// Student's t distribution, also with a fraction of degrees of freedom.
public enum StudentT {
  /// The value that the absolute value of a t variable exceeds with probability `tail`.
  ///
  /// From `P(|T| > t) = I_x(n / 2, 1 / 2)` with `x = n / (n + t^2)`: Abramowitz and Stegun, Handbook of
  /// Mathematical Functions, 26.7.1 with 26.5.27. Relative error below 1e-9.
  ///
  /// - Parameters:
  ///   - tail: Above 0, below 1, in both tails together.
  ///   - degreesOfFreedom: At least 0.5.
  /// - Complexity: O(1); some ten microseconds.
  public static func quantile(tail: Double, degreesOfFreedom: Double) -> Double {
    precondition(tail > 0 && tail < 1 && degreesOfFreedom >= 0.5)
    // The probability falls with t, and so rises with x; halving the exponent first finds x where
    // it is tiny.
    var (low, high) = (-1000.0, 0.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      let probability = regularizedBeta(exp(middle), degreesOfFreedom / 2, 0.5)
      if probability < tail { low = middle } else { high = middle }
    }
    let x = exp((low + high) / 2)
    return (degreesOfFreedom * -expm1((low + high) / 2) / x).squareRoot()
  }

  /// The regularised incomplete beta function `I_x(a, b)`.
  static func regularizedBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    let front = exp(
      lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    // The fraction converges fast on this side of the mean, and I_x(a, b) = 1 - I_(1-x)(b, a).
    return x < (a + 1) / (a + b + 2)
      ? front * betaFraction(x, a, b) / a : 1 - front * betaFraction(1 - x, b, a) / b
  }

  /// The continued fraction of DLMF 8.17.22 (https://dlmf.nist.gov/8.17.E22), by the modified method
  /// of Lentz.
  private static func betaFraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    func orTiny(_ value: Double) -> Double { value.magnitude < tiny ? tiny : value }
    var c = 1.0
    var d = 1 / orTiny(1 - (a + b) * x / (a + 1))
    var result = d
    for step in 1...500 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / orTiny(1 + even * d)
      c = orTiny(1 + even / c)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / orTiny(1 + odd * d)
      c = orTiny(1 + odd / c)
      let factor = d * c
      result *= factor
      if (factor - 1).magnitude < 1e-15 { break }
    }
    return result
  }
}
