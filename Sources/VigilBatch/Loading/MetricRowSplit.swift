import VigilDetection
import VigilModel
import VigilStorage
import VigilVitality

/// Gives every metric row both to the observations of detection and to the values that scores are
/// computed from, so that the rows are read once.
final class MetricRowSplit: MetricRowSink {
  /// The columns to read: the metrics of detection, then those that only scores need.
  let columns: [MetricType]

  private let observations: ObservationBuilder
  private let detectionCount: Int
  private let vitality: ObservationBlock
  /// By metric of `vitality`: its place among the values of a row; nil where the table has no such
  /// column.
  private let places: [Int?]
  /// One row of `vitality`.
  private let gathered: UnsafeMutableBufferPointer<Double>

  /// - Parameters:
  ///   - metrics: Those of `observations`, in their order.
  ///   - isAvailable: Whether the table has a metric; others are missing on all days.
  init(
    _ observations: ObservationBuilder, metrics: [MetricType], vitality: ObservationBlock,
    isAvailable: (MetricType) -> Bool
  ) {
    self.observations = observations
    self.vitality = vitality
    detectionCount = metrics.count
    let columns =
      metrics
      + VitalityMetric.columns.filter { !metrics.contains($0) && isAvailable($0) }
    self.columns = columns
    places = VitalityMetric.columns.map { columns.firstIndex(of: $0) }
    gathered = .allocate(capacity: places.count)
    gathered.initialize(repeating: .nan)
  }

  deinit { gathered.deallocate() }

  func index(ofSource name: String) -> Int { observations.index(ofSource: name) }

  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>, isWorn: Bool,
    updatedAt: Timestamp?
  ) {
    observations.append(
      person: person, day: day, source: source,
      values: UnsafeBufferPointer(rebasing: values[..<detectionCount]), isWorn: isWorn,
      updatedAt: updatedAt)
    guard vitality.days.contains(day) else { return }
    for (metric, place) in places.enumerated() {
      if let place { gathered[metric] = values[place] }
    }
    vitality.keepLargest(person: person, day: day, values: UnsafeBufferPointer(gathered))
  }
}
