import Foundation
import GoldenFiles
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct ExportColumnTests {
  private static let page = SharedFolder.repository.appending(path: "docs/export.md")
  private static let (begin, end) = ("<!-- columns -->\n", "<!-- end of columns -->\n")

  /// With `VIGIL_RECORD_SNAPSHOTS=1` the page is written anew and the test fails.
  @Test func thePageAndTheCodeNameTheSameColumns() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let first = try #require(text.range(of: Self.begin))
    let last = try #require(text.range(of: Self.end))
    let comments = try ColumnComments()
    let expected = "\n" + ExportTable.markdown { comments[$0] } + "\n"
    if ProcessInfo.processInfo.environment["VIGIL_RECORD_SNAPSHOTS"] == "1" {
      try Data((text[..<first.upperBound] + expected + text[last.lowerBound...]).utf8)
        .write(to: Self.page)
      Issue.record("recorded docs/export.md; look at the difference and commit it")
      return
    }
    #expect(
      text[first.upperBound..<last.lowerBound] == expected,
      "docs/export.md differs from the code; VIGIL_RECORD_SNAPSHOTS=1 writes it")
  }

  /// A column means what the comment on it in the database says, or else the declaration.
  @Test(arguments: ExportTable.allCases)
  func aTableNamesEachColumnOnceAndSaysWhatItMeans(table: ExportTable) throws {
    let comments = try table.stored.map { try ColumnComments()[$0] } ?? [:]
    #expect(comments.isEmpty == (table.stored == nil))
    let names = table.columns.map(\.name)
    #expect(Set(names).count == names.count)
    for column in table.columns {
      #expect(column.name.wholeMatch(of: /[a-z][a-z_]*/) != nil, "\(column.name)")
      let meaning = try #require(column.meaning ?? comments[column.name], "\(column.name)")
      #expect(meaning.hasSuffix("."), "\(column.name)")
      #expect(!meaning.contains("|") && !meaning.contains("\n"), "\(column.name)")
    }
    // Numbers of a metric have the unit that the row names.
    for column in table.columns where column.unit == "metric_unit" {
      #expect(names.contains("metric_unit"), "\(column.name)")
    }
  }

  /// The time and the run of writing would make every export differ.
  @Test(arguments: ExportTable.allCases)
  func noColumnSaysWhenARowWasWritten(table: ExportTable) {
    let names = Set(table.columns.map(\.name))
    #expect(names.isDisjoint(with: ["run_id", "computed_at", "created_at", "updated_at"]))
  }

  @Test func anAlertIsWrittenWithEverythingThatItSays() throws {
    var alert = Samples.withEvidence(
      try Samples.alert(
        person: 1, since: "2026-06-20", days: 9, baseline: 60, recent: 66, resolution: .rebased))
    alert.snoozeUntil = try Samples.day("2026-07-02")
    alert.acknowledgedBy = Samples.person(2)
    let externalIDs = [Samples.person(1): "=cmd|' /C calc'!A0"]
    try expectSnapshot(
      RowEncoder(ExportColumns.alerts, as: .csv).text(of: [Exported(alert, externalIDs)]),
      "export-alerts.csv")
    try expectSnapshot(
      RowEncoder(ExportColumns.alerts, as: .jsonl).text(of: [Exported(alert, externalIDs)]),
      "export-alerts.jsonl")
  }
}
