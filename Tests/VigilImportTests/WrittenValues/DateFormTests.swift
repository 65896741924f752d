import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct DateFormTests {
  private func form(_ dates: String...) throws -> DateForm {
    try form(of: dates)
  }

  private func form(of dates: [String]) throws -> DateForm {
    var survey = DateSurvey()
    for (index, date) in dates.enumerated() {
      Array(date.utf8).withUnsafeBufferPointer { survey.add($0, line: index + 2) }
    }
    return try survey.form(file: "t.csv", column: "Date")
  }

  private func parts(_ text: String) -> DateParts? {
    Array(text.utf8).withUnsafeBufferPointer { DateParts($0) }
  }

  @Test(arguments: [
    ("2026-06-30", DateForm.iso), ("2026/6/3", .iso), ("20260630", .iso),
    ("2026-06-30T23:15:00+02:00", .iso), ("2026-06-30 07:00", .iso), ("30/06/2026", .dmy),
    ("30.6.2026", .dmy), ("30-06-2026", .dmy), ("06/30/2026", .mdy),
    ("6/30/2026 12:00:00 AM", .mdy),
  ])
  func readsDatesOfItsForm(text: String, form: DateForm) throws {
    let expected = text.contains("6/3") && !text.contains("30") ? "2026-06-03" : "2026-06-30"
    #expect(parts(text)?.day(in: form)?.description == expected)
    for other in DateForm.allCases where other != form {
      #expect(parts(text)?.day(in: other) == nil)
    }
  }

  @Test(arguments: [
    "", "6/30/26", "30 June 2026", "2026-06", "2026-06/30", "1782777600",
    "2026-06-30x", "-2026-06-30", "30//2026", "00030/6/2026",
  ])
  func refusesOtherTexts(text: String) {
    #expect(parts(text)?.day(in: .iso) == nil)
    #expect(parts(text)?.day(in: .dmy) == nil)
  }

  @Test(arguments: [
    "Oct 1, 2026", "October 1, 2026", "1 Oct 2026", "1-Oct-2026", "01. Oktober 2026",
    "Thu, Oct 1 2026 07:30 PM",
    "1 de octubre de 2026", "OCT 01 2026",
  ])
  func readsNamesOfMonths(text: String) throws {
    #expect(
      Array(text.utf8).withUnsafeBufferPointer { NamedDate($0) }?.day.description == "2026-10-01")
    #expect(try form(text) == .named)
  }

  @Test func knowsMonthsOfThreeLanguages() {
    let names = [
      "jan", "ene", "Feb", "März", "marzo", "Mrz", "April", "abril", "May", "Mai", "June", "Juli",
      "August",
      "agosto", "Sept", "Oct", "Okt", "nov", "Dec", "Dez", "diciembre",
    ]
    let months = names.map { name in
      Array("3 \(name) 2026".utf8).withUnsafeBufferPointer { NamedDate($0) }?.day.components.month
    }
    #expect(months == [1, 1, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9, 10, 10, 11, 12, 12, 12])
  }

  @Test(arguments: [
    "", "Oct 2026", "Oct 1", "Okt 31, 26", "1 Smarch 2026", "Feb 30, 2026", "Oct Nov 1 2026",
    "2026-10-01",
    "123 Oct 2026", "1 Oct 20261",
  ])
  func refusesWhatIsNoDateWithAName(text: String) {
    #expect(Array(text.utf8).withUnsafeBufferPointer { NamedDate($0) } == nil)
  }

  @Test(arguments: [
    ("2026-06-29T22:15:00Z", ClockOffset.utc), ("2026-06-29 22:15:00z", .utc),
    ("2026-06-29 22:15:00 UTC", .utc), ("2026-06-29 22:15:00+00:00", .zero),
    ("2026-06-29 22:15:00+0000", .zero), ("2026-06-29 22:15:00+00", .zero),
    ("2026-06-29 22:15:00-00:00", .zero), ("2026-06-29 22:15:00+02:00", .other),
    ("2026-06-29 22:15:00-0330", .other), ("2026-06-29 22:15:00", nil), ("2026-06-29", nil),
    ("29-06-2026", nil), ("", nil),
  ])
  func knowsTheOffsetOfATime(text: String, offset: ClockOffset?) {
    #expect(Array(text.utf8).withUnsafeBufferPointer { ClockOffset($0) } == offset)
  }

  @Test func refusesDaysThatTheCalendarLacks() {
    #expect(parts("29/2/2025")?.day(in: .dmy) == nil)
    #expect(parts("29/2/2024")?.day(in: .dmy)?.description == "2024-02-29")
  }

  @Test func decidesFromTheWholeColumn() throws {
    #expect(try form() == .iso)
    #expect(try form("2026-06-01", "2026-06-02") == .iso)
    #expect(try form("1/6/2026", "2/6/2026", "13/6/2026") == .dmy)
    #expect(try form("6/1/2026", "6/2/2026", "6/13/2026") == .mdy)
    // A single broken date does not decide.
    #expect(try form("2026-06-01", "2026-06-02", "13/6/2026") == .iso)
    #expect(try form("1/6/2026", "99/99/2026", "13/6/2026") == .dmy)
  }

  @Test func takesDatesWithDotsAsDayFirst() throws {
    #expect(try form("01.06.2026", "02.06.2026") == .dmy)
    #expect(try form("06.01.2026", "06.13.2026") == .mdy)
  }

  @Test func refusesAColumnThatCanBeBoth() throws {
    let error = try #require(throws: ImportError.self) { try form("1/6/2026", "2/6/2026") }
    #expect(error.code == .badData)
    #expect(error.remedy == .chooseDateOrder(quarantines: false))
    #expect(error.message.contains("t.csv"))
    #expect(!error.message.contains("2026"))
  }

  @Test func refusesAColumnThatContradictsItself() throws {
    let error = try #require(throws: ImportError.self) {
      try form("1/6/2026", "6/14/2026", "13/6/2026")
    }
    #expect(error.message.contains("line 4 has the day first"))
    #expect(error.message.contains("line 3 the month"))
  }

  /// Every year has days above the twelfth, so a column over a whole month is never ambiguous.
  @Test(arguments: [DateForm.dmy, .mdy])
  func aWholeMonthIsAlwaysDecided(form: DateForm) throws {
    for month in 1...12 {
      let dates = (1...28).map { day in
        form == .dmy ? "\(day)/\(month)/2026" : "\(month)/\(day)/2026"
      }
      #expect(try self.form(of: dates) == form)
    }
  }
}
