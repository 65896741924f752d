/// The map from a standard normal number to a residual of the empirical distribution, as a table.
///
/// Laid over a Gaussian AR(1), it gives days that follow each other as those of the AR(1) and that have the
/// empirical distribution with its heavy tails.
struct ResidualShape: Sendable {
  private static let limit = 5.0
  private static let perUnit = 64.0
  private let values: [Double]

  init(_ residuals: QuantileTable) {
    let count = Int(2 * Self.limit * Self.perUnit) + 1
    values = (0..<count).map { index in
      residuals.value(at: Normal.cumulative(Double(index) / Self.perUnit - Self.limit))
    }
  }

  /// Returns the residual of a standard normal number, in personal spreads.
  @inline(__always)
  func residual(_ normal: Double) -> Double {
    let place = (min(max(normal, -Self.limit), Self.limit) + Self.limit) * Self.perUnit
    let index = min(Int(place), values.count - 2)
    return values.withUnsafeBufferPointer { values in
      values[index] + (values[index + 1] - values[index]) * (place - Double(index))
    }
  }
}
