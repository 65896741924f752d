import Foundation
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

@Suite("Rows of a binary COPY")
struct MetricRowParserTests {
  private final class Sink: MetricRowSink {
    var rows: [String] = []
    private var sources: [String] = []

    func index(ofSource name: String) -> Int {
      sources.append(name)
      return sources.count - 1
    }

    func append(
      person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
      isOtherPositive: Bool, updatedAt: Timestamp?
    ) {
      let update = updatedAt.map { " \($0.microseconds)" } ?? ""
      rows.append(
        "\(person) \(day) \(sources[source]) \(Array(values)) \(isOtherPositive)\(update)")
    }
  }

  private let anna = UUID(name: "Anna")
  private let ben = UUID(name: "Ben")

  /// One row as the server writes it.
  private func row(
    _ person: UUID?, _ day: String, _ source: String?, _ value: Double?,
    isOtherPositive: Bool = true,
    updatedAt: Timestamp? = nil
  ) throws -> BinaryBuffer {
    let buffer = BinaryBuffer(capacity: 64)
    buffer.append(Int16(6))
    buffer.put(person)
    buffer.put(try #require(Day(day) as Day?))
    buffer.put(source)
    buffer.put(updatedAt)
    buffer.put(value)
    buffer.put(isOtherPositive)
    return buffer
  }

  private var header: BinaryBuffer {
    let buffer = BinaryBuffer(capacity: 32)
    Array("PGCOPY\n\u{ff}\r\n\0".unicodeScalars.map { UInt8($0.value) })
      .withUnsafeBytes { buffer.append($0) }
    buffer.append(Int32(0))
    buffer.append(Int32(3))
    for byte: UInt8 in [1, 2, 3] { buffer.append(byte) }
    return buffer
  }

  private var trailer: BinaryBuffer {
    let buffer = BinaryBuffer(capacity: 2)
    buffer.append(Int16(-1))
    return buffer
  }

  /// Parses messages, each of which is some buffers in a row.
  private func parse(_ messages: [[BinaryBuffer]], cutting cut: Int = 0) throws -> [String] {
    let sink = Sink()
    let values = UnsafeMutableBufferPointer<Double>.allocate(capacity: 1)
    defer { values.deallocate() }
    var parser = MetricRowParser(
      sink: sink, persons: [ben, anna], metricCount: 1, reportsWear: true, values: values,
      database: "test")
    for message in messages {
      let joined = BinaryBuffer(capacity: 64)
      for part in message { joined.append(part.contents) }
      let bytes = joined.contents
      try parser.parse(UnsafeRawBufferPointer(rebasing: bytes.dropLast(cut)))
    }
    return sink.rows
  }

  @Test("rows come however the server cuts its messages")
  func messages() throws {
    let rows = [
      try row(anna, "2026-01-01", "ring", 1.5), try row(anna, "2026-01-02", "watch", nil),
      try row(ben, "2026-01-01", "ring", 0, isOtherPositive: false),
    ]
    let expected = [
      "1 2026-01-01 ring [1.5] true", "1 2026-01-02 watch [nan] true",
      "0 2026-01-01 ring [0.0] false",
    ]
    #expect(try parse([[header]] + rows.map { [$0] } + [[trailer]]) == expected)
    #expect(try parse([[header] + rows + [trailer]]) == expected)
    #expect(try parse([[header, rows[0]], [rows[1], rows[2]], [trailer]]) == expected)
  }

  @Test("an update comes to the microsecond")
  func updates() throws {
    let update = Timestamp(microseconds: 1_790_000_000_000_001)
    let rows = try parse([[header, row(anna, "2026-01-01", "ring", 1, updatedAt: update)]])
    #expect(rows == ["1 2026-01-01 ring [1.0] true 1790000000000001"])
  }

  @Test("a stored NaN is a value that is not finite, only NULL is missing")
  func notANumber() throws {
    let rows = try parse([[header, row(anna, "2026-01-01", "ring", .nan)]])
    #expect(rows == ["1 2026-01-01 ring [inf] true"])
  }

  @Test("rows of unknown and of other persons are left out, a missing source has no name")
  func strangers() throws {
    let rows = try parse([
      [
        header, row(nil, "2026-01-01", "ring", 1),
        row(UUID(name: "Cleo"), "2026-01-01", "ring", 1), row(ben, "2026-01-01", nil, 1),
      ]
    ])
    #expect(rows == ["0 2026-01-01  [1.0] true"])
  }

  @Test("a message that ends inside a row is refused", arguments: 1...40)
  func truncated(cut: Int) throws {
    #expect(throws: StorageError.self) {
      _ = try parse([[header, row(anna, "2026-01-01", "ring", 1)]], cutting: cut)
    }
  }
}
