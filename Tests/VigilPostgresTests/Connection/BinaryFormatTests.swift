import Foundation
import PostgresTestServer
import Testing
import VigilModel

@testable import VigilPostgres

@Suite("Values in binary format")
struct BinaryFormatTests {
  /// Sends parameters to the server and reads them back.
  private func echo<Value>(
    _ put: (Parameters) -> Void, _ read: (inout ResultRow) throws -> Value
  ) throws -> Value? {
    let connection = try Connection.open(
      ConnectionTarget(url: PostgresServer.shared().url()), schema: "public", purpose: "test")
    return try connection.rows(
      "SELECT $1", Parameters(put),
      place: .init(database: "test", table: "none"), read
    ).first
  }

  @Test("days come back from both ends of the calendar")
  func days() throws {
    for text in [
      "0001-01-01", "1969-12-31", "1999-12-31", "2000-01-01", "2024-02-29", "9999-12-31",
    ] {
      let day = try #require(Day(text))
      #expect(try echo({ $0.put(day) }, { try $0.day() }) == day)
    }
  }

  @Test("instants come back to the microsecond")
  func timestamps() throws {
    for text in [
      "0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "2000-01-01T00:00:00Z",
      "2026-11-21T06:46:40.123456Z",
    ] {
      let instant = try #require(Timestamp(text))
      #expect(try echo({ $0.put(instant) }, { try $0.timestamp() }) == instant)
    }
  }

  @Test("what the server calls infinity is no day and no instant")
  func infinity() throws {
    for value in ["infinity", "-infinity"] {
      let connection = try Connection.open(
        ConnectionTarget(url: PostgresServer.shared().url()), schema: "public", purpose: "test")
      let result = try connection.run("SELECT '\(value)'::date, '\(value)'::timestamptz")
      #expect(BinaryFormat.day(result.bytes(0, 0)) == nil)
      #expect(BinaryFormat.timestamp(result.bytes(0, 1)) == nil)
    }
  }

  @Test("doubles come back bit by bit")
  func doubles() throws {
    for value in [0, -0.0, 0.1, -1.5e300, .leastNonzeroMagnitude, .infinity, .pi] {
      let back = try echo({ $0.put(value) }, { try $0.double() })
      #expect(back?.bitPattern == value.bitPattern)
    }
  }

  @Test("texts, numbers, ids and nothing at all come back")
  func others() throws {
    for text in [
      "", "a", "it's \"quoted\"; --", "ÿ日本\u{1F3C3}", String(repeating: "x", count: 5000),
    ] {
      #expect(try echo({ $0.put(text) }, { $0.text() }) == text)
    }
    for number in [0, -1, Int.max, Int.min] {
      #expect(try echo({ $0.put(number) }, { try $0.int() }) == number)
    }
    let id = UUID(name: "someone")
    #expect(try echo({ $0.put(id) }, { try $0.uuid() }) == id)
    #expect(try echo({ $0.put(Int?.none) }, { $0.isNextNull }) == true)
    #expect(try echo({ $0.put(json: #"{"a": [1]}"#) }, { try $0.json() }) == #"{"a": [1]}"#)
  }

  @Test("lists go as arrays, empty ones too")
  func arrays() throws {
    let connection = try Connection.open(
      ConnectionTarget(url: PostgresServer.shared().url()), schema: "public", purpose: "test")
    for count in [0, 1, 3] {
      let ids = (0..<count).map { UUID(name: "\($0)") }
      let found = try connection.rows(
        "SELECT unnest($1)", Parameters { $0.put(ids) },
        place: .init(database: "test", table: "none")
      ) { try $0.uuid() }
      #expect(found == ids)
    }
    let texts = ["{", "a,b", "\"", "NULL"]
    let found = try connection.rows(
      "SELECT unnest($1)", Parameters { $0.put(texts) },
      place: .init(database: "test", table: "none")
    ) { $0.text() }
    #expect(found == texts)
  }
}
