import Foundation
import VigilModel

/// The correlation of the metrics' innovations on one day, from sums over people.
///
/// An innovation is the part of a day that the day before does not foretell: slow changes of two metrics would
/// otherwise look like a correlation of their days.
struct InnovationSums {
  /// The sums of two metrics over their common days.
  private struct Pair {
    var count = 0.0
    var (left, right) = (0.0, 0.0)
    var (leftSquares, rightSquares, products) = (0.0, 0.0, 0.0)

    mutating func add(_ a: Double, _ b: Double) {
      count += 1
      left += a
      right += b
      leftSquares += a * a
      rightSquares += b * b
      products += a * b
    }

    mutating func add(_ other: Pair, times weight: Double) {
      count += weight * other.count
      left += weight * other.left
      right += weight * other.right
      leftSquares += weight * other.leftSquares
      rightSquares += weight * other.rightSquares
      products += weight * other.products
    }

    /// Nil with fewer than 100 common days, and where one of the two does not vary.
    var correlation: Double? {
      guard count >= 100 else { return nil }
      let covariance = products - left * right / count
      let scale =
        ((leftSquares - left * left / count) * (rightSquares - right * right / count)).squareRoot()
      return scale > 0 ? covariance / scale : nil
    }
  }

  /// The number of samples of people that an interval rests on.
  private static let replicateCount = 1_000

  private let metricCount: Int
  private var people = 0
  private var pairs: [Pair]
  /// Pair by pair, the sums of samples of people.
  ///
  /// Each person is in a sample as often as a Poisson number with mean
  /// 1 says, which is a bootstrap that never needs all people at once (Hanley and MacGibbon, Computer Methods and
  /// Programs in Biomedicine 83, 2006).
  private var replicates: [[Pair]]

  init(metricCount: Int) {
    self.metricCount = metricCount
    let count = metricCount * (metricCount - 1) / 2
    pairs = Array(repeating: Pair(), count: count)
    replicates = Array(
      repeating: Array(repeating: Pair(), count: Self.replicateCount), count: count)
  }

  /// Adds one person.
  ///
  /// - Parameter fits: One for each metric; nil where the person has none.
  mutating func add(_ fits: [SeriesFit?]) {
    let innovations = fits.map { $0.map(Self.innovations(of:)) ?? [] }
    let weights = bootstrapWeights()
    for row in 0..<metricCount where !innovations[row].isEmpty {
      for column in row + 1..<metricCount {
        var own = Pair()
        var other = innovations[column][...]
        for (day, value) in innovations[row] {
          other = other.drop { $0.day < day }
          guard let first = other.first else { break }
          if first.day == day { own.add(value, first.value) }
        }
        guard own.count > 0 else { continue }
        let place = place(row, column)
        pairs[place].add(own, times: 1)
        for (index, weight) in weights.enumerated() where weight > 0 {
          replicates[place][index].add(own, times: weight)
        }
      }
    }
    people += 1
  }

  /// The correlation to the hundredth: 1 of a metric with itself, 0 where too little is known.
  func correlation(_ row: Int, _ column: Int) -> Double {
    if row == column { return 1 }
    return pairs[place(row, column)].correlation.map(Self.rounded) ?? 0
  }

  /// The 95 % percentile interval of the bootstrap over people; nil where too little is known.
  func interval(_ row: Int, _ column: Int) -> ClosedRange<Double>? {
    guard row != column, pairs[place(row, column)].correlation != nil else { return nil }
    let found = replicates[place(row, column)].compactMap(\.correlation).sorted()
    guard found.count >= Self.replicateCount / 2 else { return nil }
    let table = QuantileTable(values: found)
    return Self.rounded(table.value(at: 0.025))...Self.rounded(table.value(at: 0.975))
  }

  private func place(_ row: Int, _ column: Int) -> Int {
    let (first, second) = (min(row, column), max(row, column))
    return first * (2 * metricCount - first - 1) / 2 + second - first - 1
  }

  private func bootstrapWeights() -> [Double] {
    var stream = RandomStream(seed: 0, person: people, purpose: .bootstrap)
    return (0..<Self.replicateCount).map { _ in Double(stream.poisson()) }
  }

  private static func innovations(of fit: SeriesFit) -> [(day: Day, value: Double)] {
    let a = fit.autocorrelation ?? 0
    return zip(fit.residuals, fit.residuals.dropFirst()).compactMap { earlier, later in
      guard later.day - earlier.day == 1 else { return nil }
      let clipped = min(max(later.value - a * earlier.value, -3), 3)
      return (later.day, clipped / (1 - a * a).squareRoot())
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
