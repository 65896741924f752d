import Foundation
import TestSupport
import Testing
import VigilAdherence
import VigilModel

@testable import VigilStorage

/// Blocks of doses, with the rows after them, give back what a search of the rows finds, each row once.
@Suite struct DoseBlocksTests {
  private struct Row: Hashable {
    var id: UUID
    var medication: UUID
    var schedule: UUID?
    var status, zone: String
    var scheduledTime, actualTime, createdAt: Timestamp?

    init(_ dose: UncheckedDose) {
      (id, medication, schedule) = (dose.id, dose.medication, dose.schedule)
      status = String(decoding: dose.status, as: UTF8.self)
      zone = String(decoding: dose.zone, as: UTF8.self)
      (scheduledTime, actualTime) = (dose.scheduledTime, dose.actualTime)
      createdAt = dose.createdAt
    }

    func send(to sink: inout some DoseRowSink) {
      var (status, zone) = (status, zone)
      status.withUTF8 { status in
        zone.withUTF8 { zone in
          sink.add(
            UncheckedDose(
              id: id, medication: medication, schedule: schedule,
              status: UnsafeRawBufferPointer(status), scheduledTime: scheduledTime,
              actualTime: actualTime, zone: UnsafeRawBufferPointer(zone), createdAt: createdAt))
        }
      }
    }

    func isAt(_ times: ClosedRange<Timestamp>) -> Bool {
      [scheduledTime, actualTime].contains { $0.map(times.contains) == true }
    }
  }

  private struct Sink: DoseRowSink {
    var rows: [Row] = []

    mutating func add(_ row: UncheckedDose) { rows.append(Row(row)) }
  }

  private static let first = Day(ordinal: 20_000)
  private static let medication = UUID(name: "medication")
  private static let all = (first - 1_000).midnight...(first + 1_000).midnight

