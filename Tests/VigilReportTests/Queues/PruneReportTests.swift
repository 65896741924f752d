import GoldenFiles
import Testing
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct PruneReportTests {
  private func report(_ rows: PrunedRows, isDryRun: Bool = false) -> PruneReport {
    PruneReport(
      rows: rows, cutoff: Samples.time, database: "sqlite:vigil.sqlite", isDryRun: isDryRun)
  }

  private var rows: PrunedRows {
    var rows = PrunedRows()
    rows.expired = 3
    rows.notifications = 1_234
    rows.remembered = 1_200
    rows.shadowNotifications = 20
    rows.held = 1_300
    rows.checkpoints = 4
    return rows
  }

  @Test func countsStandByTable() throws {
    try expectSnapshot(report(rows).text(style: .plain), "prune.txt")
    try expectSnapshot(try report(rows).json(), "prune.json")
  }

  @Test func dryRunSaysThatNothingHasGone() {
    let text = report(rows, isDryRun: true).text(style: .plain)
    #expect(text.hasPrefix("Would remove 2,558 rows that had ended before 2026-07-01 03:15 UTC"))
    #expect(text.hasSuffix("Would cancel 3 pending notifications that were not sent in time.\n"))
  }

  @Test func nothingToRemoveIsOneLine() {
    var rows = PrunedRows()
    #expect(
      report(rows).text(style: .plain)
        == "Nothing to remove from sqlite:vigil.sqlite that had ended before 2026-07-01 03:15 UTC.\n"
    )
    rows.expired = 1
    #expect(
      report(rows).text(style: .plain)
        .hasSuffix("UTC.\nCancelled 1 pending notification that was not sent in time.\n"))
  }
}
