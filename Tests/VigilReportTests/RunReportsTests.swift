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
    let summary = RunSummary(run: try runs()[2], database: "sqlite:vigil.sqlite", metricDays: nil)
    try expectSnapshot(summary.text(style: .plain), "summary.txt")
  }

  @Test func summaryOfAFailedRunNamesTheCause() throws {
    let summary = RunSummary(run: try runs()[1], database: "sqlite:vigil.sqlite", metricDays: nil)
    try expectSnapshot(summary.text(style: .plain), "summary-failed.txt")
  }

  private func summary(
    _ counts: RunRecord.Counts, kind: RunRecord.Kind = .run, metricDays: ClosedRange<Day>?,
    isOfChosenPersons: Bool = false
  ) throws -> String {
    var run = try Samples.run(4, kind: kind)
    run.counts = counts
    return RunSummary(
      run: run, database: "sqlite:vigil.sqlite", metricDays: metricDays,
      isOfChosenPersons: isOfChosenPersons
    ).text(style: .plain)
  }

  @Test func runOnAnEmptyDatabaseAsksForAnImport() throws {
    let text = try summary(.init(), metricDays: nil)
    #expect(text.contains("there are no data yet; vigil import csv DIR"))
    #expect(text.split(separator: "\n").count == 2)
  }

  @Test func runBesideTheDataNamesTheirDays() throws {
    let days = try Samples.day("2020-01-01")...Samples.day("2020-06-19")
    #expect(
      try summary(.init(), metricDays: days).hasSuffix(
        "nobody has data in this period; all data are from 2020-01-01 to 2020-06-19:"
          + " vigil run --date 2020-06-19\n"))
    #expect(
      try summary(.init(), kind: .backfill, metricDays: days).hasSuffix(
        ": vigil backfill --from 2020-01-01 --to 2020-06-19\n"))
    #expect(
      try summary(.init(), metricDays: days, isOfChosenPersons: true)
        .contains("none of the chosen persons has data"))
  }

  @Test func personsWithoutDataAreNotCountedAsEvaluatedSeries() throws {
    var counts = RunRecord.Counts()
    counts.persons = 3
    counts.episodesResolved = 1
    let text = try summary(
      counts, metricDays: Samples.day("2020-01-01")...Samples.day("2020-06-19"))
    #expect(text.contains("3 persons with an active episode, nobody with data in this period"))
    #expect(text.contains("1 resolved"))
    #expect(!text.contains("Speed"))
    #expect(!text.contains("Data quality"))
  }

  @Test func noRunsSayWhatToDo() {
    #expect(
      RunsReport(runs: []).text(style: .plain)
        == "No run is recorded yet. Next: vigil run, or vigil backfill for history.\n")
  }
}
