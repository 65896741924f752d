import VigilModel

/// Keeps the metric rows of some persons, to send them later, and to make copies of them.
final class MetricRecorder: MetricRowSink {
  let wantsCreation: Bool
  private let columnCount: Int
  private var sources: [String] = []
  private var rows: [Row] = []
  /// A row after the other, each with a value for each column.
  private var values: [Double] = []
  /// By person, their rows.
  private var places: [Range<Int>]
  private var creation: Timestamp?

  private struct Row {
    var day: Day
    /// The place in `sources`.
    var source: Int
    var isOtherPositive: Bool
    var updatedAt: Timestamp?
    var createdAt: Timestamp?
  }

  init(persons: Int, columns: Int, wantsCreation: Bool) {
    columnCount = columns
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

  // MARK: Sending

  /// Sends the rows of a person to another sink, as they came.
  func send(_ person: Int, as index: Int, to sink: some MetricRowSink) {
    values.withUnsafeBufferPointer { values in
      for place in places[person] {
        let own = values[place * columnCount..<(place + 1) * columnCount]
        send(
          rows[place], as: index, UnsafeBufferPointer(rebasing: own),
          isOtherPositive: rows[place].isOtherPositive, to: sink)
      }
    }
  }

  /// Sends some columns of the rows of a person on `days`.
  func send(
    _ person: Int, as index: Int, on days: ClosedRange<Day>, _ columns: MetricSelection,
    to sink: some MetricRowSink
  ) {
    var asked = columns.asked.map { _ in Double.nan }
    for place in places[person] where days.contains(rows[place].day) {
      let start = place * columnCount
      for (place, column) in columns.asked.enumerated() { asked[place] = values[start + column] }
      let isOtherPositive = columns.others.contains {
        MetricSelection.showsWear(values[start + $0])
      }
      asked.withUnsafeBufferPointer {
        send(rows[place], as: index, $0, isOtherPositive: isOtherPositive, to: sink)
      }
    }
  }

  private func send(
    _ row: Row, as index: Int, _ values: UnsafeBufferPointer<Double>, isOtherPositive: Bool,
    to sink: some MetricRowSink
  ) {
    if sink.wantsCreation { sink.noteCreation(at: row.createdAt) }
    sink.append(
      person: index, day: row.day, source: sink.index(ofSource: sources[row.source]),
      values: values, isOtherPositive: isOtherPositive, updatedAt: row.updatedAt)
  }

  // MARK: Copies

  /// Packs the rows of a person on some days.
  func packed(_ person: Int, on days: ClosedRange<Day>) -> [UInt8] {
    let kept = places[person].filter { days.contains(rows[$0].day) }
    var names: [Int] = []
    let sources = kept.map { place -> Int64? in
      let source = rows[place].source
      if let known = names.firstIndex(of: source) { return Int64(known) }
      names.append(source)
      return Int64(names.count - 1)
    }
    var bytes: [UInt8] = []
    PackedBytes.append(UInt64(kept.count), into: &bytes)
    PackedBytes.append(UInt64(names.count), into: &bytes)
    for name in names { PackedBytes.append(self.sources[name], into: &bytes) }
    PackedNumbers.pack(kept.map { Int64(rows[$0].day.ordinal) }, into: &bytes)
    PackedNumbers.pack(sources, into: &bytes)
    for instants in [kept.map { rows[$0].updatedAt }, kept.map { rows[$0].createdAt }] {
      PackedNumbers.pack(
        instants.map { $0?.microseconds }, units: [60_000_000, 1_000_000], into: &bytes)
    }
    for column in 0..<columnCount {
      PackedNumbers.pack(kept.map { values[$0 * columnCount + column] }, into: &bytes)
    }
    PackedBytes.close(&bytes)
    return bytes
  }
}
