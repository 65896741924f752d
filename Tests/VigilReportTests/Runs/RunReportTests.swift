import Foundation
import GoldenFiles
import Testing
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct RunReportTests {
  private func runs() throws -> [RunRecord] {
    var failed = try Samples.run(2, mode: .live, status: .failed, seconds: 75)
    failed.error = "sqlite:vigil.sqlite: no space is left"
    failed.dataQuality = [
      DataQualityCount(metric: MetricType("steps"), reason: "implausible", count: 3),
      DataQualityCount(metric: MetricType("steps"), reason: "insufficient_history", count: 4),
      DataQualityCount(metric: MetricType("hrv_ms"), reason: "insufficient_history", count: 5),
      DataQualityCount(metric: MetricType("hrv_ms"), reason: "source_changed", count: 1),
      DataQualityCount(metric: nil, reason: "non_wear", count: 14),
    ]
    return [
      try Samples.run(3, status: .running, seconds: nil), failed,
      try Samples.run(1, kind: .backfill, from: "2026-03-03", to: "2026-06-29"),
    ]
  }

  @Test func listShowsARunALine() throws {
    let report = RunsReport(runs: try runs(), atWork: [UUID(name: "run 3")])
    try expectSnapshot(report.text(style: .plain), "runs.txt")
    try expectSnapshot(try report.json(), "runs.json")
  }

  @Test func oneRunShowsEverything() throws {
    try expectSnapshot(RunReport(run: try runs()[1], atWork: []).text(style: .plain), "run.txt")
  }

  @Test func runThatIsNotAtWorkHasLostItsProcess() throws {
    var run = try Samples.run(3, status: .running, seconds: nil)
    func status(atWork: Set<UUID>?) throws -> (list: String, one: String, isGone: Bool) {
      let report = RunsReport(runs: [run], atWork: atWork)
      let document = try JSONSerialization.jsonObject(with: Data(report.json().utf8))
      let rows = (document as? [String: Any])?["runs"] as? [[String: Any]]
      return (
        report.text(style: .plain), RunReport(run: run, atWork: atWork).text(style: .plain),
        try #require(rows?.first?["process_is_gone"] as? Bool)
      )
    }
    let alive = try status(atWork: [run.id])
    #expect(!alive.list.contains("gone") && !alive.one.contains("gone") && !alive.isGone)
    let dead = try status(atWork: [UUID(name: "run 1")])
    #expect(dead.list.contains("  running, its process is gone  ") && dead.isGone)
    #expect(dead.one.contains("  running, its process is gone\n"))
    run.shards = 4
    #expect(try status(atWork: []).list.contains("  running, no shard at work  "))
    #expect(try !status(atWork: nil).isGone)
    run.status = .interrupted
    let ended = try status(atWork: [])
    #expect(!ended.list.contains("gone") && !ended.isGone)
  }

  @Test func runWhoseClockWasSetBackTookNoTime() throws {
    let run = try Samples.run(1, seconds: -3600)
    #expect(RunReport(run: run, atWork: []).text(style: .plain).contains("0.00 s"))
    #expect(try RunsReport(runs: [run], atWork: []).json().contains("\"seconds\" : 0"))
    let summary = RunSummary(
      run: run, shard: try Samples.shard(.succeeded), database: "sqlite:vigil.sqlite",
      metricDays: nil)
    #expect(summary.text(style: .plain).contains("0.00 s: – series-days/s, – rows/s"))
  }

  @Test func summaryOfASuccessfulRunPointsToItsAlerts() throws {
    let summary = RunSummary(
      run: try runs()[2], shard: try Samples.shard(.succeeded), database: "sqlite:vigil.sqlite",
      metricDays: nil)
    try expectSnapshot(summary.text(style: .plain), "summary.txt")
  }

  @Test func summaryOfAFailedRunNamesTheCause() throws {
    let summary = RunSummary(
      run: try runs()[1],
      shard: try Samples.shard(.failed, error: "sqlite:vigil.sqlite: no space is left"),
      database: "sqlite:vigil.sqlite", metricDays: nil)
    try expectSnapshot(summary.text(style: .plain), "summary-failed.txt")
  }

  @Test func seriesToKnowAboutAreNotCalledRejected() throws {
    var run = try runs()[2]
    run.dataQuality = [
      DataQualityCount(metric: MetricType("steps"), reason: "source_changed", count: 2)
    ]
    let text = RunSummary(
      run: run, shard: try Samples.shard(.succeeded), database: "db", metricDays: nil
    ).text(style: .plain)
    #expect(text.contains("  Data quality   no value rejected; source changed in 2 series\n"))
  }

  private func summary(
    _ counts: RunRecord.Counts, kind: RunRecord.Kind = .run, metricDays: ClosedRange<Day>?,
    isOfChosenPersons: Bool = false
  ) throws -> String {
    var run = try Samples.run(4, kind: kind)
    run.counts = counts
    return RunSummary(
      run: run, shard: try Samples.shard(.succeeded), database: "sqlite:vigil.sqlite",
      metricDays: metricDays,
      isOfChosenPersons: isOfChosenPersons
    ).text(style: .plain)
  }

  @Test func summaryOfARunThatHoldsBackSaysHowToDecide() throws {
    var run = try Samples.run(2, mode: .live, status: .failed)
    run.counts.notificationsEnqueued = 0
    run.counts.notificationsHeld = 1_234
    let shard = try Samples.shard(.held, error: "1234 notifications are held back")
    let summary = RunSummary(
      run: run, shard: shard, database: "sqlite:vigil.sqlite", metricDays: nil)
    try expectSnapshot(summary.text(style: .plain), "summary-held.txt")
  }

  @Test func summaryOfAShardNamesItsShareOfTheRun() throws {
    var run = try Samples.run(2, status: .running, seconds: nil)
    run.shards = 4
    let shard = try Samples.shard(.succeeded, index: 3)
    let summary = RunSummary(
      run: run, shard: shard, database: "sqlite:vigil.sqlite", metricDays: nil)
    try expectSnapshot(summary.text(style: .plain), "summary-shard.txt")
  }

  @Test func decisionsSayHowManyNotificationsWereEnqueuedOrDiscarded() throws {
    var before = try Samples.run(2, mode: .live, status: .failed)
    before.counts.notificationsEnqueued = 0
    before.counts.notificationsHeld = 12
    var after = before
    after.counts.notificationsEnqueued = 9
    after.counts.notificationsHeld = 0
    let id = before.id.shortened
    #expect(
      HeldDecisionReport(decision: .release, before: before, after: after).text(style: .plain)
        == "9 notifications of run \(id) enqueued; 3 withheld: their alerts have ended, were"
        + " snoozed or dismissed, or were notified by another run.\n")
    after.counts.notificationsEnqueued = 0
    #expect(
      HeldDecisionReport(decision: .discard, before: before, after: after).text(style: .plain)
        == "12 notifications of run \(id) discarded; no member is notified unless an alert"
        + " escalates.\n"
    )
  }

  @Test func goingLiveSaysHowManyEpisodesStayQuiet() {
    let marked = GoLiveReport(database: "sqlite:vigil.sqlite", episodesMarked: 3)
    #expect(
      marked.text(style: .plain).hasPrefix(
        "3 running episodes now count as notified at their present level (sqlite:vigil.sqlite).\n"))
    let none = GoLiveReport(database: "sqlite:vigil.sqlite", episodesMarked: 0)
    #expect(none.text(style: .plain).hasPrefix("Every running episode counted as notified already"))
  }

  @Test func runBesideTheDataNamesTheirDays() throws {
    let days = try Samples.day("2020-01-01")...Samples.day("2020-06-19")
    #expect(
      try summary(.init(), metricDays: days).hasSuffix(
        "no person has data in this period; all data are from 2020-01-01 to 2020-06-19:"
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
    #expect(text.contains("3 persons with an active episode, none with data in this period"))
    #expect(text.contains("1 resolved"))
    #expect(!text.contains("Speed"))
    #expect(!text.contains("Data quality"))
  }

  @Test func noRunsSayWhatToDo() {
    #expect(
      RunsReport(runs: [], atWork: []).text(style: .plain)
        == "No run is recorded yet. Next: vigil run, or vigil backfill for history.\n")
  }
}
