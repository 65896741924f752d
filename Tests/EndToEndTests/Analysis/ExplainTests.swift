import Foundation
import TestDatabases
import Testing

/// `vigil explain` on the sample, beside what runs have written.
@Suite struct ExplainTests {
  private func explanation(
    of user: String, _ metric: String, on date: String, in folder: TemporaryFolder,
    _ more: String...
  ) async throws -> [String: Any] {
    let run = try await CommandRun.vigil(
      arguments: [
        "explain", "--user", user, "--metric", metric, "--date", date, "--format", "json",
      ] + more, in: folder)
    try #require(run.status == 0, "\(run.errors)")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  /// `JSONSerialization` reads a number of 17 digits up to a few units of the last place off.
  private func expectSame(_ explained: Double?, _ stored: String, _ comment: Comment) {
    guard let explained, let stored = Double(stored) else {
      Issue.record(comment)
      return
    }
    #expect(abs(explained - stored) <= 4 * stored.ulp, comment)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aSensitivityOfTheirOwnIsSaid(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let person = try #require(
      try folder.database.rows("SELECT id FROM users ORDER BY id").first)
    func explain(_ metric: String) async throws -> CommandRun {
      try await CommandRun.vigil(
        "explain", "--user", person, "--metric", metric, "--date", "2026-06-20", in: folder)
    }
    let usual = try await explain("steps")
    #expect(!usual.output.contains("Sensitivity"))
    try folder.database.execute(
      "INSERT INTO sensitivity_overrides VALUES ('\(person)', 'steps', 'lower')")
    #expect(
      try await explain("steps").output.contains(
        "Sensitivity  lower for this person: 0.35 more evidence is needed"))
    let found = try await explanation(of: person, "steps", on: "2026-06-20", in: folder)
    #expect(found["sensitivity"] as? String == "lower")
    try folder.database.execute("UPDATE sensitivity_overrides SET sensitivity = 'off'")
    let off = try await explain("steps")
    #expect(off.status == 65 && off.output.isEmpty)
    #expect(
      off.errors.hasPrefix("vigil: --metric steps: sensitivity_overrides turns it off"),
      "\(off.errors)")
    #expect(
      try await explain("combined").output.contains("Sensitivity  off for this person: steps"))
  }

  /// The state that a night leaves is the one that is explained for its day, for every person and metric with
  /// an alert, and for as many without one.
  @Test(arguments: DatabaseKind.allCases)
  func anExplanationAgreesWithTheRowsOfTwentyNights(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    // Some of the persons have a sensitivity of their own.
    for (metric, sensitivity) in [
      ("steps", "higher"), ("sleep_minutes", "lower"), ("hrv_ms", "off"), ("combined", "higher"),
    ] {
      try folder.database.execute(
        """
        INSERT INTO sensitivity_overrides
        SELECT id, '\(metric)', '\(sensitivity)' FROM users ORDER BY id LIMIT 5
        """)
    }
    let environment = CommandRun.thresholdsOfDatabase
    let earlier = try await CommandRun.vigil(
      "backfill", "--from", "2026-03-03", "--to", "2026-05-25", in: folder,
      environment: environment)
    try #require(earlier.status == 0, "\(earlier.errors)")
    var (alerts, changes) = (0, Set<String>())
    for day in 0..<20 {
      let date = day < 6 ? "2026-05-\(26 + day)" : "2026-06-\(day < 15 ? "0" : "")\(day - 5)"
      let night = try await CommandRun.vigil(
        "run", "--date", date, in: folder, environment: environment)
      try #require(night.status == 0, "\(night.errors)")
      let rows = try folder.database.rows(
        """
        SELECT user_id, metric_type, active_since, current_level, consecutive_true_days,
          baseline_value, recent_value
        FROM pattern_alert_state
        WHERE resolved_on IS NULL AND medication_id IS NULL ORDER BY user_id, metric_type
        """)
      for row in rows where day.isMultiple(of: 4) || rows.first == row {
        let cells = row.split(separator: "|").map(String.init)
        let found = try await explanation(of: cells[0], cells[1], on: date, in: folder)
        let after = try #require(found["after"] as? [String: Any], "\(row) on \(date)")
        #expect(after["active_since"] as? String == cells[2], "\(row) on \(date)")
        #expect(after["current_level"] as? Int == Int(cells[3]), "\(row) on \(date)")
        #expect(after["consecutive_true_days"] as? Int == Int(cells[4]), "\(row) on \(date)")
        #expect(found["is_alert"] as? Bool == true)
        changes.insert(try #require(found["change"] as? String))
        alerts += 1
        // Several metrics together have no baseline of their own; `severalMetricsAreExplainedTogether` has theirs.
        guard cells[1] != "combined" else { continue }
        let baseline = (after["baseline"] as? [String: Any])?["value"] as? Double
        expectSame(baseline, cells[5], "\(row) on \(date)")
        #expect(found["differs_from_stored"] as? Bool == false)
      }
      let known = Set(rows.map { $0.split(separator: "|").prefix(2).joined(separator: "|") })
      let persons = try folder.database.rows("SELECT id FROM users ORDER BY id")
      let person = persons[day % persons.count]
      for metric in ["steps", "resting_hr"] where !known.contains("\(person)|\(metric)") {
        let found = try await explanation(of: person, metric, on: date, in: folder)
        #expect(found["is_alert"] as? Bool == false, "\(person) \(metric) on \(date)")
      }
    }
    #expect(alerts > 15 && changes.count > 2, "\(alerts) \(changes)")
  }

  @Test func theAnswerComesFirstAndKeepsToEightyColumns() async throws {
    let folder = try SampleDatabase.imported()
    let backfill = try await CommandRun.vigil(
      "backfill", "--from", "2026-03-03", "--to", "2026-06-30", in: folder,
      environment: CommandRun.thresholdsOfDatabase)
    try #require(backfill.status == 0, "\(backfill.errors)")
    func text(_ arguments: String...) async throws -> String {
      let run = try await CommandRun.vigil(
        arguments: ["explain", "--user", "synthetic-10", "--metric"] + arguments, in: folder)
      try #require(run.status == 0, "\(run.errors)")
      // The names of recipients and channels are shortened in a terminal only.
      let lines = run.output.split(separator: "\n").filter { !$0.contains("(shadow)") }
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
      return run.output
    }
    let opened = try await text("hrv_ms", "--date", "2026-04-18")
    #expect(
      opened.split(separator: "\n").first
        == "Alert of level 7, opened on 2026-04-18: over 10 days, heart rate variability")
    #expect(opened.contains("That is more than\nday-to-day variation explains."))
    let eve = try await text("hrv_ms", "--date", "2026-04-17")
    #expect(eve.hasPrefix("No alert on 2026-04-17:"))
    #expect(eve.contains("No value of this day alone would lead to an alert;"))
    let young = try await text("steps", "--date", "2026-03-10")
    #expect(young.contains("too little history"))
    #expect(young.contains("with a value, a day can be judged."))
    let later = try await text("hrv_ms", "--date", "2026-05-04")
    #expect(later.contains("Stored      alert") && later.contains("level 21 (shadow)"))
    let other = try await text("hrv_ms", "--date", "2026-04-17", "--thresholds", "v1")
    #expect(other.contains("no run has evaluated it with these thresholds"))
    #expect(other.contains("drop of at least  15.0 %"))
    // Doses have no rows of a metric; the rest is the same.
    let doses = try await CommandRun.vigil(
      "explain", "--user", "synthetic-1", "--metric", "dose_adherence_pct", "--date", "2026-06-09",
      in: folder)
    #expect(doses.output.hasPrefix("Alert of level 7 on 2026-06-09, and it goes on: it began with"))
  }

  /// Each alert of several metrics opens on its day with the figures that its row has.
  @Test(arguments: DatabaseKind.allCases)
  func severalMetricsAreExplainedTogether(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let backfill = try await CommandRun.vigil(
      "backfill", "--from", "2026-03-03", "--to", "2026-06-30", "--thresholds", "v3-strict",
      in: folder, environment: CommandRun.thresholdsOfDatabase)
    try #require(backfill.status == 0, "\(backfill.errors)")
    let rows = try folder.database.rows(
      """
      SELECT user_id, opened_on, evidence, evidence_threshold, window_days
      FROM pattern_alert_state WHERE metric_type = 'combined' ORDER BY user_id, active_since
      """)
    try #require(!rows.isEmpty)
    for row in rows {
      let cells = row.split(separator: "|").map(String.init)
      let found = try await explanation(of: cells[0], "combined", on: cells[1], in: folder)
      #expect(found["change"] as? String == "opened", "\(row)")
      let windows = try #require(found["windows"] as? [[String: Any]])
      let deciding = windows.filter { $0["decides"] as? Bool == true }
      try #require(deciding.count == 1)
      expectSame(deciding[0]["evidence"] as? Double, cells[2], "\(row)")
      expectSame(deciding[0]["threshold"] as? Double, cells[3], "\(row)")
      #expect(deciding[0]["days"] as? Int == Int(cells[4]), "\(row)")
      for date in [cells[1], "2026-06-30"] {
        let run = try await CommandRun.vigil(
          "explain", "--user", cells[0], "--metric", "combined", "--date", date, in: folder)
        try #require(run.status == 0, "\(run.errors)")
        // The names of recipients and channels are shortened in a terminal only.
        let lines = run.output.split(separator: "\n").filter { !$0.contains("(shadow)") }
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
        #expect(run.output.contains(date == cells[1] ? " *  " : "several metrics on \(date)"))
      }
    }
    let joined = try folder.database.rows(
      """
      SELECT user_id, metric_type, opened_on, event_id
      FROM pattern_alert_state WHERE event_id <> id ORDER BY id
      """)
    try #require(!joined.isEmpty)
    for row in joined {
      let cells = row.split(separator: "|").map(String.init)
      let run = try await CommandRun.vigil(
        "explain", "--user", cells[0], "--metric", cells[1], "--date", cells[2], in: folder)
      #expect(run.output.contains("It joined the event of alert \(cells[3].prefix(8))"), "\(row)")
    }
    let alone = try await CommandRun.vigil(
      "explain", "--user", "synthetic-1", "--metric", "combined", "--thresholds", "v2", in: folder)
    #expect(alone.status == 64)
    #expect(alone.errors.contains("--thresholds v3"))
    let first = try #require(rows.first).split(separator: "|").map(String.init)
    let drawn = try await CommandRun.vigil(
      "explain", "--user", first[0], "--metric", "combined", "--date", first[1], "--svg",
      "together.svg", in: folder)
    #expect(drawn.status == 0, "\(drawn.errors)")
    let svg = try String(
      contentsOf: folder.url.appending(path: "together.svg"), encoding: .utf8)
    #expect(svg.contains("several metrics together"))
  }

  /// The stored alert is named beside the state that changed values lead to.
  @Test func changedInputIsNamed() async throws {
    let folder = try SampleDatabase.importedWithoutDoses(
      then: [
        [
          "backfill", "--from", "2026-03-03", "--to", "2026-06-20", "--only", "patterns",
          "--thresholds", "v3-strict",
        ]
      ])
    let row = try #require(
      try folder.database.rows(
        """
        SELECT user_id, id, active_since FROM pattern_alert_state
        WHERE metric_type = 'combined' AND resolved_on IS NULL
        """
      ).first)
    let cells = row.split(separator: "|").map(String.init)
    let before = try await explanation(of: cells[0], "combined", on: "2026-06-20", in: folder)
    #expect(before["differs_from_stored"] as? Bool == false)
    #expect(before["is_alert"] as? Bool == true)
    // The weeks of the alert become as those a month before.
    try folder.database.execute(
      """
      UPDATE wearable_daily_metrics AS row SET
        (sleep_minutes, movement_minutes, steps, sleep_efficiency_pct, deep_sleep_minutes) = (
          SELECT sleep_minutes, movement_minutes, steps, sleep_efficiency_pct, deep_sleep_minutes
          FROM wearable_daily_metrics AS past
          WHERE past.user_id = row.user_id AND past.source = row.source
            AND past.metric_date = date(row.metric_date, '-28 days'))
      WHERE user_id = '\(cells[0])' AND metric_date >= '\(cells[2])'
      """)
    let after = try await explanation(of: cells[0], "combined", on: "2026-06-20", in: folder)
    #expect(after["is_alert"] as? Bool == false)
    #expect(after["differs_from_stored"] as? Bool == true)
    #expect((after["stored_alert"] as? [String: Any])?["id"] as? String == cells[1])
    let text = try await CommandRun.vigil(
      "explain", "--user", cells[0], "--metric", "combined", "--date", "2026-06-20", in: folder)
    #expect(text.output.contains("the input has changed since then"), "\(text.output)")
    // Nothing has changed for the others.
    let other = try #require(
      try folder.database.rows(
        """
        SELECT user_id, metric_type FROM pattern_alert_state
        WHERE resolved_on IS NULL AND medication_id IS NULL AND user_id <> '\(cells[0])'
        ORDER BY user_id, metric_type
        """
      ).first
    ).split(separator: "|").map(String.init)
    let same = try await explanation(of: other[0], other[1], on: "2026-06-20", in: folder)
    #expect(same["differs_from_stored"] as? Bool == false)
  }

  /// Scores and doses of everybody are computed again, and come to what the backfill has written.
  @Test(arguments: DatabaseKind.allCases)
  func scoresAndDosesAgreeWithTheirRows(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(
      kind, then: [["backfill", "--from", "2026-06-01", "--to", "2026-06-20"]])
    func explain(_ arguments: String...) async throws -> [String: Any] {
      let run = try await CommandRun.vigil(
        arguments: ["explain", "--date", "2026-06-20", "--format", "json"] + arguments, in: folder)
      try #require(run.status == 0, "\(run.errors)")
      return try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }
    let scores = try folder.database.rows(
      """
      SELECT user_id, total_score, sleep_score FROM vitality_scores
      WHERE score_date = '2026-06-20' ORDER BY user_id
      """)
    try #require(scores.count == 12)
    for row in scores {
      let cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      let total = try await explain("--user", cells[0], "--score", "total")
      #expect(total["value"] as? Int == Int(cells[1]), "\(row)")
      let sleep = try await explain("--user", cells[0], "--score", "sleep")
      #expect(sleep["value"] as? Int == Int(cells[2]), "\(row)")
      #expect(sleep["stored_value"] as? Int == Int(cells[2]), "\(row)")
    }
    let doses = try folder.database.rows(
      """
      SELECT user_id, medication_id, taken_doses, missed_doses, days_covered FROM dose_analytics
      WHERE period_kind = '30_days' AND period_end = '2026-06-20' AND medication_id IS NOT NULL
      ORDER BY user_id, medication_id
      """)
    try #require(doses.count > 5)
    for row in doses {
      let cells = row.split(separator: "|").map(String.init)
      let found = try await explain("--user", cells[0], "--medication", cells[1])
      let periods = try #require(found["periods"] as? [[String: Any]])
      let month = try #require(periods.first { $0["period_kind"] as? String == "30_days" })
      let counts = ["taken_doses", "missed_doses", "days_covered"].map { month[$0] as? Int }
      #expect(counts == cells[2...].map { Int($0) }, "\(row)")
      let listed = try #require(found["doses"] as? [[String: Any]])
      let week = try #require(periods.first { $0["period_kind"] as? String == "7_days" })
      let taken = listed.count { $0["outcome"] as? String == "taken" }
      #expect(taken == week["taken_doses"] as? Int, "\(row)")
    }
  }

  /// A snooze and the outcome of notifications are part of the answer.
  @Test func whatMembersDidIsShown() async throws {
    let folder = try SampleDatabase.imported()
    let environment = CommandRun.thresholdsOfDatabase
    for arguments in [
      ["backfill", "--from", "2026-03-03", "--to", "2026-06-12"], ["golive"],
      ["run", "--live", "--date", "2026-06-13"],
    ] {
      let run = try await CommandRun.vigil(
        arguments: arguments, in: folder, environment: environment)
      try #require(run.status == 0, "\(arguments) \(run.errors)")
    }
    let alert = try folder.database.rows(
      """
      SELECT id, user_id, metric_type FROM pattern_alert_state
      WHERE resolved_on IS NULL AND medication_id IS NULL LIMIT 1
      """)
    let cells = try #require(alert.first).split(separator: "|").map(String.init)
    let snooze = try await CommandRun.vigil(
      "alerts", "snooze", cells[0], "--until", "2999-03-12", "--by", cells[1], in: folder)
    try #require(snooze.status == 0, "\(snooze.errors)")
    let run = try await CommandRun.vigil(
      "explain", "--user", cells[1], "--metric", cells[2], "--date", "2026-06-13", in: folder)
    #expect(run.output.contains("Snoozed until 2999-03-12"), "\(run.output)\(run.errors)")
  }

  @Test(arguments: [
    (["--user", "stranger", "--metric", "steps"], 65, "1 of 1 ids belong to no person"),
    (["--user", "synthetic-1", "--metric", "stepz"], 64, "did you mean steps?"),
    (["--user", "synthetic-1", "--metric", "steps", "--date", "tomorrow"], 64, "--date"),
    (["--user", "synthetic-1", "--metric", "steps", "--date", "2999-01-01"], 64, "is after today"),
    (["--user", "synthetic-1"], 64, "give one of --metric, --score and --medication"),
    (["--user", "synthetic-1", "--score", "hrv"], 64, "scores are total, sleep, movement, stress"),
    (["--user", "synthetic-1", "--medication", "aspirin"], 64, "is no id"),
    (["--user", "synthetic-1", "--medication", "00000000"], 65, "not exactly one medication"),
  ])
  func faultsAreNamed(arguments: [String], status: Int, message: String) async throws {
    let folder = try SampleDatabase.importedWithoutDoses()
    let run = try await CommandRun.vigil(arguments: ["explain"] + arguments, in: folder)
    run.expectFailure(Int32(status), mentioning: message)
  }
}
