import VigilModel

/// Keeps the metric rows of some persons, for copies of them.
final class MetricRecorder: MetricRowSink {
  let layout: MetricLayout
  private(set) var sources: [String] = []

  // By row.
  private(set) var days: [Day] = []
  private(set) var sourceIndexes: [Int] = []
  private(set) var updates: [Timestamp?] = []
  private(set) var creations: [Timestamp?] = []
  /// A row after the other, each with a value for each column.
  private(set) var values: [Double] = []
  /// By person, their rows.
  private(set) var rows: [Range<Int>]

  private var creation: Timestamp?

  init(persons: Int, _ layout: MetricLayout) {
    self.layout = layout
    rows = Array(repeating: 0..<0, count: persons)
  }

  func index(ofSource name: String) -> Int {
    if let known = sources.firstIndex(of: name) { return known }
    sources.append(name)
    return sources.count - 1
  }

  var wantsCreation: Bool { true }

  func noteCreation(at instant: Timestamp?) { creation = instant }

  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
    isOtherPositive: Bool, updatedAt: Timestamp?
  ) {
    if rows[person].isEmpty { rows[person] = days.count..<days.count }
    rows[person] = rows[person].lowerBound..<days.count + 1
    days.append(day)
    sourceIndexes.append(source)
    updates.append(updatedAt)
    creations.append(creation)
    self.values.append(contentsOf: values)
  }

  /// Packs the rows of a person on some days.
  func packed(_ person: Int, on kept: ClosedRange<Day>) -> [UInt8] {
    let own = rows[person].filter { kept.contains(days[$0]) }
    var names: [String] = []
    let numbers = own.map { row -> Int64? in
      let name = sources[sourceIndexes[row]]
      if let known = names.firstIndex(of: name) { return Int64(known) }
      names.append(name)
      return Int64(names.count - 1)
    }
    var bytes: [UInt8] = []
    PackedBytes.append(UInt64(own.count), into: &bytes)
    PackedBytes.append(UInt64(names.count), into: &bytes)
    for name in names { PackedBytes.append(name, into: &bytes) }
    PackedNumbers.pack(own.map { Int64(days[$0].ordinal) }, into: &bytes)
    PackedNumbers.pack(numbers, into: &bytes)
    for instants in [updates, creations] {
      PackedNumbers.pack(
        own.map { instants[$0]?.microseconds }, units: [60_000_000, 1_000_000], into: &bytes)
    }
    let count = layout.columns.count
    for column in 0..<count {
      PackedNumbers.pack(own.map { values[$0 * count + column] }, into: &bytes)
    }
    PackedBytes.close(&bytes)
    return bytes
  }

  /// Sends the rows of a person on `sent` to another sink.
  func send(
    _ person: Int, as index: Int, on sent: ClosedRange<Day>, _ columns: MetricSelection,
    to sink: some MetricRowSink
  ) {
    let count = layout.columns.count
    var asked = columns.asked.map { _ in Double.nan }
    for row in rows[person] where sent.contains(days[row]) {
      let start = row * count
      for (place, column) in columns.asked.enumerated() { asked[place] = values[start + column] }
      let isOtherPositive = columns.others.contains {
        MetricSelection.showsWear(values[start + $0])
      }
      if sink.wantsCreation { sink.noteCreation(at: creations[row]) }
      let source = sink.index(ofSource: sources[sourceIndexes[row]])
      asked.withUnsafeBufferPointer {
        sink.append(
          person: index, day: days[row], source: source, values: $0,
          isOtherPositive: isOtherPositive, updatedAt: updates[row])
      }
    }
  }
}
