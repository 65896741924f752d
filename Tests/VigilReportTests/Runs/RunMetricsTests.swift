import GoldenFiles
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct RunMetricsTests {
  private static let success = "vigil_last_success_timestamp_seconds"

  private func metrics(
    _ kind: RunRecord.Kind = .run, after seconds: Int64 = 3, exitStatus: Int32 = 0,
    run: RunRecord? = nil, onTopOf text: String = ""
  ) -> String {
    RunMetrics(
      kind: kind, endedAt: Samples.time.adding(seconds: seconds), exitStatus: exitStatus, run: run,
      earlier: EarlierRunMetrics(text: text)
    ).text
  }

  private func fullRun(_ kind: RunRecord.Kind = .run) throws -> RunRecord {
    var run = try Samples.run(1, kind: kind, mode: .live)
    run.dataQuality = [
      DataQualityCount(metric: MetricType("steps"), reason: "implausible", count: 3),
      DataQualityCount(metric: nil, reason: "non_wear", count: 14),
    ]
    return run
  }

  /// Seconds since 1970 of the samples' instant.
  private let start = 1_782_875_700.0

  @Test func successfulRunGivesItsFigures() throws {
    let text = metrics(run: try fullRun())
    try expectSnapshot(text, "metrics.prom")
    let read = try PrometheusText(text)
    #expect(read.value("vigil_run_persons", ["kind": "run"]) == 1234)
    #expect(read.value("vigil_run_duration_seconds", ["kind": "run"]) == 2)
    #expect(Set(read.types.values) == ["gauge"])
  }

  @Test func failedCommandKeepsTheLastSuccess() throws {
    let first = metrics(run: try fullRun())
    let second = metrics(after: 90_000, exitStatus: 69, onTopOf: first)
    try expectSnapshot(second, "metrics-failed.prom")
    let third = try PrometheusText(metrics(after: 180_000, exitStatus: 75, onTopOf: second))
    #expect(third.value(Self.success, ["kind": "run"]) == start + 3)
    #expect(third.value("vigil_last_attempt_timestamp_seconds", ["kind": "run"]) == start + 180_000)
    #expect(third.value("vigil_run_exit_status", ["kind": "run"]) == 75)
    let fourth = try PrometheusText(metrics(after: 270_000, onTopOf: second))
    #expect(fourth.value(Self.success, ["kind": "run"]) == start + 270_000)
  }

  @Test func successThatNeverWasIsZeroAndStaysZero() throws {
    let first = metrics(exitStatus: 69)
    #expect(try PrometheusText(first).value(Self.success, ["kind": "run"]) == 0)
    let second = metrics(exitStatus: 69, onTopOf: first)
    #expect(try PrometheusText(second).value(Self.success, ["kind": "run"]) == 0)
  }

  @Test func kindsLeaveEachOtherAlone() throws {
    let night = metrics(run: try fullRun())
    let both = metrics(.backfill, after: 500, run: try fullRun(.backfill), onTopOf: night)
    for line in night.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(both.contains("\(line)\n"))
    }
    let read = try PrometheusText(both)
    #expect(read.value(Self.success, ["kind": "run"]) == start + 3)
    #expect(read.value(Self.success, ["kind": "backfill"]) == start + 500)
    // In whichever order they come, the file is the same.
    let backfill = metrics(.backfill, after: 500, run: try fullRun(.backfill))
    #expect(metrics(run: try fullRun(), onTopOf: backfill) == both)
    // A run that has no figures takes away its own only.
    let failed = try PrometheusText(metrics(exitStatus: 69, onTopOf: both))
    #expect(failed.value("vigil_run_persons", ["kind": "run"]) == nil)
    #expect(failed.value("vigil_run_persons", ["kind": "backfill"]) == 1234)
  }

  @Test(arguments: [
    (RunRecord.Status?.none, Int32(0), "succeeded"), (nil, 75, "failed"), (nil, 143, "interrupted"),
    (.failed, 69, "failed"), (.interrupted, 130, "interrupted"), (.running, 69, "failed"),
    (.held, 75, "held"),
  ])
  func exactlyOneStatusIsOne(recorded: RunRecord.Status?, exitStatus: Int32, status: String) throws
  {
    let run = try recorded.map { try Samples.run(1, status: $0, seconds: nil) }
    let read = try PrometheusText(metrics(exitStatus: exitStatus, run: run))
    let statuses = read.samples.filter { $0.family == "vigil_run_status" }
    #expect(statuses.filter { $0.value == 1 }.map { $0.labels["status"] } == [status])
    #expect(statuses.filter { $0.value == 0 }.count == 3)
    #expect(read.value("vigil_run_finish_timestamp_seconds", ["kind": "run"]) == nil)
  }

  @Test func labelsAreEscapedAndReadBack() throws {
    var run = try fullRun()
    run.thresholds.version = "a\"b\\c\nd{e}=,é"
    let night = metrics(run: run)
    let both = try PrometheusText(metrics(.backfill, onTopOf: night))
    let info = try #require(both.samples.first { $0.family == "vigil_run_info" })
    #expect(info.labels["thresholds"] == run.thresholds.version)
    #expect(info.labels["kind"] == "run")
  }

  @Test func nothingIdentifiesAPersonOrAMachine() throws {
    var run = try fullRun()
    run.error = "of ada@example.org"
    let text = metrics(run: run)
    for secret in [run.id.lowercased, run.host, run.thresholds.digest, "example.org"] {
      #expect(!text.contains(secret))
    }
  }

  @Test func clockThatIsSetBackGivesNoNegativeDuration() throws {
    let read = try PrometheusText(metrics(run: try Samples.run(1, seconds: -3600)))
    #expect(read.value("vigil_run_duration_seconds", ["kind": "run"]) == 0)
  }

  @Test(arguments: [0, 1, 999_999, 1_000_000, 1_782_875_700_000_010, 1_782_875_700_120_000])
  func timesAreReadBackToTheMicrosecond(microseconds: Int64) throws {
    let end = Timestamp(microseconds: microseconds)
    let text = RunMetrics(
      kind: .run, endedAt: end, exitStatus: 0, run: nil, earlier: EarlierRunMetrics(text: "")
    ).text
    _ = try PrometheusText(text)
    let read = EarlierRunMetrics(text: text).lastSuccess(of: .run)
    #expect(read == (microseconds == 0 ? nil : end))
  }
}

