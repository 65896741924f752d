import Foundation

/// The standard normal distribution.
package enum Normal {
  /// Returns the probability of a value of at most `x`.
  package static func cumulative(_ x: Double) -> Double { 0.5 * erfc(-x * 0.5.squareRoot()) }

  /// Returns the value below which a normal variable falls with `probability`; within -9...9.
  package static func quantile(_ probability: Double) -> Double {
    var (low, high) = (-9.0, 9.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if cumulative(middle) < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
