import VigilModel

/// The unpacked rows of a copy.
struct HistoryRows: ~Copyable {
  private let count: Int
  private let sources: [String]
  private let days: PackedNumbers.Column
  private let sourceIndexes: PackedNumbers.Column
  private let updates: PackedNumbers.Column
  private let creations: PackedNumbers.Column
  private let columns: [PackedNumbers.Column]

  /// - Parameters:
  ///   - bytes: What `HistoryRecorder` has packed; they have to stay where they are.
  ///   - layout: The columns.
  /// - Returns: Nil where the bytes are damaged.
  init?(_ bytes: UnsafeRawBufferPointer, _ layout: HistoryLayout) {
    guard bytes.count >= 8 else { return nil }
    let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(8))
    var position = bytes.count - 8
    guard let digest = Self.word(bytes, at: &position), digest == Self.digest(of: body) else {
      return nil
    }
    position = 0
    guard let count = Self.word(body, at: &position).flatMap(Int.init(exactly:)),
      let sourceCount = Self.word(body, at: &position), sourceCount <= UInt64(count)
    else { return nil }
    var sources: [String] = []
    for _ in 0..<sourceCount {
      guard let length = Self.word(body, at: &position).flatMap(Int.init(exactly:)),
        length <= body.count - position
      else { return nil }
      sources.append(
        String(
          decoding: UnsafeRawBufferPointer(rebasing: body[position..<position + length]),
          as: UTF8.self))
      position += length
    }
    func next(_ kind: PackedNumbers.Kind) -> PackedNumbers.Column? {
      PackedNumbers.column(count, of: kind, in: body, at: &position)
    }
    guard count <= body.count || count == 0, let days = next(.integers),
      let sourceIndexes = next(.integers), let updates = next(.integers),
      let creations = next(.integers)
    else { return nil }
    var columns: [PackedNumbers.Column] = []
    for _ in layout.columns {
      guard let column = next(.doubles) else { return nil }
      columns.append(column)
    }
    guard position == body.count else { return nil }
    self.count = count
    self.sources = sources
    self.days = days
    self.sourceIndexes = sourceIndexes
    self.updates = updates
    self.creations = creations
    self.columns = columns
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, at position: inout Int) -> UInt64? {
    guard position + 8 <= bytes.count else { return nil }
    defer { position += 8 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// Sends the rows on `days` to a sink.
  ///
  /// - Parameter room: Memory that is used again from one copy to the next.
  /// - Complexity: O(rows * columns).
  borrowing func send(
    person: Int, on days: ClosedRange<Day>, _ wanted: HistoryColumns, room: inout [Double],
    to sink: some MetricRowSink
  ) {
    guard count > 0 else { return }
    let needed = wanted.asked + wanted.others.filter { !columns[$0].isEmpty }
    if room.count < count * columns.count {
      room = Array(repeating: .nan, count: count * columns.count)
    }
    room.withUnsafeMutableBufferPointer { room in
      guard let start = room.baseAddress else { return }
      for column in needed { columns[column].unpack(count, into: start + column * count) }
      for row in 0..<count {
        guard let ordinal = self.days.integer(row).flatMap(Int32.init(exactly:)) else { continue }
        let day = Day(ordinal: ordinal)
        guard days.contains(day), let source = sourceIndexes.integer(row),
          sources.indices.contains(Int(source))
        else { continue }
        wanted.send(
          person: person, day: day, source: sources[Int(source)],
          updatedAt: updates.integer(row).map(Timestamp.init(microseconds:)),
          createdAt: creations.integer(row).map(Timestamp.init(microseconds:)), to: sink
        ) { columns[$0].isEmpty ? .nan : start[$0 * count + row] }
      }
    }
  }

  /// A number that damaged bytes hardly have.
  static func digest(of bytes: some Collection<UInt8>) -> UInt64 {
    bytes.withContiguousStorageIfAvailable { digest(of: UnsafeRawBufferPointer($0)) }
      ?? digest(of: Array(bytes))
  }

  private static func digest(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var digest = UInt64(bytes.count)
    var position = 0
    while position + 8 <= bytes.count {
      let word = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      digest = (digest ^ word) &* 0x9E37_79B9_7F4A_7C15
      digest ^= digest >> 29
      position += 8
    }
    for byte in bytes[position...] { digest = (digest ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 }
    return digest
  }
}

/// The columns of copies that a reading asks for.
final class HistoryColumns {
  /// The places of the metrics, in the order in which they are asked for.
  let asked: [Int]
  /// The places of other measurements, where it matters whether one is above 0.
  let others: [Int]

  private let values: UnsafeMutableBufferPointer<Double>
  private let wantsCreation: Bool
  // Asked for by the million; nothing that a sink does can reach it.
  @exclusivity(unchecked) private var source: (name: String, index: Int)?

  /// - Returns: Nil where the copies lack a metric.
  init?(
    _ metrics: [MetricType], of layout: HistoryLayout, reportsWear: Bool, wantsCreation: Bool
  ) {
    let places = metrics.compactMap { layout.columns.firstIndex(of: $0) }
    guard places.count == metrics.count else { return nil }
    asked = places
    others = reportsWear ? layout.others(besides: metrics) : []
    self.wantsCreation = wantsCreation
    values = .allocate(capacity: metrics.count)
  }

  deinit { values.deallocate() }

  /// Sends one row, whose value of a column `value` gives.
  @inline(__always)
  func send(
    person: Int, day: Day, source name: String, updatedAt: Timestamp?, createdAt: Timestamp?,
    to sink: some MetricRowSink, value: (Int) -> Double
  ) {
    for (index, column) in asked.enumerated() { values[index] = value(column) }
    var isOtherPositive = false
    for column in others {
      let other = value(column)
      if other > 0, other <= 1e100 { isOtherPositive = true }
    }
    if source?.name != name { source = (name, sink.index(ofSource: name)) }
    if wantsCreation { sink.noteCreation(at: createdAt) }
    sink.append(
      person: person, day: day, source: source?.index ?? 0,
      values: UnsafeBufferPointer(values), isOtherPositive: isOtherPositive, updatedAt: updatedAt)
  }
}
