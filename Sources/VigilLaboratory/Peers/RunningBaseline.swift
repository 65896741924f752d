/// The mean and the standard deviation of a person's earlier observations, the newest left out.
///
/// The charts EWMA and CUSUM are made for known parameters; this is what they have in practice.
struct RunningBaseline {
  private static let capacity = 60
  private static let guardCount = 7
  private static let fewest = 14

  /// Oldest first.
  private var values: [Double] = []

  /// Returns how far `y` lies from the baseline, in its standard deviations; nil while there are too few days.
  mutating func deviation(of y: Double, leastSpread: Double) -> Double? {
    defer {
      if values.count == Self.capacity + Self.guardCount { values.removeFirst() }
      values.append(y)
    }
    let count = values.count - Self.guardCount
    guard count >= Self.fewest else { return nil }
    return values.withUnsafeBufferPointer { values in
      var (sum, squares) = (0.0, 0.0)
      for index in 0..<count { sum += values[index] }
      let mean = sum / Double(count)
      for index in 0..<count { squares += (values[index] - mean) * (values[index] - mean) }
      let spread = (squares / Double(count - 1)).squareRoot()
      return (y - mean) / max(spread, leastSpread)
    }
  }
}
