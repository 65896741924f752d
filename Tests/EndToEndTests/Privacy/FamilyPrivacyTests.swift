import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing

/// The rights of members of a family on the data of each other, as an app and an operator ask.
@Suite struct FamilyPrivacyTests {
  /// Three members of a family, each with medications.
  private static let members = ["7e566b8a", "adf4d408", "ba205763"]

  /// The sample after a backfill, in which each dose has a note and a place.
  private func evaluated(_ kind: DatabaseKind = .postgres) throws -> TemporaryFolder {
    let folder = try SampleDatabase.imported(
      kind, then: [["backfill", "--from", "2026-05-20", "--to", "2026-06-20"]])
    try folder.database.execute(
      """
      UPDATE dose_history SET notes = 'felt dizzy', location_latitude = 40.4,
        location_longitude = -3.7, location_city = 'Madrid'
      """)
    return folder
  }

  private func person(_ start: String, in folder: TemporaryFolder) throws -> String {
    try #require(
      try folder.database.rows("SELECT id FROM users WHERE CAST(id AS text) LIKE '\(start)%'").first
    )
  }

  /// The session of an app that acts for a member.
  private func app(_ folder: TemporaryFolder, for member: String) throws -> PostgresSession {
    guard case .postgres(let schema) = folder.database else {
      preconditionFailure("SQLite has no readers")
    }
    _ = try folder.database.open(asMemberOf: "vigil_reader")
    let session = try PostgresSession(
      url: schema.url(as: "member_of_vigil_reader"), schema: schema.name)
    try session.execute("SET app.current_user_id = '\(member)'")
    return session
  }

  /// The persons in whose rows a member finds something, by the first digits of their ids.
  private func persons(in query: String, of session: PostgresSession) throws -> [String] {
    try session.rows("SELECT DISTINCT left(user_id::text, 8) FROM \(query) ORDER BY 1").values
      .compactMap { $0[0] }
  }

  private static let doses =
    "dose_history JOIN medications ON medications.id = dose_history.medication_id"

  /// Tables, and what opens them.
  private static let data = [
    "wearable_daily_metrics": "metrics", "exercise_sessions": "metrics",
    "medications": "medications",
  ]

  @Test func aMemberReadsWhatWasFoundAboutOthersAndNotTheirData() throws {
    let folder = try evaluated()
    let viewer = try person("ba205763", in: folder)
    let session = try app(folder, for: viewer)
    for table in ["pattern_alert_state", "vitality_scores", "dose_analytics", "trend_coverage"] {
      #expect(try Set(persons(in: table, of: session)).isSubset(of: Self.members), "\(table)")
      #expect(try persons(in: table, of: session).count > 1, "\(table)")
    }
    for table in Self.data.keys {
      #expect(try persons(in: table, of: session) == ["ba205763"], "\(table)")
    }
    for query in [
      "SELECT email FROM users", "SELECT * FROM users", "SELECT birth_date FROM users",
      "SELECT notes FROM dose_history", "SELECT location_city FROM dose_history",
      "SELECT id FROM dose_history WHERE location_latitude > 0", "SELECT * FROM contact_points",
      "SELECT * FROM schedule_versions",
    ] {
      let refusal = #expect(throws: PostgresSession.Failure.self) { try session.rows(query) }
      #expect(refusal?.description.contains("permission denied for table") == true, "\(query)")
    }
    // One's own data are complete.
    let own = try session.rows(
      "SELECT count(*), count(notes), count(location_city) FROM dose_details('\(viewer)')"
    ).values[0].compactMap { $0 }
    #expect(own[0] != "0" && Set(own).count == 1, "\(own)")
    #expect(try session.rows("SELECT email FROM person_details()").values.count == 1)
  }

  @Test func aMemberReadsWhatAPersonOpensUntilItIsTakenBack() async throws {
    let folder = try evaluated()
    let (viewer, sharer) = (
      try person("ba205763", in: folder), try person("adf4d408", in: folder)
    )
    let (session, other) = (try app(folder, for: viewer), try app(folder, for: sharer))
    let both = ["adf4d408", "ba205763"]
    for (table, what) in Self.data {
      try other.execute("SELECT share('\(viewer)', '\(what)')")
      #expect(try persons(in: table, of: session) == both, "\(table)")
      try other.execute("SELECT unshare('\(viewer)', '\(what)')")
      #expect(try persons(in: table, of: session) == ["ba205763"], "\(table)")
    }
    try other.execute(
      "SELECT share_with_role('superadmin', 'notes'), share_with_role('superadmin', 'email')")
    let details = try session.rows(
      "SELECT count(notes), count(location_city) FROM dose_details('\(sharer)')"
    ).values[0].compactMap { $0 }
    #expect(details[0] != "0" && details[1] == "0", "\(details)")
    #expect(try persons(in: "person_details()", of: session) == both)
    // The doses themselves stay closed.
    #expect(try persons(in: Self.doses, of: session) == ["ba205763"])

    // An export with the login of the app has no more than SQL.
    func observations() async throws -> Set<String> {
      guard case .postgres(let schema) = folder.database else { return [] }
      let run = try await CommandRun.vigil(
        arguments: ["export", "observations", "--out", "-"], in: folder,
        environment: [
          "VIGIL_DATABASE": schema.url(as: "member_of_vigil_reader"),
          "PGOPTIONS": "-c app.current_user_id=\(viewer)",
        ])
      #expect(run.status == 0, "\(run.errors)")
      return Set(run.output.matches(of: /,(synthetic-\d+),/).map { String($0.output.1) })
    }
    #expect(try await observations().count == 1)
    try other.execute("SELECT share('\(viewer)', 'metrics', now() + INTERVAL '1 hour')")
    #expect(try await observations().count == 2)
    try folder.database.execute("UPDATE sharing_grants SET until = now()")
    #expect(try await observations().count == 1)
  }

  @Test(arguments: DatabaseKind.allCases)
  func whoIsExcludedReadsNothingOfThePerson(kind: DatabaseKind) async throws {
    let folder = try evaluated(kind)
    let family = try #require(
      try folder.database.rows(
        "SELECT family_id FROM family_members WHERE CAST(user_id AS text) LIKE 'ba205763%'"
      ).first)
    let viewer = try person("ba205763", in: folder)
    let row = try #require(
      try folder.database.rows(
        """
        SELECT id, user_id FROM pattern_alert_state
        WHERE episode_status = 'active' AND user_id IN (
          SELECT user_id FROM family_members
          WHERE family_id = '\(family)' AND user_id <> '\(viewer)'
        )
        ORDER BY id LIMIT 1
        """
      ).first, "no alert of the family"
    ).split(separator: "|").map(String.init)
    let (alert, subject) = (row[0], row[1])
    func vigil(_ arguments: String...) async throws -> CommandRun {
      try await CommandRun.vigil(arguments: arguments, in: folder)
    }
    let list = ["alerts", "list", "--family", family, "--viewer", viewer, "--format", "json"]
    let before = try await CommandRun.vigil(arguments: list, in: folder)
    #expect(before.output.contains(alert), "\(before)")
    #expect(try await vigil("alerts", "ack", alert, "--by", viewer).status == 0)

    try folder.database.execute(
      "INSERT INTO alert_recipient_exclusions VALUES ('\(subject)', '\(viewer)')")
    let after = try await CommandRun.vigil(arguments: list, in: folder)
    #expect(after.status == 0 && !after.output.contains(subject), "\(after)")
    let insights = try await vigil(
      "insights", "--family", family, "--viewer", viewer, "--format", "json")
    #expect(insights.status == 0 && !insights.output.contains(subject), "\(insights)")
    let refused = try await vigil("alerts", "dismiss", alert, "--by", viewer)
    refused.expectFailure(77, mentioning: "has excluded \(viewer)")

    guard kind == .postgres else { return }
    let session = try app(folder, for: viewer)
    for table in [
      "family_members", "pattern_alert_state", "vitality_scores", "dose_analytics",
      "trend_insights", "trend_coverage", "wearable_daily_metrics",
    ] {
      #expect(
        try !persons(in: table, of: session).contains(String(subject.prefix(8))), "\(table)")
    }
    #expect(
      try session.rows("SELECT id FROM users WHERE id = '\(subject)'").values.isEmpty)
  }
}
