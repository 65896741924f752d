import Foundation
import TestSupport
import Testing
import VigilModel

@Suite struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
    (1_000_001, "1970-01-01T00:00:01.000001Z"),
    (951_868_799_999_999, "2000-02-29T23:59:59.999999Z"),
    (1_772_330_645_123_456, "2026-03-01T02:04:05.123456Z"),
    (-62_135_596_800_000_000, "0001-01-01T00:00:00.000000Z"),
  ])
  func isWrittenInUTCWithMicroseconds(microseconds: Int64, text: String) {
    #expect(Timestamp(microseconds: microseconds).description == text)
    #expect(Timestamp(text)?.microseconds == microseconds)
  }

  @Test func everyInstantSurvivesItsText() {
    var random = SeededGenerator(seed: 2)
    var texts: [(text: String, time: Timestamp)] = []
    for _ in 0..<2000 {
      let time = Timestamp(
        microseconds: Int64.random(
          in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &random))
      #expect(Timestamp(time.description) == time)
      #expect(time.description.utf8.count == 27)
      #expect(time.utcDay.description == time.description.prefix(10))
      texts.append((time.description, time))
    }
    #expect(
      texts.sorted { $0.text < $1.text }.map(\.time) == texts.map(\.time).sorted())
  }

  @Test(arguments: [
    ("2026-03-01T02:00", "2026-03-01T02:00:00.000000Z"),
    ("2026-03-01 02:00", "2026-03-01T02:00:00.000000Z"),
    ("2026-03-01T02:00Z", "2026-03-01T02:00:00.000000Z"),
    ("2026-03-01T02:00:05", "2026-03-01T02:00:05.000000Z"),
    ("2026-03-01T02:00:05.5Z", "2026-03-01T02:00:05.500000Z"),
    ("2026-03-01T02:00:05.000001Z", "2026-03-01T02:00:05.000001Z"),
    // Finer than a microsecond is cut off.
    ("2026-03-01T02:00:05.1234567899Z", "2026-03-01T02:00:05.123456Z"),
    ("2026-03-01T02:00:00+01:00", "2026-03-01T01:00:00.000000Z"),
    ("2026-03-01T02:00:00+0530", "2026-02-28T20:30:00.000000Z"),
    ("2026-03-01T02:00:00-03", "2026-03-01T05:00:00.000000Z"),
    ("2026-12-31T23:30:00.25-00:45", "2027-01-01T00:15:00.250000Z"),
    ("1970-01-01T00:00:00+00:01", "1969-12-31T23:59:00.000000Z"),
  ])
  func readsOffsetsAndFractions(text: String, utc: String) throws {
    #expect(try #require(Timestamp(text)).description == utc)
  }

  @Test(arguments: [
    "", "2026-03-01", "2026-03-01T", "2026-03-01T02", "2026-03-01T2:00", "2026-03-01T24:00",
    "2026-03-01T02:60", "2026-03-01T02:00:60", "2026-02-30T02:00", "2026-03-01X02:00",
    "2026-03-01T02:00:05.", "2026-03-01T02:00:05.Z", "2026-03-01T02:00:05,5Z",
    "2026-03-01T02:00:05z", "2026-03-01T02:00:05ZZ", "2026-03-01T02:00:05 Z",
    "2026-03-01T02:00:05+", "2026-03-01T02:00:05+1", "2026-03-01T02:00:05+24:00",
    "2026-03-01T02:00:05+01:60", "2026-03-01T02:00:05+01:0", "2026-03-01T02:00:05+01:00Z",
    "2026-03-01T02:00:05 Europe/Berlin", "2026-03-01T-2:00", "tomorrow at noon",
  ])
  func refusesWhatIsNoTime(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func addingSecondsCrossesMidnight() throws {
    let time = try #require(Timestamp("2024-02-28T23:59:59.5Z"))
    #expect(time.adding(seconds: 1).description == "2024-02-29T00:00:00.500000Z")
    #expect(time.adding(seconds: -86_400).utcDay.description == "2024-02-27")
  }

  @Test func jsonHoldsTheTimeAsText() throws {
    let time = try #require(Timestamp("2026-03-01T02:00:05.5Z"))
    let data = try JSONEncoder().encode([time])
    #expect(String(decoding: data, as: UTF8.self) == "[\"2026-03-01T02:00:05.500000Z\"]")
    #expect(try JSONDecoder().decode([Timestamp].self, from: data) == [time])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Timestamp].self, from: Data("[\"2026-03-01\"]".utf8))
    }
  }
}