  /// A time within some 200 days, often one at which days or blocks meet.
  private static func time(
    _ edges: [Timestamp], _ random: inout SeededGenerator
  ) -> Timestamp? {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return nil
    case 1:
      return edges.randomElement(using: &random).map {
        Timestamp(microseconds: $0.microseconds + Int64.random(in: -1...1, using: &random))
      }
    default:
      let second = Int64.random(in: -20 * 86_400...200 * 86_400, using: &random)
      let time = first.midnight.adding(seconds: second)
      return Bool.random(using: &random) ? time : Timestamp(microseconds: time.microseconds + 123)
    }
  }

  private static func rows(
    _ edges: [Timestamp], _ random: inout SeededGenerator
  ) -> [Row] {
    let schedules = [nil, UUID(name: "a"), UUID(name: "b")]
    return (0..<Int.random(in: 0...150, using: &random)).map { index in
      let due = time(edges, &random)
      let near = due.map { $0.adding(seconds: Int64.random(in: -90_000...90_000, using: &random)) }
      var status =
        ["taken", "missed", "skipped", "rubbish", ""].randomElement(using: &random) ?? ""
      var zone = ["UTC", "Asia/Kolkata", "Nowhere"].randomElement(using: &random) ?? ""
      let id = UUID(name: "dose \(index) \(Int.random(in: 0..<1_000, using: &random))")
      let schedule = schedules.randomElement(using: &random) ?? nil
      let actual = Bool.random(using: &random) ? near : time(edges, &random)
      let created = time(edges, &random)
      return status.withUTF8 { status in
        zone.withUTF8 { zone in
          Row(
            UncheckedDose(
              id: id, medication: medication, schedule: schedule,
              status: UnsafeRawBufferPointer(status), scheduledTime: due, actualTime: actual,
              zone: UnsafeRawBufferPointer(zone), createdAt: created))
        }
      }
    }
  }

  @Test func blocksAndTheRestAreAllDosesOnce() {
    for seed in 0..<Repetitions.count(fast: 300, long: 20_000) {
      var random = SeededGenerator(seed: seed)
      var starts = [Self.first]
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        starts.append(starts[starts.count - 1] + Int.random(in: 1...40, using: &random))
      }
      let edges = starts.map(\.midnight)
      let rows = Self.rows(edges, &random)
      // A search may begin within the first block, and end within a later one.
      let from = edges[0].adding(
        seconds: Int64.random(in: 0...(Int64(starts[1] - starts[0]) * 86_400), using: &random))
      let through = from.adding(
        seconds: Int64.random(in: 0...(200 * 86_400), using: &random))
      var recorder = DoseRecorder([UUID(name: "another"), Self.medication], at: Self.all)
      for row in rows { row.send(to: &recorder) }
      let blocks = zip(starts, starts.dropFirst()).map { first, next in
        let days = first...(next - 1)
        return HistoryBlock(
          owner: Self.medication, days: days, rows: recorder.packed(1, on: days))
      }
      let end = edges[edges.count - 1]
      var sink = Sink()
      var unpacked = DoseBlocks()
      #expect(
        unpacked.send(blocks, of: Self.medication, at: from...through, until: end, to: &sink))
      if end <= through {
        for row in rows where row.isAt(max(from, end)...through) { row.send(to: &sink) }
      }
      let expected = rows.filter { $0.isAt(from...through) }
      #expect(sink.rows.count == expected.count, "seed \(seed)")
      #expect(Set(sink.rows) == Set(expected), "seed \(seed)")
      var whole = Sink()
      recorder.send(1, at: from...through, to: &whole)
      #expect(whole.rows == expected, "seed \(seed)")
    }
  }

  /// SQLite finds rows by the text of a time that is none; they are read from the rows each night.
  @Test func aRowWithoutATimeMakesItsMedicationUnclear() {
    var random = SeededGenerator(seed: 2)
    var recorder = DoseRecorder([Self.medication, UUID(name: "another")], at: Self.all)
    var rows = Self.rows([], &random).filter { $0.isAt(Self.all) }
    for row in rows { row.send(to: &recorder) }
    #expect(!rows.isEmpty && recorder.unclear.isEmpty)
    (rows[0].scheduledTime, rows[0].actualTime) = (nil, nil)
    rows[0].send(to: &recorder)
    #expect(recorder.unclear == [0])
  }

  /// That is how a night compares them.
  @Test func blocksOfEqualRowsAreEqualInAnyOrder() {
    var random = SeededGenerator(seed: 1)
    let rows = Self.rows([], &random)
    let days = (Self.first - 30)...(Self.first + 300)
    let packed = [rows, rows.reversed(), rows.shuffled(using: &random)].map { rows in
      var recorder = DoseRecorder([Self.medication], at: Self.all)
      for row in rows { row.send(to: &recorder) }
      return recorder.packed(0, on: days)
    }
    #expect(!rows.isEmpty)
    #expect(packed[0] == packed[1] && packed[1] == packed[2])
  }

  @Test func damagedBytesAreNoDoses() {
    for seed in 0..<Repetitions.count(fast: 300, long: 20_000) {
      var random = SeededGenerator(seed: seed)
      var recorder = DoseRecorder([Self.medication], at: Self.all)
      for row in Self.rows([], &random) { row.send(to: &recorder) }
      let days = (Self.first - 30)...(Self.first + 300)
      let sound = recorder.packed(0, on: days)
      var bytes = sound
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
      case 1: bytes.append(UInt8.random(in: 0...255, using: &random))
      default:
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] ^= UInt8.random(in: 1...255, using: &random)
      }
      var sink = Sink()
      var unpacked = DoseBlocks()
      let isWhole = unpacked.send(
        [sound, bytes].map { HistoryBlock(owner: Self.medication, days: days, rows: $0) },
        of: Self.medication, at: days.lowerBound.midnight...days.upperBound.midnight,
        until: days.upperBound.midnight, to: &sink)
      #expect(!isWhole && sink.rows.isEmpty, "seed \(seed)")
    }
  }
}
