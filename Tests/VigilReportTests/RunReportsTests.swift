import Foundation
import Testing
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct RunReportsTests {
  private func runs() throws -> [RunRecord] {
    var failed = try Samples.run(2, mode: .live, status: .failed, seconds: 75)
    failed.error = "sqlite:vigil.sqlite: no space is left"
    failed.dataQuality = [
      DataQualityCount(metric: MetricType("steps"), reason: "implausible", count: 3),
      DataQualityCount(metric: nil, reason: "non_wear", count: 14),
    ]
    return [
      try Samples.run(3, status: .running, seconds: nil), failed,
      try Samples.run(1, kind: .backfill, from: "2026-03-03", to: "2026-06-29"),
    ]
  }

  @Test func listShowsARunALine() throws {
    try expectSnapshot(RunsReport(runs: try runs()).text(style: .plain), "runs.txt")
    try expectSnapshot(try RunsReport(runs: try runs()).json(), "runs.json")
  }

  @Test func oneRunShowsEverything() throws {
    try expectSnapshot(RunReport(run: try runs()[1]).text(style: .plain), "run.txt")
  }

  @Test func summaryOfASuccessfulRunPointsToItsAlerts() throws {
    let summary = RunSummary(run: try runs()[2], database: "sqlite:vigil.sqlite")
    try expectSnapshot(summary.text(style: .plain), "summary.txt")
  }

  @Test func summaryOfAFailedRunNamesTheCause() throws {
    let summary = RunSummary(run: try runs()[1], database: "sqlite:vigil.sqlite")
    try expectSnapshot(summary.text(style: .plain), "summary-failed.txt")
  }

  @Test func runWithoutPersonsSaysThatThereAreNoData() throws {
    var run = try Samples.run(4)
    run.counts = RunRecord.Counts()
    let text = RunSummary(run: run, database: "sqlite:vigil.sqlite").text(style: .plain)
    #expect(text.contains("nobody has data"))
    #expect(!text.contains("Speed"))
  }

  @Test func noRunsSayWhatToDo() {
    #expect(
      RunsReport(runs: []).text(style: .plain)
        == "No run is recorded yet. Next: vigil run, or vigil backfill for history.\n")
  }
}
