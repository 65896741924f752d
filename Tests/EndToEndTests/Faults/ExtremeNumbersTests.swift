import Foundation
import TestDatabases
import TestSupport
import Testing

/// Extreme numbers in every place that comes from elsewhere: each command ends with a status of its own.
///
/// Each command is a process: one that traps would end the tests. A failure names its seed, by which it replays.
@Suite struct ExtremeNumbersTests {
  /// The statuses of `vigil --help`, without that of an internal error.
  private static let statuses: Set<Int32> = [0, 64, 65, 69, 73, 75, 77]

  /// Sends to a program that is always content.
  private static let providers = """
    {"channels": {"push": {"command": ["/bin/true"]}, "email": {"command": ["/bin/true"]},
     "sms": {"command": ["/bin/true"]}},
     "escalation": {"alerts": {"3": 5, "7": 5, "14": 5, "21": 5}}}
    """

  /// Rows of tables that the sample leaves empty.
  private static let otherRows = """
    INSERT INTO caregiver_availability (user_id, weekday, starts_at, ends_at)
    SELECT id, 3, '22:00', '06:00' FROM users;
    INSERT INTO do_not_disturb (user_id, weekday, starts_at, ends_at)
    SELECT id, 2, '22:00', '06:00' FROM users;
    INSERT INTO caregiver_priority (user_id, caregiver_id, priority)
    SELECT own.user_id, other.user_id, 1 FROM family_members AS own
    JOIN family_members AS other
      ON other.family_id = own.family_id AND other.user_id <> own.user_id;
    INSERT INTO check_in_plans (user_id, interval_minutes, grace_minutes, starts_at)
    SELECT id, 1440, 60, '2026-06-20T08:00:00.000000Z' FROM users;
    INSERT INTO check_ins (user_id, checked_in_at)
    SELECT id, '2026-06-25T08:00:00.000000Z' FROM users;
    INSERT INTO sensitivity_overrides (user_id, metric_type, sensitivity)
    SELECT id, 'steps', 'higher' FROM users;
    """

  private func database(_ kind: DatabaseKind) throws -> TemporaryFolder {
    let folder = try SampleDatabase.imported(
      kind,
      then: [
        ["backfill", "--from", "2026-06-01", "--to", "2026-06-26"], ["golive"],
        ["run", "--date", "2026-06-28", "--live", "--max-notified-persons", "1000"],
        ["run", "--date", "2026-06-30", "--live", "--max-notified-persons", "1000"],
      ])
    try folder.write(Self.providers, to: "providers.json")
    try folder.database.execute(Self.otherRows)
    return folder
  }

