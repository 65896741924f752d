/// The distribution of residuals as counts of narrow classes, for any number of days in the same memory.
struct ResidualCounts {
  /// In personal spreads; residuals beyond count as this.
  private static let limit = 20.0
  private static let perUnit = 100.0
  private var counts = [Int](repeating: 0, count: Int(2 * limit * perUnit) + 1)
  private var total = 0

  mutating func add(_ residual: Double) {
    let place = (min(max(residual, -Self.limit), Self.limit) + Self.limit) * Self.perUnit
    counts[Int(place.rounded())] += 1
    total += 1
  }

  /// Returns the quantiles, each within half a class of the exact one.
  ///
  /// - Precondition: There is at least one residual.
  func quantiles(points: Int) -> QuantileTable {
    var values: [Double] = []
    var (index, before) = (0, 0)
    for point in 0..<points {
      let rank = Double(point) / Double(points - 1) * Double(total - 1)
      while Double(before + counts[index] - 1) < rank.rounded(.down) {
        before += counts[index]
        index += 1
      }
      values.append(Double(index) / Self.perUnit - Self.limit)
    }
    return QuantileTable(values: values)
  }
}
