import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// `vigil calibrate`: from people in a database to a thresholds file that runs take.
@Suite struct CalibrateTests {
  /// People who are simulated: the fewest that the command takes.
  private static let few = ["--people", "100"]

  /// v3 with two of its metrics, which takes a quarter of the time, where it does not matter which there are.
  private static let small = ["--thresholds", "small.json"]

  private static func writeSmall(in folder: TemporaryFolder) throws {
    let metrics = ["steps", "resting_hr"]
    let shipped = try Data(
      contentsOf: SharedFolder.repository.appending(path: "thresholds/v3.json"))
    var profile = try #require(
      try JSONSerialization.jsonObject(with: shipped) as? [String: Any])
    var combined = try #require(profile["combined"] as? [String: Any])
    let thresholds = try #require(combined["thresholds"] as? [String: Any])
    combined["metrics"] = metrics
    combined["groups"] = [String: Any]()
    combined["correlation"] = [String: Any]()
    combined["thresholds"] = thresholds.filter { $0.key == "2" }
    profile["combined"] = combined
    profile["version"] = "small"
    profile["metrics"] = try #require(profile["metrics"] as? [String: Any]).filter {
      metrics.contains($0.key) || $0.key == "dose_adherence_pct"
    }
    try JSONSerialization.data(withJSONObject: profile).write(
      to: folder.url.appending(path: "small.json"))
  }

  private static func prepared(_ kind: DatabaseKind = .sqlite, people: Int) async throws
    -> TemporaryFolder
  {
    let folder = try TemporaryFolder(kind)
    try writeSmall(in: folder)
    let generated = try await CommandRun.vigil(
      "generate", "data", "--medications", "0", "--people", "\(people)", "--days", "90", "--seed",
      "5", "--end-date", "2026-06-30", in: folder)
    try #require(generated.status == 0, "\(generated.errors)")
    let imported = try await CommandRun.vigil("import", "csv", "data", in: folder)
    try #require(imported.status == 0, "\(imported.errors)")
    return folder
  }

  private static func calibrate(
    _ arguments: String..., in folder: TemporaryFolder
  ) async throws -> CommandRun {
    try await calibrate(arguments, in: folder)
  }

  private static func calibrate(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]
  ) async throws -> CommandRun {
    try await CommandRun.vigil(
      arguments: ["calibrate"] + few + arguments, in: folder, environment: environment)
  }

  private static func bytes(_ name: String, in folder: TemporaryFolder) throws -> Data {
    try Data(contentsOf: folder.url.appending(path: name))
  }

  private static func document(_ run: CommandRun) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test(arguments: DatabaseKind.allCases)
  func theFileIsFittedToThePeopleAndARunTakesIt(kind: DatabaseKind) async throws {
    let folder = try await Self.prepared(kind, people: 24)
    let before = try folder.names
    let run = try await Self.calibrate("--out", "mine.json", "--seed", "3", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("version v3-calibrated, made from v3"))
    #expect(!run.output.contains("Not fitted"))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.output)")
    #expect(try folder.names == (before + ["mine.json"]).sorted())
    #expect(try folder.database.count("batch_runs") == 0)

    let thresholds = try Thresholds(
      json: Self.bytes("mine.json", in: folder), file: "mine.json", digest: "")
    let calibration = try #require(thresholds.calibration)
    #expect(calibration.seed == 3 && calibration.budget == 1 && calibration.simulatedSeries == 100)
    #expect(calibration.people.count == 7)
    #expect(calibration.people.values.allSatisfy { $0.count == 24 && $0.areEnough })
    #expect(thresholds.adherenceMetric?.detector == .doseEvidence)

    let check = try await CommandRun.vigil(
      "thresholds", "check", "mine.json", "--people", "20", in: folder)
    #expect(check.status == 0, "\(check.errors)")
    #expect(check.output.contains("Budget") && check.output.contains("together"))
    let night = try await CommandRun.vigil(
      "run", "--date", "2026-06-30", "--thresholds", "mine.json", in: folder)
    #expect(night.status == 0, "\(night.errors)")
    #expect(night.output.contains("thresholds v3-calibrated"))
  }

  @Test func theSameDataAndSeedGiveTheSameBytes() async throws {
    let folder = try await Self.prepared(people: 24)
    let other = try await Self.prepared(.postgres, people: 24)
    for (name, folder, seed) in [
      ("a.json", folder, "3"), ("a.json", other, "3"), ("c.json", folder, "4"),
    ] {
      let run = try await Self.calibrate(
        Self.small + ["--out", name, "--seed", seed], in: folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    let first = try Self.bytes("a.json", in: folder)
    #expect(try Self.bytes("a.json", in: other) == first)
    #expect(try Self.bytes("c.json", in: folder) != first)
  }

  @Test func fewPeopleKeepThePriorsOfTheProfileAndTheOutputSaysSo() async throws {
    let folder = try await Self.prepared(people: 19)
    let run = try await Self.calibrate(
      "--out", "mine.json", "--false-episodes-per-person-year", "3", "--name", "v3-few", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let text = run.output.replacing("\n", with: " ")
    #expect(text.contains("Not fitted, because fewer than 20 people have 60 values"))
    #expect(text.contains("steps (19)"))
    let thresholds = try Thresholds(
      json: Self.bytes("mine.json", in: folder), file: "mine.json", digest: "")
    let steps = try #require(thresholds.metrics.first { $0.metric.rawValue == "steps" })
    #expect(steps.evidence?.priorSpread == 23.4 && steps.evidence?.priorAutocorrelation == 0.13)
    // Three times the episodes need less evidence than the 4.2 of v3.
    #expect(try #require(steps.evidence).thresholds.threshold(poolSize: 120) < 4.2)
    #expect(thresholds.version == "v3-few")
    #expect(thresholds.calibration?.people[steps.metric] == .init(count: 19, areEnough: false))
    #expect(thresholds.calibration?.source?.hasSuffix("the people that are built in") == true)

    let json = try await Self.calibrate(
      "--out", "mine.json", "--force", "--format", "json", in: folder)
    let document = try Self.document(json)
    #expect(document["people"] as? Int == 19 && document["budget"] as? Double == 1)
    let metrics = try #require(document["metrics"] as? [[String: Any]])
    #expect(metrics.count == 7 && metrics.allSatisfy { $0["source"] as? String == "base" })
    #expect((document["false_episodes_per_person_year"] as? [String: Double])?["lower"] != nil)
  }

  /// The rows themselves say how often their people pause.
  @Test(arguments: DatabaseKind.allCases)
  func thePausesOfThesePeopleAreTheNewPrior(kind: DatabaseKind) async throws {
    let folder = try await Self.prepared(kind, people: 30)
    let run = try await Self.calibrate(
      Self.small + ["--out", "mine.json", "--format", "json"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    var worn: [String: Set<Day>] = [:]
    let rows = try String(
      contentsOf: folder.url.appending(path: "data/wearable_daily_metrics.csv"), encoding: .utf8)
    for row in rows.split(separator: "\n").dropFirst() {
      let fields = row.split(separator: ",", omittingEmptySubsequences: false)
      if fields.dropFirst(3).contains(where: { Double($0) ?? 0 > 0 }) {
        worn[String(fields[0]), default: []].insert(try #require(Day(String(fields[1]))))
      }
    }
    var (pauses, years) = ([Int](), 0.0)
    for days in worn.values.map({ $0.sorted() }) {
      years += Double(days[days.count - 1] - days[0] + 1) / 365.25
      pauses += zip(days, days.dropFirst()).map { $1 - $0 - 1 }.filter { $0 > 0 }
    }
    let thresholds = try Thresholds(
      json: Self.bytes("mine.json", in: folder), file: "mine.json", digest: "")
    let prior = try #require(thresholds.inactivity?.prior)
    for length in 2...20 {
      let before = InactivitySettings.publicPrior[length - 2]
      let expected = (Double(pauses.count { $0 >= length }) + before) / (years + 1)
      #expect(abs(prior[length - 2] - expected) <= 0.000_51, "\(length)")
    }
    #expect(thresholds.calibration?.pauses == .init(count: 30, areEnough: true))
    let document = try Self.document(run)
    let found = try #require(document["pauses"] as? [String: Any])
    #expect(found["source"] as? String == "database" && found["people"] as? Int == 30)
    #expect((found["now"] as? [String: Double])?["4"] == prior[2])
    #expect((found["false_alerts_per_person_year"] as? [String: Double])?["upper"] != nil)
  }

  @Test func theDosesOfThesePeopleAreTheNewPriorWhereTheyAreEnough() async throws {
    let folder = try TemporaryFolder()
    try Self.writeSmall(in: folder)
    let generated = try await CommandRun.vigil(
      "generate", "data", "--medications", "2", "--people", "60", "--days", "90", "--seed", "5",
      "--end-date", "2026-06-30", in: folder)
    #expect(generated.status == 0, "\(generated.errors)")
    let imported = try await CommandRun.vigil("import", "csv", "data", in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    let run = try await Self.calibrate(Self.small + ["--out", "mine.json"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("Doses of ") && run.output.contains("Pauses a year of 60 people"))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.output)")
    let thresholds = try Thresholds(
      json: Self.bytes("mine.json", in: folder), file: "mine.json", digest: "")
    let doses = try #require(thresholds.adherenceMetric?.doses).doses
    // Forgetful people miss 8 to 28 %, others hardly any; a few declines and holidays add to that.
    let share = doses.priorMissed / (doses.priorMissed + doses.priorTaken)
    #expect((0.02...0.25).contains(share), "\(share)")
    #expect(doses != DoseEvidenceSettings.Doses())
    #expect(try #require(thresholds.calibration?.doses).areEnough)
    let night = try await CommandRun.vigil(
      "run", "--date", "2026-06-30", "--thresholds", "mine.json", in: folder)
    #expect(night.status == 0, "\(night.errors)")

    let users = try folder.database.rows("SELECT id FROM users ORDER BY id").prefix(19)
    try folder.write(users.joined(separator: "\n"), to: "users.txt")
    let few = try await Self.calibrate(
      Self.small + ["--out", "few.json", "--users", "users.txt"], in: folder)
    #expect(few.status == 0, "\(few.errors)")
    let text = few.output.replacing("\n", with: " ")
    #expect(
      text.contains("Pauses without a device: the prior is that of small, because fewer than 20"))
    #expect(text.contains("Missed doses: the prior is that of small, because fewer than 20 people"))
    let kept = try Thresholds(
      json: Self.bytes("few.json", in: folder), file: "few.json", digest: "")
    #expect(kept.inactivity?.prior == InactivitySettings.publicPrior)
    #expect(kept.adherenceMetric?.doses?.doses == DoseEvidenceSettings.Doses())
    #expect(kept.calibration?.pauses == .init(count: 19, areEnough: false))
  }

  @Test func chosenPersonsAndDaysAreReadAlone() async throws {
    let folder = try await Self.prepared(people: 24)
    let users = try folder.database.rows("SELECT id FROM users ORDER BY id").prefix(21)
    try folder.write(users.joined(separator: "\n"), to: "users.txt")
    let some = try await Self.calibrate(
      Self.small + ["--out", "a.json", "--users", "users.txt", "--format", "json"], in: folder)
    #expect(try Self.document(some)["people"] as? Int == 21, "\(some.errors)")
    let short = try await Self.calibrate(
      Self.small + [
        "--out", "b.json", "--from", "2026-05-10", "--to", "2026-06-30", "--format", "json",
      ], in: folder)
    let document = try Self.document(short)
    #expect(document["from"] as? String == "2026-05-10")
    let metrics = try #require(document["metrics"] as? [[String: Any]])
    #expect(metrics.allSatisfy { $0["people"] as? Int == 0 }, "51 days are too few")
  }

  /// A role that may write nothing at all is enough.
  @Test func aServerThatOnlyReadsIsEnough() async throws {
    let folder = try await Self.prepared(.postgres, people: 20)
    guard case .postgres(let schema) = folder.database else { return }
    try schema.session().execute(
      """
      DROP ROLE IF EXISTS e2e_calibrator; CREATE ROLE e2e_calibrator LOGIN IN ROLE vigil_backfill;
      ALTER ROLE e2e_calibrator SET default_transaction_read_only = on
      """)
    let run = try await Self.calibrate(
      Self.small + ["--out", "mine.json"], in: folder,
      environment: ["VIGIL_DATABASE": schema.url(as: "e2e_calibrator")])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(arguments: ["0", "-1", "nan", "inf", "21", "0.01", "one"])
  func budgetsThatNoThresholdsKeepAreRefused(budget: String) async throws {
    let folder = try TemporaryFolder()
    let run = try await Self.calibrate(
      "--out", "mine.json", "--false-episodes-per-person-year=\(budget)", in: folder)
    run.expectFailure(64, mentioning: "--false-episodes-per-person-year", "from 0.05 to 20")
    #expect(try folder.names.isEmpty)
  }

  @Test(arguments: [
    (["--out", "x.json", "--thresholds", "v1"], 65, "no metric of wearables under evidence"),
    (["--out", "x.json", "--thresholds", "no.json"], 65, "no.json cannot be read"),
    (["--out", "x.json", "--name", "v3"], 64, "--name v3"),
    (["--out", "x.json", "--name", "a b"], 64, "--name 'a b'"),
    (["--out", "none/x.json"], 73, "none/x.json cannot be written"),
    (["--out", "here.json"], 73, "--force"), (["--out", "."], 73, "folder"),
    (["--out", "x.json", "--from", "2026-02-02", "--to", "2026-02-01"], 64, "2026-02-01"),
    (["--out", "x.json", "--from", "2026-02-02", "--days", "90"], 64, "--days"),
    (["--out", "x.json", "--users", "no.txt"], 64, "no.txt"), (["--out", "x.json"], 69, "migrate"),
  ])
  func whatCannotBeDoneIsSaidBeforeAnyWork(
    arguments: [String], status: Int32, mention: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "here.json")
    let run = try await CommandRun.vigil(arguments: ["calibrate"] + arguments, in: folder)
    run.expectFailure(status, mentioning: mention)
    #expect(try folder.names == ["here.json"])
    #expect(try Self.bytes("here.json", in: folder) == Data("mine".utf8))
  }

  @Test func aDatabaseWithoutDataSaysSo() async throws {
    let folder = try TemporaryFolder()
    _ = try await CommandRun.vigil("migrate", in: folder)
    let empty = try await Self.calibrate("--out", "mine.json", in: folder)
    empty.expectFailure(65, mentioning: "wearable_daily_metrics", "has no row", "vigil import")
    let full = try await Self.prepared(people: 2)
    let elsewhere = try await Self.calibrate(
      "--out", "mine.json", "--from", "2020-01-01", "--to", "2020-12-31", in: full)
    elsewhere.expectFailure(65, mentioning: "2026-06-30", "give other days")
    #expect(try !full.names.contains("mine.json"))
  }

  @Test func anInterruptedCalibrationLeavesNothing() async throws {
    let folder = try await Self.prepared(people: 20)
    let users = try folder.database.rows("SELECT id FROM users")
    let list = folder.url.appending(path: "users.txt").path
    try #require(mkfifo(list, 0o600) == 0)
    // SQLite keeps two files beside a database for as long as someone reads it.
    func names() throws -> [String] {
      try folder.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }
    let before = try names()
    let run = try await CommandRun.vigil(
      arguments: ["calibrate", "--out", "mine.json", "--users", "-"], in: folder,
      launcher: ["/bin/sh", "-c", "exec \"$@\" < users.txt", "sh"]
    ) { process in
      let pipe = try #require(FileHandle(forWritingAtPath: list))
      // More than a pipe holds: once it is written, the command reads, and is about to work.
      try pipe.write(contentsOf: Data(String(repeating: "# no person\n", count: 50_000).utf8))
      kill(process.processIdentifier, SIGINT)
      try pipe.write(contentsOf: Data(users.joined(separator: "\n").utf8))
      try pipe.close()
    }
    #expect(run.status == 130, "\(run.errors)")
    #expect(run.output == "" && run.errors == "")
    let after = try names()
    #expect(after == before)
  }
}