  private func expectOrderlyEnd(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    _ place: String
  ) async throws {
    let run: CommandRun
    do {
      run = try await CommandRun.vigil(
        arguments: arguments, in: folder,
        environment: ["VIGIL_PROVIDERS": "providers.json"].merging(environment) { $1 },
        timeout: 300, isProcess: true)
    } catch is CommandRun.TimedOut {
      Issue.record("\(place): vigil \(arguments) did not end")
      return
    }
    #expect(
      Self.statuses.contains(run.status), "\(place): vigil \(arguments): \(run.errors.suffix(2000))"
    )
  }

  /// Commands that read all tables, and such that evaluate, send and remove.
  private func commands(
    _ folder: TemporaryFolder, _ random: inout SeededGenerator
  ) throws -> [[String]] {
    let person = random.pick(
      try folder.database.rows("SELECT DISTINCT user_id FROM vitality_scores ORDER BY 1"))
    let alert =
      try folder.database.rows("SELECT id FROM pattern_alert_state ORDER BY 1").first ?? ""
    let medication = try folder.database.rows("SELECT id FROM medications ORDER BY 1").first ?? ""
    let profile = random.pick(["v1", "v2", "v3", "v3-strict"])
    let metric = random.pick([
      "steps", "resting_hr", "sleep_minutes", "hrv_ms", "dose_adherence_pct", "inactivity",
      "combined",
    ])
    let evaluating = ["--max-bad-rows", "100%", "--switch-profile", "--thresholds", profile]
    let commands = [
      ["run", "--live", "--date", "2026-06-30", "--max-notified-persons", "1000"] + evaluating,
      ["run", "--date", "2026-06-30"] + evaluating, ["run", "--user", person],
      ["backfill", "--from", "2026-06-20", "--to", "2026-06-30", "--restart"] + evaluating,
      ["dispatch", "--once"], ["dispatch", "--dry-run"], ["alerts", "list", "--limit", "0"],
      ["alerts", "list", "--format", "json"], ["alerts", "list", "--format", "csv"],
      ["alerts", "show", alert, "--svg", "a.svg", "--force"],
      ["explain", "--user", person, "--metric", metric, "--thresholds", profile, "--svg", "b.svg"],
      ["explain", "--user", person, "--score", "total"],
      ["explain", "--user", person, "--medication", medication], ["adherence"],
      ["insights", "--all"], ["queue", "list", "--limit", "0"],
      ["queue", "list", "--shadow", "--format", "json"], ["queue", "list", "--held"],
      ["runs", "list"], ["runs", "list", "--format", "json"], ["golive"],
      ["report", "--out", "a.html", "--force"],
      ["report", "--share", "--out", "b.html", "--force"],
      ["export", "alerts", "--out", "-"], ["export", "observations", "--out", "-"],
      ["export", "doses", "--out", "-"], ["doctor"], ["doctor", "--full"],
      ["compare", "--thresholds", "v1", "--thresholds", "v3"]
        + ["--from", "2026-06-10", "--to", "2026-06-28"],
      ["queue", "prune", "--older-than", "1h"],
    ]
    return commands.shuffled(using: &random)
  }

  @Test(arguments: DatabaseKind.allCases)
  func noValueOfATableEndsACommand(kind: DatabaseKind) async throws {
    for seed in 1...Repetitions.count(fast: 3, long: 200) {
      var random = SeededGenerator(seed: seed)
      let folder = try database(kind)
      let commands = try commands(folder, &random)
      try folder.database.dropConstraints()
      let tables = try folder.database.filledTables()
      var forced: [String] = []
      for _ in 0..<random.pick([1, 2, 4, 8]) {
        let table = random.pick(tables)
        let column = random.pick(try folder.database.columns(of: table))
        let present = try folder.database.rows(
          "SELECT \(column.name) FROM \(table) WHERE \(column.name) IS NOT NULL LIMIT 1"
        ).first
        guard
          let value = ExtremeNumbers.value(
            ofType: column.type, present: present, random: &random)
        else { continue }
        let condition = try random.chance(0.5) ? "" : oneRow(of: table, in: folder.database)
        if folder.database.force(value, into: column.name, of: table, where: condition) {
          forced.append("\(table).\(column.name) = \(value.prefix(300)) \(condition)")
        }
      }
      for command in commands.prefix(Repetitions.count(fast: 6, long: 10)) {
        try await expectOrderlyEnd(command, in: folder, "seed \(seed), \(forced)")
      }
    }
  }

  private func oneRow(of table: String, in database: TestDatabase) throws -> String {
    switch database.kind {
    case .sqlite: "WHERE rowid = (SELECT min(rowid) FROM \(table))"
    case .postgres: "WHERE ctid = (SELECT min(ctid) FROM \(table))"
    }
  }

  @Test func noNumberOfASettingsFileEndsACommand() async throws {
    let shipped = ["v1", "v2", "v3", "v3-strict", "vitality.v1", "vitality.v2"]
    for seed in 1...Repetitions.count(fast: 3, long: 200) {
      var random = SeededGenerator(seed: seed)
      let folder = try database(.sqlite)
      let name = random.pick(shipped)
      let own = try String(
        contentsOf: SharedFolder.repository.appending(path: "thresholds/\(name).json"),
        encoding: .utf8)
      let share = random.pick([0.01, 0.03, 0.1])
      try folder.write(
        ExtremeNumbers.replacingNumbers(in: own, share: share, random: &random), to: "own.json")
      let option = name.hasPrefix("vitality") ? "--vitality" : "--thresholds"
      try folder.write(
        ExtremeNumbers.replacingNumbers(
          in: """
            {"poll_seconds": 10, "per_recipient_and_day": 5, "escalation": {"alerts": {"7": 30}},
             "channels": {"push": {"command": ["/bin/true"], "concurrency": 8, "per_second": 5,
             "timeout_seconds": 10, "retry_first_seconds": 60, "retry_longest_seconds": 3600,
             "lease_seconds": 60}}}
            """, share: 0.3, random: &random), to: "providers.json")
      for command in [
        ["thresholds", "check", "own.json"],
        ["run", "--date", "2026-06-30", option, "own.json", "--switch-profile"],
        ["explain", "--metric", "steps", option, "own.json"], ["dispatch", "--once"],
        ["doctor", option, "own.json"],
      ] {
        try await expectOrderlyEnd(command, in: folder, "seed \(seed), \(name) with \(share)")
      }
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func noNumberOfAnImportedFileEndsACommand(kind: DatabaseKind) async throws {
    let sample = SharedFolder.repository.appending(path: "datasets/sample")
    let files = [
      "wearable_daily_metrics", "exercise_sessions", "schedules", "dose_history", "medications",
      "user_profiles", "users", "timezone_events", "schedule_adjustments",
    ]
    for seed in 1...Repetitions.count(fast: 2, long: 100) {
      var random = SeededGenerator(seed: seed)
      let folder = try TemporaryFolder(kind)
      try FileManager.default.copyItem(at: sample, to: folder.url.appending(path: "in"))
      let name = random.pick(files)
      let url = folder.url.appending(path: "in/\(name).csv")
      var lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(
        String.init)
      let columns = lines[0].split(separator: ",").count
      let column = Int.random(in: 0..<columns, using: &random)
      for line in lines.indices.dropFirst() where random.chance(0.3) && !lines[line].contains("\"")
      {
        var cells = lines[line].split(separator: ",", omittingEmptySubsequences: false).map(
          String.init)
        if column < cells.count { cells[column] = random.pick(ExtremeNumbers.texts) }
        lines[line] = cells.joined(separator: ",")
      }
      try (lines.joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
      let place = "seed \(seed), column \(column) of \(name)"
      for command in [
        ["import", "csv", "in", "--max-bad-rows", "100%"],
        ["backfill", "--from", "2026-06-20", "--to", "2026-06-30", "--max-bad-rows", "100%"],
        ["insights", "--all"], ["adherence"], ["alerts", "list"],
        ["report", "--out", "a.html"], ["export", "observations", "--out", "-"],
      ] {
        try await expectOrderlyEnd(command, in: folder, place)
      }
    }
  }

  /// An option as `--experimental-dump-help` names it.
  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable { var name: String }
      var kind: String
      var preferredName: Name?
      var isOptional: Bool
    }
    var commandName: String
    var arguments: [Argument]?
    var subcommands: [Command]?

    /// Each command with its words.
    func all(below words: [String] = []) -> [(words: [String], arguments: [Argument])] {
      let own = words.isEmpty ? [] : [(words, arguments ?? [])]
      return (subcommands ?? []).reduce(own) { $0 + $1.all(below: words + [$1.commandName]) }
    }
  }

  /// The arguments that commands need beside the one that is tried; of few people, so that they end.
  private static let needed = [
    "generate": ["--people=2", "--days=5", "--seed=1"],
    "calibrate": ["--out=c.json", "--people=100"],
    "compare": ["--thresholds=v1", "--thresholds=v2", "--from=2026-06-10", "--to=2026-06-28"],
    "backfill": ["--from=2026-06-28", "--to=2026-06-30"], "report": ["--out=a.html"],
    "explain": ["--metric=steps"], "dispatch": ["--once"],
  ]
  /// Many of them are allowed, and take their time.
  private static let lasting: Set<String> = ["people", "days", "medications", "families", "wait"]

  @Test func noArgumentAndNoVariableEndsACommand() async throws {
    let prepared = try database(.sqlite)
    let help = try await CommandRun.vigil("--experimental-dump-help", in: prepared)
    struct Help: Decodable { var command: Command }
    let all = try JSONDecoder().decode(Help.self, from: Data(help.output.utf8)).command.all()
      .filter { $0.words.first != "help" }
    #expect(all.count > 30)
    let variables = [
      "COLUMNS", "VIGIL_DATABASE_RETRY", "VIGIL_MAX_BAD_ROWS", "VIGIL_MAX_NOTIFIED_PERSONS",
      "JOB_COMPLETION_INDEX", "VIGIL_SHADOW_MODE", "VIGIL_TIME_ZONE", "OPENBLAS_NUM_THREADS",
    ]
    for seed in 1...Repetitions.count(fast: 25, long: 1500) {
      var random = SeededGenerator(seed: seed)
      let folder = try prepared.copyOfDatabase()
      try folder.write(Self.providers, to: "providers.json")
      let command = random.pick(all)
      var arguments = command.words + (Self.needed[command.words[0]] ?? [])
      for argument in command.arguments where argument.kind == "positional" && !argument.isOptional
      {
        arguments.append(random.pick(["v1", "alerts", "0", random.pick(ExtremeNumbers.integers)]))
      }
      let options = command.arguments.filter { $0.kind == "option" }.compactMap(
        \.preferredName?.name
      )
      .filter { !["schema", "config", "database"].contains($0) }
      for option in options.shuffled(using: &random).prefix(random.pick([1, 1, 2, 3])) {
        let values =
          Self.lasting.contains(option)
          ? ExtremeNumbers.texts.filter { Double($0).map { $0 > 1e18 || $0 < 1 } ?? true }
          : ExtremeNumbers.texts
        arguments.append("--\(option)=\(random.pick(values))")
      }
      if random.chance(0.3) { arguments.append("--now=\(random.pick(ExtremeNumbers.instants))") }
      var environment: [String: String] = [:]
      for variable in variables where random.chance(0.1) {
        environment[variable] = random.pick(ExtremeNumbers.texts)
      }
      try await expectOrderlyEnd(
        arguments, in: folder, environment: environment, "seed \(seed), \(environment)")
    }
  }

  @Test func noAnswerOfAProviderEndsASender() async throws {
    let server = try ProviderServer()
    for seed in 1...Repetitions.count(fast: 2, long: 60) {
      var random = SeededGenerator(seed: seed)
      let folder = try database(.sqlite)
      let answer = random.pick(
        ExtremeNumbers.integers + ExtremeNumbers.reals + ["nan", "inf", "1e999"])
      let status = random.pick(["429", "503", "200", "999", "000", "-1", "99999999999999999999"])
      try folder.write(
        """
        {"channels": {"push": {"webhook": {"url": "\(server.url("answer/\(status)/\(answer)"))"}}}}
        """, to: "providers.json")
      try await expectOrderlyEnd(
        ["dispatch", "--once"], in: folder, "seed \(seed), status \(status), \(answer)")
    }
  }
}
