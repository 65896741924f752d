import VigilModel

/// The delays of a set of changes, each found after some days or missed.
///
/// ```swift
/// let delays = Delays([4, nil, 9, 6])
/// print(delays.found, delays.median.estimate, delays.quantile(0.9).estimate)  // 3 6.0 inf
/// ```
///
/// A delay is in calendar days from the first changed day to the opening; found on the first changed
/// day is 1. A missed change counts as later than every other, so its delay is infinite: leaving
/// misses out would favour a detector that finds only what is easy.
public struct Delays: Hashable, Sendable {
  /// Ascending, missed ones last.
  private let ascending: [Double]

  /// - Parameter delays: One for each change; nil for a missed one.
  public init(_ delays: [Int?]) {
    ascending = delays.map { $0.map(Double.init) ?? .infinity }.sorted()
  }

  public var count: Int { ascending.count }

  public var found: Int { ascending.count { $0.isFinite } }

  /// The share of changes that were found.
  public func share(confidence: Double = 0.95) -> ExactInterval {
    .binomial(successes: found, of: count, confidence: confidence)
  }

  public var median: ExactInterval { quantile(0.5) }

  /// Returns the smallest delay within which a share of the changes was found, infinite where fewer were.
  ///
  /// The interval comes from order statistics, which need no assumption on the distribution (David and
  /// Nagaraja, Order Statistics, 2003, section 7.1).
  ///
  /// - Parameters:
  ///   - share: Above 0, below 1.
  ///   - confidence: Above 0, below 1.
  /// - Returns: NaN for no changes.
  public func quantile(_ share: Double, confidence: Double = 0.95) -> ExactInterval {
    precondition(share > 0 && share < 1)
    guard count > 0 else { return ExactInterval(estimate: .nan, lower: .nan, upper: .nan) }
    let tail = (1 - confidence) / 2
    let place = Int(clamping: (share * Double(count)).rounded(.up)) - 1
    // The quantile lies below the k-th value with the probability of fewer than k values below it.
    var (lower, upper) = (place, place)
    while lower > 0, BinomialTail.atMost(lower, of: count, probability: share) > tail { lower -= 1 }
    while upper < count - 1, BinomialTail.atMost(upper, of: count, probability: share) < 1 - tail {
      upper += 1
    }
    return ExactInterval(
      estimate: ascending[max(0, place)], lower: ascending[lower], upper: ascending[upper])
  }
}
