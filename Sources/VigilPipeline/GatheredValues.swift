public import VigilModel

/// Some of the values of a row, in another order.
///
/// Keeps its memory from row to row; one thread uses one instance.
public final class GatheredValues {
  /// By metric: its place in a row; nil where the row has no such column.
  private let places: [Int?]
  private let values: UnsafeMutableBufferPointer<Double>

  /// - Parameters:
  ///   - metrics: The wanted metrics, in their order.
  ///   - columns: The metrics of a row.
  public init(_ metrics: [MetricType], among columns: some Collection<MetricType>) {
    let columns = Array(columns)
    places = metrics.map { columns.firstIndex(of: $0) }
    values = .allocate(capacity: metrics.count)
    values.initialize(repeating: .nan)
  }

  deinit { values.deallocate() }

  /// One value a metric, NaN where the row has no such column; valid until the next call.
  public func gather(_ row: UnsafeBufferPointer<Double>) -> UnsafeBufferPointer<Double> {
    for (metric, place) in places.enumerated() {
      if let place { values[metric] = row[place] }
    }
    return UnsafeBufferPointer(values)
  }
}
