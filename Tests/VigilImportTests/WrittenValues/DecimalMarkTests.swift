import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct DecimalMarkTests {
  private let parser: FieldParser

  init() throws {
    parser = FieldParser(today: try #require(Day("2026-06-30")), zones: .system)
  }

  private func mark(_ numbers: String..., delimiter: Character = ";") throws -> DecimalMark {
    var survey = DecimalSurvey()
    for (index, number) in numbers.enumerated() {
      Array(number.utf8).withUnsafeBufferPointer { survey.add($0, line: index + 2) }
    }
    return try survey.mark(file: "t.csv", delimiter: try #require(delimiter.asciiValue))
  }

  private func number(_ text: String, _ mark: DecimalMark) -> Double? {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      do throws(Refusal) {
        return try parser.real(bytes, mark: mark)
      } catch {
        return nil
      }
    }
  }

  @Test func findsTheMark() throws {
    #expect(try mark() == .point)
    #expect(try mark("1", "250") == .point)
    #expect(try mark("1.5") == .point)
    #expect(try mark("1,5") == .comma)
    #expect(try mark("1.234,5") == .comma)
    #expect(try mark("1,234.5") == .point)
    #expect(try mark("1.234.567") == .comma)
    #expect(try mark("1,234", "7.5") == .point)
    #expect(try mark("1.234", "7,5") == .comma)
    #expect(try mark("0.123") == .point)
    #expect(try mark("66.337", delimiter: ",") == .point)
  }

  @Test(arguments: ["8.240", "8,240", "-8,240"])
  func refusesWhatCanBeBoth(number: String) throws {
    let error = try #require(throws: ImportError.self) { try mark("250", number) }
    #expect(error.message.contains("line 3"))
    #expect(error.remedy == .chooseDecimalMark(quarantines: false))
    #expect(!error.message.contains("240"))
  }

  @Test func refusesContradictions() throws {
    let error = try #require(throws: ImportError.self) { try mark("1,5", "1.5") }
    #expect(error.message.contains("line 3 is a point, in line 2 a comma"))
  }

  @Test(arguments: [
    ("1234.5", DecimalMark.point, 1234.5), ("1,234.5", .point, 1234.5),
    ("1,234,567", .point, 1_234_567),
    ("1234,5", .comma, 1234.5), ("1.234,5", .comma, 1234.5), ("12 345,25", .comma, 12_345.25),
    ("12\u{A0}345", .comma, 12_345), ("12\u{202F}345", .comma, 12_345), ("1'234.5", .point, 1234.5),
    ("-7,5", .comma, -7.5), ("1e3", .point, 1000), ("1,5e1", .comma, 15),
  ])
  func readsNumbers(text: String, mark: DecimalMark, expected: Double) {
    #expect(number(text, mark) == expected)
  }

  @Test(arguments: [
    ("1,5", DecimalMark.point), ("1.5", .comma), ("1,23,456", .point), ("1234,567", .point),
    ("1,5,", .comma), ("1.2.3", .point), ("1,2,3", .comma), (",5", .comma), ("1..234", .comma),
    ("1.5,234", .point), ("many", .point), ("1 23", .point), ("", .comma), ("1.2345,5", .comma),
  ])
  func refusesOtherTexts(text: String, mark: DecimalMark) {
    #expect(number(text, mark) == nil)
  }
}
