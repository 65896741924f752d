import Foundation
import VigilAdherence
import VigilModel

/// Unpacks blocks of doses, and sends them to a sink; its memory is used again from one medication to the next.
///
/// A dose that was due in one block and taken in another is in both.
struct DoseBlocks {
  /// The digest of what blocks have: the version of their form.
  static let layout = 1

  /// The columns: schedules, statuses, zones, scheduled and actual times, creations.
  private static let columnCount = 6

  private var parsed: [Parsed] = []

  private struct Parsed {
    var days: ClosedRange<Day>
    var count: Int
    var schedules: UnsafeRawBufferPointer
    var statuses: [UnsafeRawBufferPointer]
    var zones: [UnsafeRawBufferPointer]
    var columns: [PackedNumbers.Column]
    var ids: UnsafeRawBufferPointer
  }

  /// Sends the doses of a medication that were due or taken at `times`, without those that were due or taken at one of them
  /// from `end` on; false where a block is damaged, and nothing was sent.
  ///
  /// - Complexity: O(rows).
  mutating func send(
    _ blocks: [HistoryBlock], of medication: UUID, at times: ClosedRange<Timestamp>,
    until end: Timestamp, to sink: inout some DoseRowSink
  ) -> Bool {
    parsed.removeAll(keepingCapacity: true)
    return parse(blocks[...], medication, times, until: end, to: &sink)
  }

  /// Parses the blocks, one within the other, so that the bytes of all stay where they are until they are sent.
  private mutating func parse(
    _ blocks: ArraySlice<HistoryBlock>, _ medication: UUID, _ times: ClosedRange<Timestamp>,
    until end: Timestamp, to sink: inout some DoseRowSink
  ) -> Bool {
    guard let block = blocks.first else {
      for block in parsed { Self.send(block, of: medication, times, until: end, to: &sink) }
      return true
    }
    return block.rows.withUnsafeBytes { bytes in
      guard let own = Self.parse(bytes, on: block.days) else { return false }
      parsed.append(own)
      return parse(blocks.dropFirst(), medication, times, until: end, to: &sink)
    }
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer, on days: ClosedRange<Day>) -> Parsed? {
    guard let body = PackedBytes.body(of: bytes) else { return nil }
    var position = 0
    func ids(_ count: Int) -> UnsafeRawBufferPointer? {
      guard 16 * count <= body.count - position else { return nil }
      defer { position += 16 * count }
      return UnsafeRawBufferPointer(rebasing: body[position..<position + 16 * count])
    }
    func texts() -> [UnsafeRawBufferPointer]? {
      guard let count = PackedBytes.count(in: body, at: &position) else { return nil }
      var texts: [UnsafeRawBufferPointer] = []
      for _ in 0..<count {
        guard let text = PackedBytes.text(in: body, at: &position) else { return nil }
        texts.append(text)
      }
      return texts
    }
    guard let count = PackedBytes.count(in: body, at: &position),
      let scheduleCount = PackedBytes.count(in: body, at: &position),
      let schedules = ids(scheduleCount), let statuses = texts(), let zones = texts()
    else { return nil }
    var columns: [PackedNumbers.Column] = []
    for _ in 0..<columnCount {
      guard let column = PackedNumbers.column(count, of: .integers, in: body, at: &position) else {
        return nil
      }
      columns.append(column)
    }
    guard let ids = ids(count), position == body.count else { return nil }
    return Parsed(
      days: days, count: count, schedules: schedules, statuses: statuses, zones: zones,
      columns: columns, ids: ids)
  }

  private static func send(
    _ block: Parsed, of medication: UUID, _ times: ClosedRange<Timestamp>, until end: Timestamp,
    to sink: inout some DoseRowSink
  ) {
    let first = block.days.lowerBound.midnight.microseconds
    let own = first..<(block.days.upperBound + 1).midnight.microseconds
    let wanted = times.lowerBound.microseconds...times.upperBound.microseconds
    let columns = block.columns
    let (schedules, statuses, zones) = (columns[0], columns[1], columns[2])
    let (scheduledTimes, actualTimes, creations) = (columns[3], columns[4], columns[5])
    for row in 0..<block.count {
      let (scheduled, actual) = (scheduledTimes.integer(row), actualTimes.integer(row))
      // The block with the last of its wanted times sends a dose.
      var last = Int64.min
      if let scheduled, wanted.contains(scheduled) { last = scheduled }
      if let actual, wanted.contains(actual) { last = max(last, actual) }
      guard last < end.microseconds, own.contains(last),
        let status = statuses.integer(row), block.statuses.indices.contains(Int(status)),
        let zone = zones.integer(row), block.zones.indices.contains(Int(zone))
      else { continue }
      let schedule = schedules.integer(row).flatMap { place -> UUID? in
        guard place >= 0, 16 * Int(place) < block.schedules.count else { return nil }
        return block.schedules.loadUnaligned(fromByteOffset: 16 * Int(place), as: UUID.self)
      }
      sink.add(
        UncheckedDose(
          id: block.ids.loadUnaligned(fromByteOffset: 16 * row, as: UUID.self),
          medication: medication, schedule: schedule, status: block.statuses[Int(status)],
          scheduledTime: scheduled.map(Timestamp.init(microseconds:)),
          actualTime: actual.map(Timestamp.init(microseconds:)), zone: block.zones[Int(zone)],
          createdAt: creations.integer(row).map(Timestamp.init(microseconds:))))
    }
  }
}
