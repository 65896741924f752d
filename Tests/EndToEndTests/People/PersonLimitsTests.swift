import Foundation
import TestDatabases
import TestSupport
import Testing

/// `vigil person limits`, as an operator uses it for a clinician.
@Suite struct PersonLimitsTests {
  private static let rule = ["--metric", "resting_hr", "--above", "110", "--days", "3"]
  private static let names = ["--until", "2026-09-30", "--by", "Dr. Lee"]

  private func limits(
    _ arguments: [String], in folder: TemporaryFolder
  ) async throws -> CommandRun {
    try await CommandRun.vigil(
      arguments: ["person", "limits"] + arguments, in: folder,
      environment: CommandRun.thresholdsOfDatabase)
  }

  private func rows(_ folder: TemporaryFolder) throws -> [String] {
    try folder.database.rows(
      """
      SELECT metric_type || ' ' || direction || ' ' || days || ' ' || severity || ' ' || starts_on || ' ' || ends_on
        || ' ' || set_by || ' ' || coalesce(note, '-') FROM person_limits ORDER BY 1
      """)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aLimitIsSetListedEndedAndRemoved(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let id = try #require(
      try folder.database.rows("SELECT id FROM users WHERE external_id = 'synthetic-3'").first)
    let set = ["set", String(id.prefix(8))] + Self.rule + Self.names + ["--note", "new tablets"]

    let planned = try await limits(set, in: folder)
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(planned.output.hasPrefix("Nothing was changed. Would set for "), "\(planned.output)")
    #expect(try rows(folder).isEmpty)

    let done = try await limits(set + ["--yes"], in: folder)
    #expect(done.status == 0, "\(done.errors)")
    #expect(
      done.output.contains("resting heart rate above 110 bpm, 3 values in a row, attention"),
      "\(done.output)")
    #expect(
      try rows(folder) == ["resting_hr above 3 attention 2026-07-01 2026-09-30 Dr. Lee new tablets"]
    )

    let again = try await limits(set + ["--yes"], in: folder)
    again.expectFailure(64, mentioning: "--days 3", "--from 2026-07-01", "end it")
    let beside = try await limits(
      [
        "set", "synthetic-3", "--metric", "resting_hr", "--above", "130", "--severity", "critical",
        "--from", "2026-08-01",
      ] + Self.names + ["--yes", "--format", "json"], in: folder)
    #expect(beside.status == 0, "\(beside.errors)")
    #expect(beside.output.contains("\"beside\" : [\n    {"), "\(beside.output)")

    let list = try await limits(["synthetic-3"], in: folder)
    #expect(list.output.contains("above 110 bpm") && list.output.contains("above 130 bpm"))
    #expect(try await limits([], in: folder).output == list.output)
    #expect(try await limits(["synthetic-4"], in: folder).output.hasPrefix("No limit is set"))
    let csv = try await limits(["list", "--format", "csv"], in: folder)
    #expect(
      csv.output.hasPrefix(
        "user_id,metric_type,direction,limit_value,days,severity,starts_on,ends_on,set_by"),
      "\(csv.output)")
    let states = try await limits(["--format", "json"], in: folder)
    #expect(states.output.contains("\"holds\"") && states.output.contains("\"planned\""))

    let end = ["end", "synthetic-3", "--metric", "resting_hr", "--limit", "above"]
    let several = try await limits(end + ["--yes"], in: folder)
    several.expectFailure(
      64, mentioning: "--days 1 --from 2026-08-01, or --days 3 --from 2026-07-01")
    let early = try await limits(end + ["--days", "1", "--yes"], in: folder)
    early.expectFailure(64, mentioning: "begins on 2026-08-01", "--remove")
    let unchanged = try await limits(end + ["--days", "3"], in: folder)
    #expect(unchanged.output.hasPrefix("Nothing was changed."), "\(unchanged.errors)")
    for arguments in [["--days", "3"], ["--days", "1", "--remove"]] {
      let run = try await limits(end + arguments + ["--yes"], in: folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(
      try rows(folder) == ["resting_hr above 3 attention 2026-07-01 2026-07-01 Dr. Lee new tablets"]
    )
    try await limits(end + ["--yes"], in: folder).expectFailure(64, mentioning: "no such limit")
  }

  /// The alert of a limit that the command has set is that of an imported one.
  @Test(arguments: DatabaseKind.allCases)
  func aNightGoesByIt(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let id = try #require(
      try folder.database.rows("SELECT id FROM users WHERE external_id = 'synthetic-3'").first)
    try folder.database.execute(
      """
      UPDATE wearable_daily_metrics SET resting_hr = 150
      WHERE user_id = '\(id)' AND metric_date BETWEEN '2026-06-27' AND '2026-06-30'
      """)
    let set = ["set", "synthetic-3"] + Self.rule + Self.names + ["--from", "2026-06-20", "--yes"]
    #expect(try await limits(set, in: folder).status == 0)
    let night = try await CommandRun.vigil(
      arguments: ["run", "--date", "2026-06-29"], in: folder,
      environment: CommandRun.thresholdsOfDatabase)
    #expect(night.status == 0, "\(night.errors)")
    func alerts() throws -> [String] {
      try folder.database.rows(
        """
        SELECT episode_status || ' ' || active_since || ' ' || coalesce(resolution_reason, '-') FROM pattern_alert_state
        WHERE pattern_type = 'critical_value_above'
        """)
    }
    #expect(try alerts() == ["active 2026-06-27 -"])
    let removed = try await limits(
      ["end", "synthetic-3", "--metric", "resting_hr", "--limit", "above", "--remove", "--yes"],
      in: folder)
    #expect(removed.status == 0, "\(removed.errors)")
    let next = try await CommandRun.vigil(
      arguments: ["run", "--date", "2026-06-30"], in: folder,
      environment: CommandRun.thresholdsOfDatabase)
    #expect(next.status == 0, "\(next.errors)")
    #expect(try alerts() == ["resolved 2026-06-27 retracted"])
  }

  @Test func aLimitThatCannotBeIsRefused() async throws {
    let folder = try SampleDatabase.imported(.sqlite)
    func refused(_ arguments: [String], mentioning words: String...) async throws {
      let run = try await limits(["set", "synthetic-3"] + arguments + ["--yes"], in: folder)
      #expect(run.status == 64, "\(arguments): \(run.output)\(run.errors)")
      for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
    }
    try await refused(
      ["--metric", "resting_hr", "--above", "900"] + Self.names, mentioning: "from 20 to 250")
    try await refused(
      ["--metric", "spo2_avg_pct", "--below", "88"] + Self.names, mentioning: "do not follow it")
    try await refused(
      ["--metric", "resting_h", "--above", "110"] + Self.names,
      mentioning: "did you mean resting_hr")
    try await refused(
      ["--metric", "inactivity", "--above", "3"] + Self.names, mentioning: "not measured")
    try await refused(
      ["--metric", "resting_hr", "--above", "110", "--below", "40"] + Self.names,
      mentioning: "one of --below and --above")
    try await refused(
      ["--metric", "resting_hr", "--above", "110", "--days", "8"] + Self.names,
      mentioning: "from 1 to 7")
    try await refused(
      ["--metric", "resting_hr", "--above", "110", "--by", "Dr. Lee"], mentioning: "--until")
    try await refused(
      ["--metric", "resting_hr", "--above", "110", "--by", "Dr. Lee", "--until", "2026-06-01"],
      mentioning: "before today, 2026-07-01")
    try await refused(
      ["--metric", "resting_hr", "--above", "110", "--by", " ", "--until", "2026-09-30"],
      mentioning: "--by")
    let unknown = try await limits(
      ["set", "unknown-7"] + Self.rule + Self.names + ["--yes"], in: folder)
    unknown.expectFailure(65, mentioning: "belong to no person")
    #expect(try rows(folder).isEmpty)
  }
}
