import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing
import VigilStorage

/// `vigil person erase`, as an operator and a data protection officer go through it.
@Suite struct PersonEraseTests {
  private struct Outcome: Decodable {
    struct Rows: Decodable {
      var table: String
      var rows: Int
    }
    struct Trace: Decodable {
      var place: String
      var kind: String
    }

    var step: String
    var rows: [Rows]
    var traces: [Trace]?

    var counts: [String: Int] { Dictionary(rows.map { ($0.table, $0.rows) }) { $1 } }
  }

  private func outcome(_ run: CommandRun) throws -> Outcome {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Outcome.self, from: Data(run.output.utf8))
  }

  @Test(arguments: DatabaseKind.allCases)
  func nothingOfThePersonIsLeftAndOthersKeepTheirRows(kind: DatabaseKind) async throws {
    let data = try PersonalDatabase(kind)
    let (database, person) = (data.database, data.person)
    let planned = try await data.vigil("person", "erase", person, "--format", "json")
    #expect(planned.status == 0, "\(planned.errors)")
    let counts = try outcome(planned).counts
    let expected = PersonalTable.all.map(\.name).filter {
      kind == .postgres || !["person_locks", "sharing_grants"].contains($0)
    }
    #expect(Set(counts.keys) == Set(expected))
    #expect(try outcome(planned).step == "planned")
    let before = Dictionary(
      uniqueKeysWithValues: try data.tables().map { ($0, try database.count($0)) })
    let text = try await data.vigil("person", "erase", person)
    #expect(text.output.contains("Nothing was changed.") && text.output.contains("--yes"))

    let unkeyed = try await data.vigil("person", "erase", person, "--yes", key: false)
    #expect(unkeyed.status == 64 && unkeyed.errors.contains("openssl rand"), "\(unkeyed.errors)")
    let after = Dictionary(
      uniqueKeysWithValues: try data.tables().map { ($0, try database.count($0)) })
    #expect(after == before)

    let erased = try await data.vigil("person", "erase", person, "--yes", "--format", "json")
    #expect(erased.status == 0, "\(erased.errors)")
    #expect(try outcome(erased).counts == counts)
    #expect(try outcome(erased).traces?.isEmpty == true)
    #expect(try data.tables(holding: person) == [])
    let withClearedRows = ["erased_persons", "pattern_alert_state", "raised_alerts"]
    for (table, rows) in before where !withClearedRows.contains(table) {
      #expect(try database.count(table) == rows - counts[table, default: 0], "\(table)")
    }
    // The alert of another person stays, without who acknowledged it.
    let acknowledged = try database.rows(
      "SELECT acknowledged_by IS NULL AND acknowledged_at IS NOT NULL FROM pattern_alert_state"
        + " WHERE id = '\(data.alert(of: data.other))'")
    #expect(acknowledged == ["1"])
    // So does the alert that another person has raised, without who resolved it.
    let resolved = try database.rows(
      "SELECT resolved_by IS NULL AND resolved_at IS NOT NULL FROM raised_alerts")
    #expect(resolved == ["1"])
    if case .sqlite(let path) = database {
      let file = try Data(contentsOf: URL(filePath: path))
      #expect(file.firstRange(of: Data(person.utf8)) == nil)
    }

    let again = try await data.vigil("person", "erase", person, "--yes")
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("was erased on"), "\(again.output)")
    let night = try await data.vigil("run", "--date", "2026-06-30", "--restart")
    #expect(night.status == 0, "\(night.errors)")
    #expect(try data.tables(holding: person) == [])
  }

  @Test(arguments: DatabaseKind.allCases)
  func groupsKeepTheOtherPersonOnly(kind: DatabaseKind) async throws {
    let data = try PersonalDatabase(kind)
    let erased = try await data.vigil("person", "erase", data.person, "--yes")
    #expect(erased.status == 0, "\(erased.errors)")
    for (number, table) in ["notification_queue", "shadow_notification_queue"].enumerated() {
      let first = 20 + 10 * number
      let group = try data.database.rows(
        "SELECT payload FROM \(table) WHERE id = '\(PersonalDatabase.uuid(first))'")
      let text = try #require(group.first)
      let payload = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      let alerts = try #require(payload["alerts"] as? [[String: Any]])
      #expect(alerts.map { $0["member"] as? String } == [data.other])
      #expect(payload["level"] as? Int == 7 && payload["severity"] as? String == "attention")
      let released = try data.database.rows(
        """
        SELECT status, group_id IS NULL FROM \(table)
        WHERE id = '\(PersonalDatabase.uuid(first + 4))'
        """)
      #expect(released == ["pending|1"])
    }
  }

  @Test func aBackupThatHoldsThePersonIsNamed() async throws {
    let data = try PersonalDatabase(.sqlite)
    let backup = data.folder.url.appending(path: "vigil.sqlite.backup-20260630T100000.000000Z")
    try FileManager.default.copyItem(
      at: data.folder.url.appending(path: "vigil.sqlite"), to: backup)
    let erased = try await data.vigil("person", "erase", data.person, "--yes")
    #expect(erased.status == 0, "\(erased.errors)")
    #expect(erased.output.contains("\(backup.lastPathComponent) still holds the person"))
    try FileManager.default.removeItem(at: backup)
    let again = try await data.vigil("person", "erase", data.person)
    #expect(again.output.contains("A search for the id finds nothing."), "\(again.output)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func unknownAndAmbiguousIDsAreRefused(kind: DatabaseKind) async throws {
    let data = try PersonalDatabase(kind)
    let unknown = [
      "participant-99", "5f3c1f8e-0000-4000-8000-000000000000", "5f3c1f8e",
    ]
    for id in unknown {
      for command in [["erase", id], ["erase", id, "--yes"], ["export", id, "--out", "x.zip"]] {
        let run = try await data.vigil(arguments: ["person"] + command)
        #expect(run.status == 65, "\(command): \(run.errors)")
      }
    }
    let twin = data.person.prefix(8) + "-ffff-4000-8000-000000000000"
    try data.database.execute(
      """
      INSERT INTO users (id, created_at, updated_at) VALUES
      ('\(twin)', '2026-06-30T10:00:00.000000Z', '2026-06-30T10:00:00.000000Z')
      """)
    let short = try await data.vigil("person", "erase", String(data.person.prefix(8)), "--yes")
    #expect(short.status == 65 && short.errors.contains("give more digits"), "\(short.errors)")
    #expect(try data.database.count("users WHERE id = '\(data.person)'") == 1)
    #expect(!(try data.folder.names).contains("x.zip"))
  }

  @Test(arguments: DatabaseKind.allCases)
  func theFirstNightAfterTheGracePeriodErases(kind: DatabaseKind) async throws {
    let data = try PersonalDatabase(kind)
    let person = data.person
    func night(_ day: String, at now: String) async throws -> CommandRun {
      try await data.vigil("run", "--date", day, "--now", now)
    }
    func isThere() throws -> Bool { try data.database.count("users WHERE id = '\(person)'") == 1 }
    let revoked = try await data.vigil("person", "erase", person, "--revoke")
    #expect(revoked.status == 0 && revoked.output.contains("not to be erased any more"))
    let requested = try await data.vigil("person", "erase", person, "--after", "30d", "--yes")
    #expect(requested.status == 0, "\(requested.errors)")
    #expect(requested.output.contains("2026-07-31"), "\(requested.output)")
    #expect(try await night("2026-07-29", at: "2026-07-30T02:00:00Z").status == 0)
    #expect(try isThere())
    let none = try await data.vigil("person", "erase", person, "--revoke")
    #expect(none.status == 0)
    #expect(try await night("2026-08-02", at: "2026-08-03T02:00:00Z").status == 0)
    #expect(try isThere())

    _ = try await data.vigil("person", "erase", person, "--after", "30d", "--yes")
    let listed = try await data.vigil("person", "erased")
    #expect(listed.output.contains(person) && listed.output.contains("No person was erased."))
    // Without the key, the night does its work, and says what is in the way.
    let unkeyed = try await data.vigil(
      "run", "--date", "2026-08-03", "--now", "2026-08-04T02:00:00Z", key: false)
    #expect(unkeyed.status == 0)
    #expect(unkeyed.errors.contains("An erasure is due and not carried out"), "\(unkeyed.errors)")
    let last = try await night("2026-08-04", at: "2026-08-05T02:00:00Z")
    #expect(last.status == 0, "\(last.errors)")
    #expect(last.errors.contains("Erased persons as requested"), "\(last.errors)")
    #expect(try data.tables(holding: person) == [])
  }

  /// A process that is killed leaves all rows or none, and the next one completes the erasure.
  @Test(arguments: DatabaseKind.allCases)
  func akilledErasureIsAllOrNothing(kind: DatabaseKind) async throws {
    let data = try PersonalDatabase(kind)
    let storage = try data.database.open()
    let person = try #require(UUID(uuidString: data.person))
    let before = try storage.personalRowCounts(of: person)
    for attempt in 0..<Repetitions.count(fast: 3, long: 30) {
      _ = try await CommandRun.vigil(
        "person", "erase", data.person, "--yes", in: data.folder,
        environment: ["VIGIL_ERASURE_KEY_FILE": PersonalDatabase.secret],
        whileRunning: { process in
          Thread.sleep(forTimeInterval: 0.02 + 0.03 * Double(attempt % 7))
          kill(process.processIdentifier, SIGKILL)
        })
      let now = try storage.personalRowCounts(of: person)
      #expect(now == before || now.isEmpty, "attempt \(attempt)")
    }
    let last = try await data.vigil("person", "erase", data.person, "--yes")
    #expect(last.status == 0, "\(last.errors)")
    #expect(last.output.contains("A search for the id finds nothing."), "\(last.output)")
    #expect(try data.tables(holding: data.person) == [])
  }

  /// A table of the database refuses in the midst of the erasure: nothing is removed.
  @Test(arguments: DatabaseKind.allCases)
  func anErasureThatFailsLeavesEverything(kind: DatabaseKind) async throws {
    let data = try PersonalDatabase(kind)
    let storage = try data.database.open()
    let person = try #require(UUID(uuidString: data.person))
    let before = try storage.personalRowCounts(of: person)
    switch kind {
    case .sqlite:
      try data.database.execute(
        """
        CREATE TRIGGER refuse BEFORE DELETE ON users BEGIN SELECT RAISE(ABORT, 'refused'); END
        """)
    case .postgres:
      try data.database.execute(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '23000'; END $$;
        CREATE TRIGGER refuse BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION refuse()
        """)
    }
    let refused = try await data.vigil("person", "erase", data.person, "--yes")
    #expect(refused.status != 0)
    #expect(try storage.personalRowCounts(of: person) == before)
    #expect(try storage.erasedPersons().isEmpty)
  }

  @Test(arguments: ["vigil_engine", "vigil_backfill", "vigil_sender", "vigil_reader"])
  func otherRolesMayNot(role: String) async throws {
    let data = try PersonalDatabase(.postgres)
    guard case .postgres(let schema) = data.database else { return }
    _ = try data.database.open(asMemberOf: role)
    let environment = ["VIGIL_DATABASE": schema.url(as: "member_of_\(role)")]
    for command in [["erase", data.person, "--yes"], ["export", data.person, "--out", "x.zip"]] {
      let run = try await data.vigil(arguments: ["person"] + command, environment: environment)
      #expect(run.status == 77, "\(role) \(command): \(run.errors)")
    }
    #expect(try data.database.count("users WHERE id = '\(data.person)'") == 1)
  }

  @Test func aMemberOfTheRoleMay() async throws {
    let data = try PersonalDatabase(.postgres)
    guard case .postgres(let schema) = data.database else { return }
    _ = try data.database.open(asMemberOf: "vigil_eraser")
    let environment = ["VIGIL_DATABASE": schema.url(as: "member_of_vigil_eraser")]
    let exported = try await data.vigil(
      arguments: ["person", "export", data.person, "--out", "x.zip"], environment: environment)
    #expect(exported.status == 0, "\(exported.errors)")
    let erased = try await data.vigil(
      arguments: ["person", "erase", data.person, "--yes"], environment: environment)
    #expect(erased.status == 0, "\(erased.errors)")
    #expect(erased.output.contains("A search for the id finds nothing."), "\(erased.output)")
    #expect(try data.tables(holding: data.person) == [])
  }
}
