import VigilModel

/// The rows that came after the blocks of some persons, until these are sent.
final class MetricTail: MetricRowSink {
  let wantsCreation: Bool
  private let columns: Int
  private var sources: [String] = []
  private var rows: [Row] = []
  /// A row after the other.
  private var values: [Double] = []
  /// By person, their rows.
  private var places: [Range<Int>]
  private var creation: Timestamp?

  private struct Row {
    var day: Day
    var source: Int
    var isOtherPositive: Bool
    var updatedAt: Timestamp?
    var createdAt: Timestamp?
  }

  init(persons: Int, columns: Int, wantsCreation: Bool) {
    self.columns = columns
    self.wantsCreation = wantsCreation
    places = Array(repeating: 0..<0, count: persons)
  }

  func index(ofSource name: String) -> Int {
    if let known = sources.firstIndex(of: name) { return known }
    sources.append(name)
    return sources.count - 1
  }

  func noteCreation(at instant: Timestamp?) { creation = instant }

  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
    isOtherPositive: Bool, updatedAt: Timestamp?
  ) {
    let first = places[person].isEmpty ? rows.count : places[person].lowerBound
    places[person] = first..<rows.count + 1
    rows.append(
      Row(
        day: day, source: source, isOtherPositive: isOtherPositive, updatedAt: updatedAt,
        createdAt: creation))
    self.values.append(contentsOf: values)
  }

  func send(_ person: Int, as index: Int, to sink: some MetricRowSink) {
    var source: (own: Int, other: Int)?
    values.withUnsafeBufferPointer { values in
      for place in places[person] {
        let row = rows[place]
        if source?.own != row.source {
          source = (row.source, sink.index(ofSource: sources[row.source]))
        }
        if wantsCreation { sink.noteCreation(at: row.createdAt) }
        sink.append(
          person: index, day: row.day, source: source?.other ?? 0,
          values: UnsafeBufferPointer(rebasing: values[place * columns..<(place + 1) * columns]),
          isOtherPositive: row.isOtherPositive, updatedAt: row.updatedAt)
      }
    }
  }
}
