import Foundation
import TestSupport
import Testing
import VigilModel

@testable import VigilStorage

/// Blocks of metric rows give back what they were made of.
@Suite struct MetricBlocksTests {
  /// A row as a sink gets it; doubles as their bits, so that NaN equals NaN, and -0 is not 0.
  private struct Row: Equatable {
    var person: Int
    var day: Day
    var source: String
    var values: [UInt64]
    var isOtherPositive: Bool
    var updatedAt, createdAt: Timestamp?
  }

  private final class Sink: MetricRowSink {
    var sources: [String] = []
    var rows: [Row] = []
    var creation: Timestamp?

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
      rows.append(
        Row(
          person: person, day: day, source: sources[source],
          values: values.map { ($0.isNaN ? .nan : $0).bitPattern },
          isOtherPositive: isOtherPositive, updatedAt: updatedAt, createdAt: creation))
    }
  }

  private static let columns = ["steps", "sleep_minutes", "worn_minutes", "hrv_ms"]
  private static let layout = MetricLayout(columns.map { MetricType($0) })
  private static let first = Day(ordinal: 20_000)

  private static func number(_ kind: Int, _ random: inout SeededGenerator) -> Double {
    switch kind {
    case 0: .nan
    case 1: Double(Int.random(in: 0...250, using: &random))
    case 2: Double(Int.random(in: -30_000...300_000, using: &random))
    case 3: Double(Int.random(in: 0...9_999, using: &random)) / 10
    case 4: (Double(Int.random(in: -9_999_999...9_999_999, using: &random)) / 1000)
    case 5: Double.random(in: -1e3...1e3, using: &random)
    default:
      [.infinity, -.infinity, -0.0, 0, 1e300, 0x1p53, .leastNonzeroMagnitude, 255, 65_535]
        .randomElement(using: &random) ?? 0
    }
  }

  private static func recorder(_ random: inout SeededGenerator) -> MetricRecorder {
    let recorder = MetricRecorder(persons: 1, columns: columns.count, wantsCreation: true)
    // A column mostly has values of one kind; some are mixed.
    let kinds = columns.map { _ in Int.random(in: 0...6, using: &random) }
    let isMixed = Int.random(in: 0..<3, using: &random) == 0
    var day = first
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      day = day + Int.random(in: 0...3, using: &random)
      let source = recorder.index(
        ofSource: ["watch", "phone", "Ring é", ""].randomElement(using: &random) ?? "")
      let second = Int64.random(in: 0...2_000_000_000, using: &random)
      func instant() -> Timestamp? {
        switch Int.random(in: 0...3, using: &random) {
        case 0: nil
        case 1: Timestamp(microseconds: second * 1_000_000)
        default: Timestamp(microseconds: second * 1_000_000 + 7)
        }
      }
      recorder.noteCreation(at: instant())
      let updated = instant()
      let values = kinds.map { kind in
        number(
          Int.random(in: 0..<6, using: &random) == 0
            ? 0 : isMixed ? Int.random(in: 0...6, using: &random) : kind, &random)
      }
      values.withUnsafeBufferPointer {
        recorder.append(
          person: 0, day: day, source: source, values: $0, isOtherPositive: false,
          updatedAt: updated)
      }
    }
    return recorder
  }

  private static func unpacked(
    _ bytes: [[UInt8]], on days: ClosedRange<Day>, _ metrics: [String], reportsWear: Bool
  ) throws -> [Row]? {
    let sink = Sink()
    let wanted = try #require(
      MetricSelection(metrics.map { MetricType($0) }, of: layout, reportsWear: reportsWear))
    var blocks = MetricBlocks()
    let isWhole = blocks.send(
      bytes.map { HistoryBlock(owner: UUID(), days: days, rows: $0) }, layout, as: 0, on: days,
      wanted, to: sink)
    #expect(isWhole || sink.rows.isEmpty)
    return isWhole ? sink.rows : nil
  }

  @Test func rowsComeBackAsTheyWere() throws {
    for seed in 0..<Repetitions.count(fast: 300, long: 20_000) {
      var random = SeededGenerator(seed: seed)
      let recorder = Self.recorder(&random)
      let days = Self.first...(Self.first + Int.random(in: 0...200, using: &random))
      let metrics = Array(
        Self.columns.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
      let reportsWear = Bool.random(using: &random)
      let expected = Sink()
      let wanted = try #require(
        MetricSelection(metrics.map { MetricType($0) }, of: Self.layout, reportsWear: reportsWear))
      recorder.send(0, as: 0, on: days, wanted, to: expected)
      let kept = expected.rows
      let bytes = recorder.packed(0, on: days)
      #expect(
        try Self.unpacked([bytes], on: days, metrics, reportsWear: reportsWear) == kept,
        "seed \(seed)")
      let part = days.lowerBound...(days.lowerBound + (days.upperBound - days.lowerBound) / 2)
      #expect(
        try Self.unpacked([bytes], on: part, metrics, reportsWear: reportsWear)
          == kept.filter { part.contains($0.day) }, "seed \(seed)")
      // Blocks that follow each other are one.
      let rest = (part.upperBound + 1)...(max(part.upperBound + 1, days.upperBound))
      let parts = [part, rest].map { recorder.packed(0, on: $0) }
      if part.upperBound < days.upperBound {
        #expect(
          try Self.unpacked(parts, on: days, metrics, reportsWear: reportsWear) == kept,
          "seed \(seed)")
      }
      // Copies of equal rows are equal: that is how a night compares them.
      #expect(recorder.packed(0, on: days) == bytes)
    }
  }

  @Test func anotherMeasurementAboveZeroShowsThatTheDeviceWasWorn() throws {
    let recorder = MetricRecorder(persons: 1, columns: Self.columns.count, wantsCreation: true)
    for (index, values) in [
      [0, .nan, 600, .nan], [0, 0, 600, 0.1], [0, .nan, .nan, .infinity], [5, .nan, .nan, -1],
    ].enumerated() {
      values.withUnsafeBufferPointer {
        recorder.append(
          person: 0, day: Self.first + index, source: recorder.index(ofSource: "watch"), values: $0,
          isOtherPositive: false, updatedAt: nil)
      }
    }
    let days = Self.first...(Self.first + 9)
    let rows = try #require(
      try Self.unpacked([recorder.packed(0, on: days)], on: days, ["steps"], reportsWear: true))
    // Minutes of wear are no measurement, and infinity is no number.
    #expect(rows.map(\.isOtherPositive) == [false, true, false, false])
  }

  @Test func damagedBytesAreNoRows() throws {
    for seed in 0..<Repetitions.count(fast: 300, long: 20_000) {
      var random = SeededGenerator(seed: seed)
      let recorder = Self.recorder(&random)
      let days = Self.first...(Self.first + 200)
      var bytes = recorder.packed(0, on: days)
      let sound = bytes
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
      case 1: bytes.append(UInt8.random(in: 0...255, using: &random))
      default:
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] ^= UInt8.random(in: 1...255, using: &random)
      }
      #expect(
        try Self.unpacked([sound, bytes], on: days, Self.columns, reportsWear: false) == nil,
        "seed \(seed)")
    }
  }

  @Test func wholeNumbersAndTenthsTakeAByteOrTwo() {
    let recorder = MetricRecorder(persons: 1, columns: Self.columns.count, wantsCreation: true)
    for index in 0..<240 {
      let values = [
        Double(3_000 + 37 * index), 420 + Double(index % 90), Double.nan,
        38 + Double(index % 30) / 10,
      ]
      values.withUnsafeBufferPointer {
        recorder.append(
          person: 0, day: Self.first + index, source: recorder.index(ofSource: "watch"), values: $0,
          isOtherPositive: false, updatedAt: Self.first.midnight)
      }
    }
    // A byte each for the day, the sleep and the HRV, two for the steps, and nothing for what is the same in all rows.
    #expect(recorder.packed(0, on: Self.first...(Self.first + 239)).count < 240 * 5 + 60)
  }
}
