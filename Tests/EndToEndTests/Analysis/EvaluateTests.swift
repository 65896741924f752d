import Foundation
import TestDatabases
import TestSupport
import Testing

/// The sample's labels beside the alerts of each profile.
@Suite struct EvaluateTests {
  private static let labels = SharedFolder.repository.appending(path: "datasets/sample/labels.csv")
    .path

  private func backfilled(_ kind: DatabaseKind, _ profile: String) async throws -> TemporaryFolder {
    let folder = try SampleDatabase.importedWithoutDoses(
      kind,
      then: [
        [
          "backfill", "--from", "2026-03-03", "--to", "2026-06-30", "--only", "patterns",
          "--thresholds", profile,
        ]
      ])
    return folder
  }

  /// The counts are those of the README.
  @Test(arguments: DatabaseKind.allCases)
  func v3FindsSixteenOfEighteenChangesAndTwoOthers(kind: DatabaseKind) async throws {
    let folder = try await backfilled(kind, "v3")
    let run = try await CommandRun.vigil(
      "evaluate", "--labels", Self.labels, "--labels-complete", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.hasPrefix(
        "v3 found 16 of 18 changes in 12 persons, half by day 4, with 2 false alerts."),
      "\(run.output)")
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.output)")
  }

  /// A limit that someone has set says nothing about detection.
  @Test(arguments: DatabaseKind.allCases)
  func alertsOfLimitsAreCountedApart(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.importedWithoutDoses(kind)
    try folder.database.execute(
      """
      INSERT INTO person_limits (
        user_id, metric_type, direction, limit_value, days, severity, starts_on, ends_on, set_by
      ) SELECT id, 'steps', 'below', 5000, 1, 'watch', '2026-03-01', '2026-12-31', 'Dr. Lee' FROM users
      """)
    let night = try await CommandRun.vigil(
      "backfill", "--from", "2026-03-03", "--to", "2026-06-30", "--only", "patterns",
      "--thresholds", "v3", in: folder)
    try #require(night.status == 0, "\(night.errors)")
    let alerts = try folder.database.count(
      "pattern_alert_state WHERE pattern_type = 'critical_value_below'")
    #expect(alerts > 10)
    let evaluate = ["evaluate", "--labels", Self.labels, "--labels-complete"]
    let text = try await CommandRun.vigil(arguments: evaluate, in: folder)
    #expect(text.output.contains("with 2 false alerts."), "\(text.output)\(text.errors)")
    #expect(
      text.output.contains("\(alerts) alerts of limits are counted in none"), "\(text.output)")
    #expect(text.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text.output)")
    let json = try await CommandRun.vigil(arguments: evaluate + ["--format", "json"], in: folder)
    #expect(json.output.contains("\"limit_alerts\" : \(alerts)"), "\(json.output)")
  }

  @Test func v1FindsAsManyAmongHundredsOfFalseAlerts() async throws {
    let folder = try await backfilled(.sqlite, "v1")
    let run = try await CommandRun.vigil(
      "evaluate", "--labels", Self.labels, "--labels-complete", "--format", "json", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let total = try #require(document["total"] as? [String: Any])
    #expect(total["labels"] as? Int == 18)
    #expect(total["found"] as? Int == 16)
    #expect(total["alerts"] as? Int == 588)
    // A second path: alerts that no label holds, counted by the database.
    let folderLabels = try String(contentsOfFile: Self.labels, encoding: .utf8)
      .split(separator: "\n").dropFirst().map { $0.split(separator: ",").map(String.init) }
    let explained = folderLabels.map { label in
      """
      user_id = '\(label[0])' AND metric_type = '\(label[1])' AND date(active_since, '+2 days')
        BETWEEN '\(label[3])' AND date('\(label[4])', '+7 days')
      """
    }
    let others = try folder.database.rows(
      "SELECT count(*) FROM pattern_alert_state WHERE medication_id IS NULL"
        + " AND metric_type <> 'dose_adherence_pct' AND NOT (("
        + explained.joined(separator: ") OR (") + "))")
    #expect(others == ["\(total["others"] as? Int ?? -1)"])
  }

  @Test func daysNarrowAlertsAndLabelsDown() async throws {
    let folder = try await backfilled(.sqlite, "v3")
    let run = try await CommandRun.vigil(
      "evaluate", "--labels", Self.labels, "--from", "2026-06-01", "--format", "json", in: folder)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(document["first_day"] as? String == "2026-06-01")
    let judged = try #require(document["judged_person_days"] as? Int)
    #expect((200...(12 * 30)).contains(judged), "\(judged)")
    let total = try #require(document["total"] as? [String: Any])
    #expect(total["labels"] as? Int == 6)
    let beyond = try await CommandRun.vigil(
      "evaluate", "--labels", Self.labels, "--from", "2026-06-01", "--to", "2030-01-01",
      "--format", "json", in: folder)
    #expect(beyond.output == run.output, "days that were not evaluated do not count")
    let never = try await CommandRun.vigil(
      "evaluate", "--labels", Self.labels, "--from", "2027-01-01", "--to", "2027-02-01", in: folder)
    never.expectFailure(64, mentioning: "evaluated from 2026-03-03 to 2026-06-30")
    // Without --labels-complete an alert that matches no label is not known to be false.
    #expect(total["precision"] is NSNull)
  }

  @Test func daysWithoutDataAndPersonsWithFewDaysChangeNoRate() async throws {
    let folder = try await backfilled(.sqlite, "v3")
    func evaluated(_ labels: String) async throws -> [String: Any] {
      let run = try await CommandRun.vigil(
        "evaluate", "--labels", labels, "--format", "json", in: folder)
      #expect(run.status == 0, "\(run.errors)")
      return try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }
    let before = try await evaluated(Self.labels)
    let later = try await CommandRun.vigil(
      "backfill", "--from", "2025-12-01", "--to", "2026-01-31", "--only", "patterns",
      "--thresholds", "v3", in: folder)
    #expect(later.status == 0, "\(later.errors)")
    let after = try await evaluated(Self.labels)
    #expect(after["first_day"] as? String == "2025-12-01")
    #expect(before["judged_person_days"] as? Int == after["judged_person_days"] as? Int)

    // A change in the first days of the data: too few values are before it.
    let person = try #require(try folder.database.rows("SELECT id FROM users ORDER BY id").first)
    let text = try String(contentsOfFile: Self.labels, encoding: .utf8)
    try (text + "\(person),steps,drop,2026-03-03,2026-03-04,0.5,3\n").write(
      to: folder.url.appending(path: "labels.csv"), atomically: true, encoding: .utf8)
    let total = try #require(try await evaluated("labels.csv")["total"] as? [String: Any])
    #expect(total["labels"] as? Int == 19)
    #expect(total["judged"] as? Int == 18)
  }

  @Test func otherThresholdsThanThoseOfTheAlertsAreRefused() async throws {
    let folder = try await backfilled(.sqlite, "v3")
    let run = try await CommandRun.vigil(
      "evaluate", "--labels", Self.labels, "--thresholds", "v2", in: folder)
    run.expectFailure(65, mentioning: "found with v3@", "--thresholds is v2@")
  }

  @Test(arguments: [
    ("person,first\nanna,2026-05-01\n", 65, ["labels.csv", "first_day, last_day"]),
    (
      "user_id,first_day,last_day\nanna,2026-05-01,2026-02-31\n,2026-05-01,2026-05-02\n", 65,
      ["labels.csv:2: last_day: not a date", "labels.csv:3: user_id: missing"]
    ),
    (
      "user_id,first_day,last_day\nanna,2026-05-03,2026-05-01\n", 65,
      ["labels.csv:2: last_day: before first_day"]
    ),
    (
      "user_id,first_day,last_day,metric_type\nsynthetic-8,2026-05-01,2026-05-02,dose\n", 65,
      ["follow no metric \"dose\"", "dose_adherence_pct"]
    ),
    (
      "user_id,first_day,last_day\nsomeone-else,2026-05-01,2026-05-02\n", 65,
      ["1 of 1 rows", "line 2", "no person"]
    ),
  ])
  func badLabelsAreNamed(text: String, status: Int, words: [String]) async throws {
    let folder = try SampleDatabase.importedWithoutDoses()
    let run = try await CommandRun.vigil(
      "backfill", "--from", "2026-06-29", "--to", "2026-06-30", "--only", "patterns", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    try text.write(
      to: folder.url.appending(path: "labels.csv"), atomically: true, encoding: .utf8)
    let refused = try await CommandRun.vigil("evaluate", "--labels", "labels.csv", in: folder)
    #expect(refused.status == Int32(status), "\(refused.errors)")
    for word in words { #expect(refused.errors.contains(word), "\(refused.errors)") }
    #expect(refused.output.isEmpty)
    #expect(!refused.errors.contains("someone-else"), "an id may be a name")
  }

  @Test func aDatabaseThatWasNeverEvaluatedSaysSo() async throws {
    let folder = try SampleDatabase.importedWithoutDoses()
    let run = try await CommandRun.vigil("evaluate", "--labels", Self.labels, in: folder)
    run.expectFailure(65, mentioning: "no run", "vigil backfill")
    let missing = try await CommandRun.vigil("evaluate", "--labels", "none.csv", in: folder)
    missing.expectFailure(64, mentioning: "none.csv")
  }
}
