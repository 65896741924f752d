import VigilModel

/// Unpacks blocks of metric rows, and sends them to a sink; its memory is used again from one person to the next.
struct MetricBlocks {
  /// The columns before those of the metrics: days, sources, updates, creations.
  static let leading = 4

  /// Of the blocks of a person, one after the other.
  private var parsed: [Parsed] = []
  private var columns: [PackedNumbers.Column] = []
  private var sources: [Int] = []
  private var names = SourceIndexes()
  private var room: [Double] = []
  private var values: [Double] = []

  private struct Parsed {
    var count: Int
    var sources: Range<Int>
    /// The first of its columns.
    var column: Int
  }

  /// Forgets the sink of the reading before.
  mutating func begin() {
    names = SourceIndexes()
  }

  /// Sends the rows of a person on `days`; false where a block is damaged, and nothing was sent.
  ///
  /// - Complexity: O(rows * columns).
  mutating func send(
    _ blocks: [HistoryBlock], _ layout: MetricLayout, as person: Int, on days: ClosedRange<Day>,
    _ wanted: MetricSelection, to sink: some MetricRowSink
  ) -> Bool {
    parsed.removeAll(keepingCapacity: true)
    columns.removeAll(keepingCapacity: true)
    sources.removeAll(keepingCapacity: true)
    return parse(blocks[...], layout, person, on: days, wanted, to: sink)
  }

  /// Parses the blocks, one within the other, so that the bytes of all stay where they are until they are sent.
  private mutating func parse(
    _ blocks: ArraySlice<HistoryBlock>, _ layout: MetricLayout, _ person: Int,
    on days: ClosedRange<Day>, _ wanted: MetricSelection, to sink: some MetricRowSink
  ) -> Bool {
    guard let block = blocks.first else {
      for block in parsed { send(block, as: person, on: days, wanted, to: sink) }
      return true
    }
    return block.rows.withUnsafeBytes { bytes in
      parse(bytes, columnCount: layout.columns.count) { sink.index(ofSource: $0) }
        && parse(blocks.dropFirst(), layout, person, on: days, wanted, to: sink)
    }
  }

  private mutating func parse(
    _ bytes: UnsafeRawBufferPointer, columnCount: Int, indexOfSource: (String) -> Int
  ) -> Bool {
    guard let body = PackedBytes.body(of: bytes) else { return false }
    var position = 0
    guard let count = PackedBytes.count(in: body, at: &position),
      let sourceCount = PackedBytes.count(in: body, at: &position)
    else { return false }
    let firstSource = sources.count
    for _ in 0..<sourceCount {
      guard let name = PackedBytes.text(in: body, at: &position) else { return false }
      sources.append(names.index(of: name, ask: indexOfSource))
    }
    let block = Parsed(
      count: count, sources: firstSource..<sources.count, column: columns.count)
    for column in 0..<Self.leading + columnCount {
      guard
        let column = PackedNumbers.column(
          count, of: column < Self.leading ? .integers : .doubles, in: body, at: &position)
      else { return false }
      columns.append(column)
    }
    parsed.append(block)
    return position == body.count
  }

  private mutating func send(
    _ block: Parsed, as person: Int, on days: ClosedRange<Day>, _ wanted: MetricSelection,
    to sink: some MetricRowSink
  ) {
    let (count, first) = (block.count, block.column)
    guard count > 0 else { return }
    let others = wanted.others.filter { !columns[first + Self.leading + $0].isEmpty }
    let unpacked = wanted.asked.count + others.count
    if room.count < count * unpacked { room = Array(repeating: .nan, count: count * unpacked) }
    if values.count < wanted.asked.count {
      values = Array(repeating: .nan, count: wanted.asked.count)
    }
    let wantsCreation = sink.wantsCreation
    let askedCount = wanted.asked.count
    room.withUnsafeMutableBufferPointer { room in
      values.withUnsafeMutableBufferPointer { values in
        guard let start = room.baseAddress else { return }
        for (place, column) in wanted.asked.enumerated() {
          columns[first + Self.leading + column].unpack(count, into: start + place * count)
        }
        for (place, column) in others.enumerated() {
          columns[first + Self.leading + column]
            .unpack(count, into: start + (askedCount + place) * count)
        }
        let (dayColumn, sourceColumn) = (columns[first], columns[first + 1])
        let (updates, creations) = (columns[first + 2], columns[first + 3])
        for row in 0..<count {
          guard let ordinal = dayColumn.integer(row).flatMap(Int32.init(exactly:)) else { continue }
          let day = Day(ordinal: ordinal)
          guard days.contains(day), let source = sourceColumn.integer(row),
            source >= 0, source < block.sources.count
          else { continue }
          for place in 0..<askedCount { values[place] = start[place * count + row] }
          var isOtherPositive = false
          for place in askedCount..<unpacked
          where MetricSelection.showsWear(start[place * count + row]) { isOtherPositive = true }
          if wantsCreation {
            sink.noteCreation(at: creations.integer(row).map(Timestamp.init(microseconds:)))
          }
          sink.append(
            person: person, day: day, source: sources[block.sources.lowerBound + Int(source)],
            values: UnsafeBufferPointer(rebasing: values[..<askedCount]),
            isOtherPositive: isOtherPositive,
            updatedAt: updates.integer(row).map(Timestamp.init(microseconds:)))
        }
      }
    }
  }
}
