/// A distribution, as values at evenly spaced probabilities.
///
/// ```swift
/// let table = QuantileTable(of: [3, 1, 2, 5, 4], points: 5)
/// print(table.value(at: 0.5), table.value(at: 0.125))  // 3.0 1.5
/// ```
///
/// Such a table holds no row of a person: between few points, values are interpolated.
public struct QuantileTable: Hashable, Sendable, Codable {
  /// Ascending; the first is at probability 0, the last at 1.
  public var values: [Double]

  /// - Precondition: `values` is not empty and ascends.
  public init(values: [Double]) {
    precondition(!values.isEmpty && zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    self.values = values
  }

  /// The quantiles of a sample.
  ///
  /// - Parameters:
  ///   - sample: Finite values in any order, at least one.
  ///   - points: The size of the table, at least 2.
  public init(of sample: [Double], points: Int) {
    let sorted = QuantileTable(values: sample.sorted())
    values = (0..<points).map { sorted.value(at: Double($0) / Double(points - 1)) }
  }

  /// Returns the value below which the share `probability` lies; outside 0...1 the nearest end.
  public func value(at probability: Double) -> Double {
    let last = values.count - 1
    let place = min(max(probability, 0), 1) * Double(last)
    let index = min(Int(place), max(last - 1, 0))
    guard index < last else { return values[last] }
    return values[index] + (values[index + 1] - values[index]) * (place - Double(index))
  }

  /// The table with every value changed by an increasing function.
  public func map(_ transform: (Double) -> Double) -> QuantileTable {
    QuantileTable(values: values.map(transform))
  }
}
