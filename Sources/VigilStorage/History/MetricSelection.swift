import VigilModel

/// The columns of copies that a reading asks for.
struct MetricSelection {
  /// The places of the metrics, in the order in which they are asked for.
  let asked: [Int]
  /// The places of other measurements, where it matters whether one is above 0.
  let others: [Int]

  /// - Returns: Nil where the copies lack a metric.
  init?(_ metrics: [MetricType], of layout: MetricLayout, reportsWear: Bool) {
    let places = metrics.compactMap { layout.columns.firstIndex(of: $0) }
    guard places.count == metrics.count else { return nil }
    asked = places
    others = reportsWear ? layout.others(besides: metrics) : []
  }

  /// Whether a value shows that a device was worn; infinity is no number.
  @inline(__always)
  static func showsWear(_ value: Double) -> Bool { value > 0 && value <= 1e100 }
}
