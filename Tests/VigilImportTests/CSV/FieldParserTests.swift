import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct FieldParserTests {
  private let parser: FieldParser

  init() throws {
    parser = FieldParser(today: try #require(Day("2026-06-30")), zones: .system)
  }

  private func real(_ text: String) throws -> Double {
    try withBytes(text) { try parser.real($0) }
  }

  private func withBytes<Value>(
    _ text: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
  ) rethrows -> Value {
    try Array(text.utf8).withUnsafeBufferPointer(body)
  }

  private func reason(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let refusal as Refusal {
      return refusal.reason
    } catch let problem as RowProblem {
      return problem.reason
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    "0", "7", "6300", "61.39001655578613", "0.1", "123456789012345", "1234567890123456789",
    "-4.25", "1e3", "2.5E-3", "9007199254740993", "0.000001", "1e-320",
  ])
  func readsNumbersAsTheNearestDouble(text: String) throws {
    #expect(try real(text) == Double(text))
  }

  @Test func everyDecimalWithFewDigitsIsExact() throws {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<20_000 {
      let whole = generator.integer(0...99_999_999)
      let fraction = String(generator.integer(0...9_999_999))
      let text = "\(whole).\(fraction)"
      #expect(try real(text) == Double(text))
    }
  }

  @Test func minusZeroIsZero() throws {
    #expect(try real("-0").sign == .plus)
    #expect(try real("-0.0e5").sign == .plus)
  }

  @Test(arguments: [
    "1,5", "0x10", "12 ", " 12", "1.", ".5", "+1", "1e", "1e+", "--1", "1.2.3", "NA", "null", "12a",
    "-", "١",
  ])
  func refusesWhatIsNoNumber(text: String) {
    #expect(reason { _ = try real(text) } == "not a number")
  }

  @Test(arguments: ["NaN", "nan", "inf", "-Inf", "Infinity", "+INFINITY", "-nan", "1e999"])
  func refusesNumbersThatAreNotFinite(text: String) {
    #expect(reason { _ = try real(text) } == "not a finite number")
  }

  @Test(arguments: ["2026-02-30", "30.06.2026", "2026-6-3", "2026-06-30T00:00", "6/30/2026"])
  func refusesWhatIsNoDate(text: String) {
    #expect(
      reason { _ = try withBytes(text) { try parser.day($0) } } == "not a date (YYYY-MM-DD)")
  }

  @Test func acceptsTomorrowAndNoLaterDay() throws {
    #expect(try withBytes("2026-07-01") { try parser.day($0) } == Day("2026-07-01"))
    #expect(
      reason { _ = try withBytes("2026-07-02") { try parser.day($0) } } == "date in the future")
  }

  @Test func scoresAreWholeNumbersFromZeroToOneHundred() throws {
    for (text, score) in [("0", 0), ("100", 100), ("7", 7)] as [(String, Int64)] {
      #expect(try withBytes(text) { try parser.score($0) } == score)
    }
    for text in ["-1", "101"] {
      #expect(reason { _ = try withBytes(text) { try parser.score($0) } } == "not from 0 to 100")
    }
    #expect(reason { _ = try withBytes("70.5") { try parser.score($0) } } == "not a whole number")
  }

  @Test func readsTimesOfDayWithAndWithoutSeconds() throws {
    #expect(try withBytes("22:05") { try parser.timeOfDay($0) } == "22:05")
    #expect(try withBytes("07:00:00") { try parser.timeOfDay($0) } == "07:00")
    for text in ["7:00", "24:00", "12:60", "12:00:30", "12", "ab:cd"] {
      #expect(
        reason { _ = try withBytes(text) { try parser.timeOfDay($0) } }
          == "not a time of day (HH:MM)")
    }
  }

  @Test func readsBooleansAsDatabasesWriteThem() throws {
    for (text, value) in [("true", true), ("t", true), ("1", true), ("f", false), ("0", false)] {
      #expect(try withBytes(text) { try parser.boolean($0) } == value)
    }
    #expect(reason { _ = try withBytes("yes") { try parser.boolean($0) } } == "not true or false")
  }

  @Test(arguments: [
    "2026-06-01T07:00:00Z", "2026-06-01 07:00:00+00:00", "2026-06-01T07:00:00+0000",
    "2026-06-01 07:00:00+00",
    "2026-06-01 07:00:00.000000+00:00", "2026-06-01 07:00", "2026-06-01 07:00:00 UTC",
    "2026-06-01T09:00:00+02:00",
  ])
  func readsInstantsAsProgramsWriteThem(text: String) throws {
    #expect(try withBytes(text) { try parser.timestamp($0) } == Timestamp("2026-06-01T07:00:00Z"))
  }

  @Test func knowsTimezones() throws {
    #expect(try withBytes("Europe/Berlin") { try parser.timezone($0) } == "Europe/Berlin")
    #expect(reason { _ = try withBytes("Mars/Olympus") { try parser.timezone($0) } } != nil)
  }

  @Test func anIDThatIsNoUUIDBecomesOneAndIsKept() throws {
    let derived = try withBytes("p-17") { try parser.personID($0) }
    #expect(derived == PersonID(id: UUID(name: "p-17"), externalID: "p-17"))
    let id = UUID(name: "x")
    for text in [id.lowercased, id.uuidString] {
      #expect(try withBytes(text) { try parser.personID($0) } == PersonID(id: id))
    }
  }

  @Test func onlyWearableMetricsMustNotBeNegative() throws {
    let steps = try #require(InputTable.wearableDailyMetrics.column(named: "steps"))
    try withBytes("-3") { (bytes) throws in
      let field = CSVField(bytes: bytes, isQuoted: false)
      #expect(
        reason { _ = try parser.value(of: field, in: steps, of: .wearableDailyMetrics) }
          == "negative")
      #expect(try parser.value(of: field, in: steps, of: .exerciseSessions) == .real(-3))
    }
  }
}
