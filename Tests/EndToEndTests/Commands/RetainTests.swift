import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// `vigil retain`, as an operator uses it.
@Suite struct RetainTests {
  private static let tables = [
    "wearable_daily_metrics", "exercise_sessions", "dose_history", "notification_queue",
    "shadow_notification_queue", "batch_runs", "run_shards", "sms_log", "escalation_log",
    "raised_alerts", "pings",
  ]
  private static let rules =
    "metrics 300d, doses 500d, queues 300d, runs 300d, messages 300d, calls 300d, prompts 300d"
  private static let later = ["--now", "2028-06-30T10:00:00Z"]

  /// The sample with two nights of 2026, and two years later a person with data and two more nights.
  private func aged(_ kind: DatabaseKind) async throws -> TemporaryFolder {
    let folder = try SampleDatabase.imported(
      kind,
      then: [
        ["backfill", "--from", "2026-03-03", "--to", "2026-03-04"],
        ["backfill", "--from", "2026-03-03", "--to", "2026-03-05"],
        ["run", "--date", "2026-06-29", "--live", "--max-notified-persons", "100"],
        ["run", "--date", "2026-06-30"],
      ])
    try folder.database.execute(
      """
      UPDATE notification_queue
      SET status = 'sent', updated_at = '2026-07-02T00:00:00.000000Z' WHERE status = 'pending';
      UPDATE pattern_alert_state
      SET episode_status = 'resolved', resolved_on = '2026-06-30', resolution_reason = 'recovered'
      WHERE episode_status = 'active'
      """)
    var lines = ["user_id,metric_date,source,steps,sleep_minutes"]
    for day in 0..<59 {
      let date = try #require(Day("2028-05-02")) + day
      lines.append("synthetic-8,\(date),samsung,\(5_000 + day * 7),\(400 + Double(day) / 7)")
    }
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "late"), withIntermediateDirectories: true)
    try folder.write(
      lines.joined(separator: "\n") + "\n", to: "late/wearable_daily_metrics.csv")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "archive"), withIntermediateDirectories: true)
    for command in [
      ["import", "csv", "late"], ["run", "--date", "2028-06-28"], ["run", "--date", "2028-06-29"],
      ["run", "--date", "2028-06-29", "--live"],
    ] {
      let run = try await vigil(command, in: folder)
      try #require(run.status == 0 || command.contains("--live"), "\(run.errors)")
    }
    try folder.database.execute(Self.prompts(kind))
    return folder
  }

  /// Text messages, calls, raised alerts and pings of two years ago and of the present month, and some that go on.
  private static func prompts(_ kind: DatabaseKind) -> String {
    let id = "77777777-0000-4000-8000-0000000000"
    let one = "(SELECT id FROM users ORDER BY id LIMIT 1)"
    let other = "(SELECT id FROM users ORDER BY id DESC LIMIT 1)"
    let channels = kind == .sqlite ? "'[\"call\",\"sms\"]'" : "ARRAY['call', 'sms']"
    return """
      INSERT INTO sms_log (
        notification_id, month, recipient_user_id, sms_type, status, delivery_status_at, fencing_token, created_at, updated_at
      ) VALUES
        ('\(id)01', '2026-06-01', \(one), 'alert', 'sent', '2026-06-30T10:00:00.000000Z', 1,
          '2026-06-30T10:00:00.000000Z', '2026-06-30T10:00:00.000000Z'),
        ('\(id)02', '2028-06-01', \(one), 'alert', 'sent', '2028-06-01T10:00:00.000000Z', 1,
          '2028-06-01T10:00:00.000000Z', '2028-06-01T10:00:00.000000Z');
      INSERT INTO raised_alerts (id, user_id, raised_at, status, resolved_at, resolved_by) VALUES
        ('\(id)03', \(one), '2026-06-30T10:00:00.000000Z', 'resolved', '2026-06-30T11:00:00.000000Z', \(other)),
        ('\(id)04', \(one), '2026-06-30T12:00:00.000000Z', 'resolved', '2028-06-30T08:00:00.000000Z', NULL),
        ('\(id)05', \(other), '2026-06-30T12:00:00.000000Z', 'active', NULL, NULL);
      INSERT INTO pings (id, sender_user_id, recipient_user_id, sent_at, expires_at, status, responded_at) VALUES
        ('\(id)06', \(one), \(other), '2026-06-30T10:00:00.000000Z', '2026-07-01T10:00:00.000000Z', 'responded',
          '2026-06-30T10:30:00.000000Z'),
        ('\(id)07', \(other), \(one), '2026-06-30T10:00:00.000000Z', '2026-07-01T10:00:00.000000Z', 'expired', NULL),
        ('\(id)08', \(one), \(other), '2028-06-30T10:00:00.000000Z', '2028-07-01T10:00:00.000000Z', 'pending', NULL);
      DELETE FROM escalation_log;
      INSERT INTO escalation_log (
        id, patient_id, caregiver_id, escalation_type, related_blob_id, triggered_at, window_minutes, status,
        resolved_at, resolution, channels_used, created_at, expires_at, level, step
      ) VALUES
        ('\(id)09', \(one), \(other), 'panic_button', '\(id)03', '2026-06-30T10:00:00.000000Z', 0, 'resolved',
          '2026-06-30T11:00:00.000000Z', 'confirmed_ok', \(channels), '2026-06-30T10:00:00.000000Z',
          '2026-06-30T14:00:00.000000Z', 21, 0),
        ('\(id)10', \(one), \(other), 'pattern_anomaly',
          (SELECT id FROM pattern_alert_state WHERE resolved_on = '2026-06-30' ORDER BY id LIMIT 1),
          '2026-06-30T10:00:00.000000Z', 30, 'expired', NULL, 'no_response', \(channels),
          '2026-06-30T10:00:00.000000Z', '2026-06-30T14:00:00.000000Z', 14, 1),
        ('\(id)11', \(other), \(one), 'panic_button', '\(id)05', '2026-06-30T12:00:00.000000Z', 0, 'expired',
          NULL, 'no_response', \(channels), '2026-06-30T12:00:00.000000Z', '2026-06-30T16:00:00.000000Z', 21, 0);
      """
  }

  private func vigil(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]
  ) async throws -> CommandRun {
    try await CommandRun.vigil(
      arguments: arguments + Self.later, in: folder, environment: environment)
  }

  private func retain(
    _ arguments: String..., in folder: TemporaryFolder, environment: [String: String] = [:]
  ) async throws -> CommandRun {
    try await vigil(
      ["retain"] + arguments, in: folder,
      environment: ["VIGIL_RETENTION": Self.rules].merging(environment) { $1 })
  }

  /// Every row of the tables that rules are about, and the number of rows of all others.
  private func contents(_ folder: TemporaryFolder) throws -> [String: [String]] {
    var contents: [String: [String]] = [:]
    for table in Self.tables {
      contents[table] = try folder.database.rows("SELECT * FROM \(table)").sorted()
    }
    return contents
  }

  private func others(_ folder: TemporaryFolder) throws -> [String: Int] {
    try Dictionary(
      uniqueKeysWithValues: [
        "users", "medications", "pattern_alert_state", "vitality_scores", "trend_insights",
        "dose_analytics",
      ].map { ($0, try folder.database.count($0)) })
  }

  private func rows(_ run: CommandRun, _ key: String = "rows") throws -> [String: Int] {
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
      "\(run.errors)")
    let rows = try #require(document["rows"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0["table"] as? String ?? "", $0[key] as? Int ?? 0) })
  }

  private func archives(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appending(path: "archive").path)
  }

  @Test(arguments: DatabaseKind.allCases)
  func oldRowsGoToAnArchiveAndComeBackEqual(kind: DatabaseKind) async throws {
    let folder = try await aged(kind)
    let (before, kept) = (try contents(folder), try others(folder))
    let planned = try await retain("--format", "json", in: folder)
    #expect(planned.status == 0, "\(planned.errors)")
    let counts = try rows(planned)
    #expect(Set(counts.keys) == Set(Self.tables), "\(counts)")
    #expect(counts["sms_log"] == 1 && counts["raised_alerts"] == 1 && counts["pings"] == 2)
    #expect(counts["escalation_log"] == 2, "\(counts)")
    #expect(try contents(folder) == before)
    let text = try await retain(in: folder)
    #expect(
      text.output.contains("Nothing was changed.") && text.output.contains(" before 2027-09-04"))

    let homeless = try await retain("--yes", in: folder)
    homeless.expectFailure(64, mentioning: "--archive", "VIGIL_RETENTION_ARCHIVE")
    let misplaced = try await retain("--yes", "--archive", "nowhere", in: folder)
    #expect(misplaced.status == 73, "\(misplaced.errors)")
    #expect(try contents(folder) == before)

    let removed = try await retain("--yes", "--archive", "archive", "--format", "json", in: folder)
    #expect(removed.status == 0, "\(removed.errors)")
    #expect(try rows(removed) == counts)
    let after = try contents(folder)
    for (table, old) in before {
      let left = after[table] ?? []
      #expect(left.count == old.count - (counts[table] ?? 0), "\(table)")
      #expect(Set(left).isSubset(of: old), "\(table)")
      #expect(
        !left.isEmpty
          || [
            "dose_history", "exercise_sessions", "notification_queue",
            "shadow_notification_queue",
          ].contains(table), "\(table)")
    }
    #expect(try others(folder) == kept)
    let first = try archives(folder)
    // Runs that notifications referred to are old once these have gone.
    let rest = try await retain("--yes", "--archive", "archive", "--format", "json", in: folder)
    #expect(Set(try rows(rest).keys) == ["batch_runs", "run_shards"], "\(rest.output)")
    let nothing = try await retain("--yes", "--archive", "archive", in: folder)
    #expect(nothing.output.hasPrefix("Nothing to remove"), "\(nothing.output)\(nothing.errors)")
    let second = try archives(folder).filter { !first.contains($0) }
    try #require(first.count == 1 && second.count == 1)
    let last = try contents(folder)

    let checked = try await vigil(["retain", "restore", "archive/\(second[0])"], in: folder)
    #expect(
      checked.status == 0 && checked.output.contains("Nothing was changed."), "\(checked.errors)")
    #expect(try contents(folder) == last)
    for (name, (expected, present)) in zip(
      second + first, [(after, try rows(rest)), (before, counts)])
    {
      let restored = try await vigil(
        ["retain", "restore", "archive/\(name)", "--yes", "--format", "json"], in: folder)
      #expect(restored.status == 0, "\(restored.errors)")
      #expect(try rows(restored, "inserted") == present)
      #expect(try contents(folder) == expected)
      let again = try await vigil(
        ["retain", "restore", "archive/\(name)", "--yes", "--format", "json"], in: folder)
      #expect(try rows(again, "present") == present)
      #expect(try contents(folder) == expected)
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func whatNightsNeedStays(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind, then: [["run", "--date", "2026-06-30"]])
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "archive"), withIntermediateDirectories: true)
    let metrics = try folder.database.count("wearable_daily_metrics")
    let refused = try await CommandRun.vigil(
      "retain", "--retention", "metrics 20d", "--archive", "archive", "--yes", in: folder)
    refused.expectFailure(64, mentioning: "metrics", "nothing was removed")
    let match = try #require(refused.errors.firstMatch(of: /need those from (....-..-..) on/))
    let first = try #require(Day(String(match.1)))
    #expect(try folder.database.count("wearable_daily_metrics") == metrics)
    // One day more than is needed is refused, and what is needed is not.
    let today = TestClock.today
    let day = try await CommandRun.vigil(
      "retain", "--retention", "metrics \(today - first - 1)d", in: folder)
    #expect(day.status == 64)
    let exact = try await CommandRun.vigil(
      "retain", "--retention", "metrics \(today - first)d", in: folder)
    #expect(exact.status == 0, "\(exact.errors)")
    // Doses are needed for longer: those since a count of a medication's units, of 400 days at most.
    let doses = try await CommandRun.vigil("retain", "--retention", "doses 300d", in: folder)
    doses.expectFailure(64, mentioning: "doses", "nothing was removed")
  }

  /// Quotas count the text messages of the present month.
  @Test(arguments: DatabaseKind.allCases)
  func textMessagesOfTheMonthStay(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder.migrated(kind)
    let refused = try await CommandRun.vigil(
      "retain", "--retention", "messages 29d", "--now", "2026-07-31T10:00:00Z", in: folder)
    refused.expectFailure(64, mentioning: "messages", "from 2026-07-01 on", "nothing was removed")
    let exact = try await CommandRun.vigil(
      "retain", "--retention", "messages 30d", "--now", "2026-07-31T10:00:00Z", in: folder)
    #expect(exact.status == 0, "\(exact.errors)")
  }

  /// A night finds the same without what retention removes.
  @Test(arguments: DatabaseKind.allCases)
  func nightsFindTheSameWithoutWhatGoes(kind: DatabaseKind) async throws {
    let night = ["run", "--date", "2026-06-30"]
    let whole = try SampleDatabase.imported(kind, then: [["run", "--date", "2026-06-29"]])
    let folder = try SampleDatabase.imported(kind, then: [["run", "--date", "2026-06-29"]])
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "archive"), withIntermediateDirectories: true)
    let (metrics, doses) = (
      try await limit("metrics", in: folder), try await limit("doses", in: folder)
    )
    // Older data than a night needs, which differ from the rest.
    for database in [whole.database, folder.database] {
      try database.execute(
        """
        INSERT INTO wearable_daily_metrics (user_id, metric_date, source, steps, created_at, updated_at)
        SELECT id, '2025-06-01', 'watch', 1, '2025-06-02T00:00:00.000000Z', '2025-06-02T00:00:00.000000Z'
        FROM users;
        INSERT INTO dose_history (
          id, medication_id, status, scheduled_time, actual_time, recorded_timezone, created_at, updated_at
        )
        SELECT id, id, 'taken', NULL, '2025-01-01T08:00:00.000000Z', 'UTC', '2025-01-01T08:00:00.000000Z',
          '2025-01-01T08:00:00.000000Z'
        FROM medications
        """)
    }
    let removed = try await CommandRun.vigil(
      "retain", "--retention", "metrics \(metrics)d, doses \(doses)d", "--archive", "archive",
      "--yes",
      in: folder)
    #expect(removed.status == 0, "\(removed.errors)")
    #expect(
      try folder.database.count("wearable_daily_metrics")
        < whole.database.count("wearable_daily_metrics"))
    #expect(try folder.database.count("dose_history") < whole.database.count("dose_history"))
    for own in [whole, folder] {
      let run = try await CommandRun.vigil(arguments: night, in: own)
      try #require(run.status == 0, "\(run.errors)")
    }
    for table in ["pattern_alert_state", "vitality_scores", "trend_insights", "dose_analytics"] {
      let expected = try results(whole, table)
      #expect(!expected.isEmpty)
      #expect(try results(folder, table) == expected, "\(table)")
    }
  }

  /// The fewest days for which a rule may keep a subject.
  private func limit(_ subject: String, in folder: TemporaryFolder) async throws -> Int {
    let refused = try await CommandRun.vigil(
      "retain", "--retention", "\(subject) 9d", in: folder)
    let match = try #require(refused.errors.firstMatch(of: /need those from (....-..-..) on/))
    return TestClock.today - (try #require(Day(String(match.1))))
  }

  /// The rows of a table without ids of runs and times.
  private func results(_ folder: TemporaryFolder, _ table: String) throws -> [String] {
    let left: Set = ["run_id", "computed_at", "evaluated_at", "created_at", "updated_at"]
    let result = try folder.database.result(of: "SELECT * FROM \(table)")
    let columns = result.columns.indices.filter { !left.contains(result.columns[$0]) }
    return result.rows.map { row in
      columns.map { "\(result.columns[$0])=\(row[$0] ?? "NULL")" }.joined(separator: " ")
    }.sorted()
  }

  @Test(arguments: DatabaseKind.allCases)
  func erasedPersonsStayErased(kind: DatabaseKind) async throws {
    let folder = try await aged(kind)
    let removed = try await retain("--yes", "--archive", "archive", in: folder)
    try #require(removed.status == 0, "\(removed.errors)")
    let name = try #require(try archives(folder).first)
    let person = try #require(
      try folder.database.rows("SELECT user_id FROM medications ORDER BY user_id LIMIT 1").first)
    try folder.write("0123456789abcdef0123456789abcdef\n", to: "erasure.key")
    let key = ["VIGIL_ERASURE_KEY_FILE": "erasure.key"]
    let erased = try await vigil(
      ["person", "erase", person, "--yes"], in: folder, environment: key)
    try #require(erased.status == 0, "\(erased.errors)")
    // Without the key of the list, or with another, it is not known who was erased.
    try folder.write("fedcba9876543210fedcba9876543210\n", to: "other.key")
    for environment in [[:], ["VIGIL_ERASURE_KEY_FILE": "other.key"]] {
      let refused = try await vigil(
        ["retain", "restore", "archive/\(name)", "--yes"], in: folder, environment: environment)
      refused.expectFailure(64, mentioning: "VIGIL_ERASURE_KEY_FILE")
    }
    // The second time, an app has made the person anew.
    for isThere in [false, true] {
      if isThere {
        try folder.database.execute(
          """
          INSERT INTO users (id, created_at, updated_at)
          VALUES ('\(person)', '2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000000Z')
          """)
      }
      let restored = try await vigil(
        ["retain", "restore", "archive/\(name)", "--yes"], in: folder, environment: key)
      #expect(restored.status == 0, "\(restored.errors)")
      #expect(restored.output.contains("of persons who were erased"), "\(restored.output)")
      #expect(
        try folder.database.count("wearable_daily_metrics WHERE user_id = '\(person)'") == 0)
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func damagedArchivesAreRefused(kind: DatabaseKind) async throws {
    let folder = try await aged(kind)
    let removed = try await retain("--yes", "--archive", "archive", in: folder)
    try #require(removed.status == 0, "\(removed.errors)")
    let name = try #require(try archives(folder).first)
    let file = folder.url.appending(path: "archive/\(name)")
    let bytes = try Data(contentsOf: file)
    let before = try contents(folder)
    var random = SeededGenerator(seed: 11)
    for _ in 0..<Repetitions.count(fast: 8, long: 300) {
      var damaged = bytes
      damaged[Int.random(in: 0..<bytes.count, using: &random)] ^= 0x10
      try damaged.write(to: file)
      let run = try await vigil(["retain", "restore", "archive/\(name)", "--yes"], in: folder)
      // A byte that no reader looks at, such as the time of a file, changes nothing.
      #expect(run.status == 65 || run.status == 0, "\(run.errors)")
      if run.status == 0 { break }
      #expect(try contents(folder) == before)
    }
    try bytes.prefix(bytes.count / 2).write(to: file)
    let cut = try await vigil(["retain", "restore", "archive/\(name)", "--yes"], in: folder)
    #expect(cut.status == 65, "\(cut.errors)")
  }

  @Test(arguments: [
    "metrics", "metrics 3", "metrics 3y, metrics 2y", "alerts 3y", "queues 0d", "runs 1m", "",
  ])
  func rulesThatSayNothingAreRefused(rules: String) async throws {
    let folder = try SampleDatabase.imported(.sqlite)
    let run = try await CommandRun.vigil("retain", "--retention", rules, in: folder)
    run.expectFailure(64, mentioning: "retention")
  }
}
