import VigilModel
import VigilStorage

/// Keeps the values of one metric of one person as the rows have them, before sources are merged.
final class MetricRowRecorder: MetricRowSink {
  private var sources: [String] = []
  private(set) var rows: [(day: Day, source: String, value: Double)] = []

  func index(ofSource name: String) -> Int {
    if let known = sources.firstIndex(of: name) { return known }
    sources.append(name)
    return sources.count - 1
  }

  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
    isOtherPositive: Bool, updatedAt: Timestamp?
  ) {
    guard !values[0].isNaN else { return }
    rows.append((day, sources[source], values[0]))
  }
}
