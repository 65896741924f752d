import Foundation
import TestDatabases
import Testing

/// `vigil import auto`.
@Suite("vigil import auto")
struct ImportAutoTests {
  private static let header = "Wake onset,Asleep duration (min)\n"

  private func write(_ days: [Int], in folder: ImportFolder) throws {
    let rows = days.map { "2026-06-\($0) 07:00:00,\(400 + $0)\n" }
    try folder.folder.write(Self.header + rows.joined(), to: "sleeps.csv")
  }

  private func days(_ folder: ImportFolder) throws -> [String] {
    try folder.database.rows(
      "SELECT metric_date, CAST(sleep_minutes AS INTEGER) FROM wearable_daily_metrics ORDER BY 1")
  }

  @Test("shows what it is, then imports it", arguments: DatabaseKind.allCases)
  func recognizes(kind: DatabaseKind) async throws {
    let folder = try ImportFolder(kind)
    try write([11, 12, 13], in: folder)
    let dry = try await folder.vigil(
      "import", "auto", "sleeps.csv", "--user", "anna", "--dry-run")
    #expect(dry.status == 0, "\(dry)")
    #expect(dry.errors.contains("sleeps.csv: whoop, 1 file, 3 days from 2026-06-11 to 2026-06-13"))
    #expect(dry.output.contains("2026-06-11  sleep_minutes 411\n"))
    #expect(dry.output.hasSuffix("Nothing was written: --dry-run.\n"))

    let first = try await folder.vigil("import", "auto", "sleeps.csv", "--user", "anna")
    #expect(first.status == 0, "\(first)")
    let stored = try days(folder)
    #expect(stored.count == 3)

    try write([11, 13], in: folder)
    let second = try await folder.vigil("import", "auto", "sleeps.csv", "--user", "anna")
    #expect(
      second.output.contains(
        "Kept 1 stored day not in the files: 2026-06-12. Import again with --replace to remove it."),
      "\(second)")
    #expect(try days(folder) == stored)
    let third = try await folder.vigil(
      "import", "auto", "sleeps.csv", "--user", "anna", "--replace")
    #expect(
      third.output.contains("Removed the values of 1 stored day not in the files: 2026-06-12."),
      "\(third)")
    #expect(
      try folder.database.rows(
        "SELECT count(*) FROM wearable_daily_metrics WHERE sleep_minutes IS NULL") == ["1"])
  }

  @Test("says what it knows where it does not recognize a file")
  func refuses() async throws {
    let folder = try ImportFolder(.sqlite)
    try folder.folder.write("Dear all\n", to: "letter.txt")
    let run = try await folder.vigil("import", "auto", "letter.txt", "--user", "anna")
    #expect(run.status == 65)
    #expect(run.errors.contains("letter.txt is not recognized"))
    #expect(run.errors.contains("the kinds are apple-health, fitbit, garmin"))
    let unknown = try await folder.vigil("import", "auto", "letter.txt", "--kind", "x")
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("there is no kind 'x'"))
  }
}