@Suite struct EarlierRunMetricsTests {
  private let line = "vigil_last_success_timestamp_seconds{kind=\"run\"} 1782875700.5\n"

  @Test func conditionFollowsFromTheText() throws {
    let whole = RunMetrics(
      kind: .run, endedAt: Samples.time, exitStatus: 0, run: try Samples.run(1),
      earlier: EarlierRunMetrics(text: "")
    ).text
    for (text, condition) in [
      ("", EarlierRunMetrics.Condition.empty), (whole, .intact), (line, .intact),
      ("\0\0\0\0", .damaged), ("\n", .damaged), (String(whole.dropLast()), .damaged),
      (String(whole.prefix(40)), .damaged), (line + "vigil_run_persons{", .damaged),
      (line + "other_thing 3\n", .damaged), ("hello\n", .foreign), ("hello", .foreign),
      ("# HELP other_thing x\n# TYPE other_thing gauge\nother_thing 3\n", .foreign),
      ("{\"vigil_last\": 1}\n", .foreign),
    ] {
      #expect(EarlierRunMetrics(text: text).condition == condition, "\(text)")
    }
  }

  @Test func halfALineIsNotTakenForAWholeOne() {
    for length in 1..<line.count {
      #expect(EarlierRunMetrics(text: String(line.prefix(length))).lastSuccess(of: .run) == nil)
    }
    #expect(
      EarlierRunMetrics(text: line).lastSuccess(of: .run)
        == Timestamp(microseconds: 1_782_875_700_500_000))
    #expect(EarlierRunMetrics(text: line).lastSuccess(of: .backfill) == nil)
  }

  @Test(arguments: ["-5", "0", "1e9", "99999999999999999999", "1.1234567", "NaN", "+Inf", ""])
  func timeThatNoClockShowsIsUnknown(value: String) {
    let text = "vigil_last_success_timestamp_seconds{kind=\"run\"} \(value)\n"
    #expect(EarlierRunMetrics(text: text).lastSuccess(of: .run) == nil)
  }

  @Test func damagedPartsAreDroppedAndTheRestIsKept() throws {
    let text =
      line + "\0\0\0\nvigil_run_persons{kind=\"run\"} 12\nvigil_run_series{kind=\"run\" 3\n"
    let written = RunMetrics(
      kind: .backfill, endedAt: Samples.time, exitStatus: 0, run: nil,
      earlier: EarlierRunMetrics(text: text)
    ).text
    let read = try PrometheusText(written)
    #expect(read.value("vigil_run_persons", ["kind": "run"]) == 12)
    #expect(read.value("vigil_run_series", ["kind": "run"]) == nil)
    #expect(
      read.value("vigil_last_success_timestamp_seconds", ["kind": "run"]) == 1_782_875_700.5)
  }
}
