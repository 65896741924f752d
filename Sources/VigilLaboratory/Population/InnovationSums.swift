import VigilModel

/// The correlation of the metrics' innovations on one day, from sums over people.
///
/// See `CorrelationFit.correlation(between:)`, which has all days at hand.
struct InnovationSums {
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

    /// 0 with fewer than 100 common days, and where one of the two does not vary.
    var correlation: Double {
      guard count >= 100 else { return 0 }
      let covariance = products - left * right / count
      let scale =
        ((leftSquares - left * left / count) * (rightSquares - right * right / count)).squareRoot()
      return scale > 0 ? (covariance / scale * 100).rounded() / 100 : 0
    }
  }

  private let metricCount: Int
  private var pairs: [Pair]

  init(metricCount: Int) {
    self.metricCount = metricCount
    pairs = Array(repeating: Pair(), count: metricCount * metricCount)
  }

  /// Adds one person.
  ///
  /// - Parameter fits: One for each metric; nil where the person has none.
  mutating func add(_ fits: [SeriesFit?]) {
    let innovations = fits.map { $0.map(CorrelationFit.innovations(of:)) ?? [] }
    for row in 0..<metricCount where !innovations[row].isEmpty {
      for column in row + 1..<metricCount {
        var other = innovations[column][...]
        for (day, value) in innovations[row] {
          other = other.drop { $0.day < day }
          guard let first = other.first else { break }
          if first.day == day { pairs[row * metricCount + column].add(value, first.value) }
        }
      }
    }
  }

  func correlation(_ row: Int, _ column: Int) -> Double {
    row == column ? 1 : pairs[min(row, column) * metricCount + max(row, column)].correlation
  }
}
