import Foundation
import TestDatabases
import TestSupport
import Testing

/// Confidential data about persons are found nowhere but in their tables.
@Suite struct PrivacyTests {
  private static let name = "Quetzalina Ombrelune"
  private static let address = "quetzalina@ombrelune.example"
  private static let medication = "Zyloprimax 250"
  /// The person's steps after their drop, and before it.
  private static let values = ["4711.0815", "9137.2468"]

  /// Values also without their last digits, as rounding leaves them.
  private static let canaries =
    [name, address, medication] + values + values.map { String($0.dropLast(2)) }

  private func expectNoCanary(
    in text: String, _ place: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lowercased = text.lowercased()
    for canary in Self.canaries where lowercased.contains(canary.lowercased()) {
      Issue.record(
        "\(place) holds \(canary): \(text.prefix(2000))", sourceLocation: sourceLocation)
    }
  }

  /// A family whose data are full of what must not come out, some of it where it does not belong.
  private func folder(_ kind: DatabaseKind, withBadRows: Bool = true) throws -> ImportFolder {
    let folder = try ImportFolder(kind)
    try folder.write(
      """
      id,external_id,email,display_name,birth_date
      person,,\(Self.address),\(Self.name),1950-02-03
      \(Self.address),,\(Self.address),\(Self.name),1980-02-03
      \(withBadRows ? "third,,\(Self.address),\(Self.name),\(Self.medication)" : "")
      """, to: "users")
    try folder.write(
      """
      family_id,user_id,role,invite_status
      family,person,member,accepted
      family,\(Self.address),admin,accepted
      \(withBadRows ? "family,third,\(Self.name),accepted" : "")
      """, to: "family_members")
    try folder.write(
      """
      user_id,timezone,notify_push,quiet_hours_start
      \(Self.address),Europe/Madrid,1,22:00
      \(withBadRows ? "person,\(Self.name),\(Self.medication),\(Self.address)" : "")
      """, to: "user_profiles")
    try folder.write(
      """
      id,user_id,metric_date,activity_type_name
      w1,person,2026-01-20,\(Self.medication)
      \(withBadRows ? "w2,person,\(Self.medication),\(Self.name)" : "")
      """, to: "exercise_sessions")
    var rows = ["user_id,metric_date,source,steps"]
    for day in 1...60 {
      let month = day <= 31 ? "01" : "02"
      let number = day <= 31 ? day : day - 31
      let date = "2026-\(month)-\(number < 10 ? "0" : "")\(number)"
      if day <= 59 { rows.append("person,\(date),\(Self.name),\(Self.values[day <= 40 ? 1 : 0])") }
    }
    if withBadRows {
      rows.append("person,2026-02-25,\(Self.name),\(Self.medication)")
      rows.append("person,\(Self.address),watch,\(Self.values[0])")
      rows.append("person,2026-02-26,watch,\(Self.values[0])\(Self.values[1])")
    }
    try folder.write(rows.joined(separator: "\n") + "\n")
    return folder
  }

  @Test(arguments: DatabaseKind.allCases)
  func noLogNoErrorAndNoMetricsFileIdentifiesAPerson(kind: DatabaseKind) async throws {
    let bad = try folder(kind)
    let refused = try await bad.vigil("import", "csv", "in", "--strict", "--log-level", "trace")
    #expect(refused.status == 65)
    expectNoCanary(in: refused.errors + refused.output, "a strict import")
    let imported = try await bad.vigil(
      "import", "csv", "in", "--max-bad-rows", "20%", "--log-level", "trace")
    expectNoCanary(in: imported.errors + imported.output, "an import of bad rows")
    #expect(imported.status == 0, "\(imported.errors)")
    let quarantined = try bad.database.rows("SELECT * FROM quarantined_rows")
    #expect(quarantined.count == 7)
    for row in quarantined { expectNoCanary(in: row, "quarantined_rows") }
    // A quote that never ends takes the rest of the file with it.
    try bad.write(
      "\(ImportFolder.header)\nperson,2026-02-26,\"\(Self.name),\(Self.values[0])\n")
    let malformed = try await bad.vigil("import", "csv", "in", "--log-level", "trace")
    expectNoCanary(in: malformed.errors + malformed.output, "an import of a malformed file")

    let folder = try folder(kind, withBadRows: false)
    #expect(try await folder.vigil("import", "csv", "in").status == 0)
    for command in [
      ["run", "--date", "2026-02-12", "--live", "--metrics-file", "vigil.prom"],
      ["run", "--date", "2026-02-13", "--live", "--max-notified-persons", "0", "--format", "json"],
      ["runs"], ["runs", "--format", "json"], ["golive"],
      ["backfill", "--from", "2026-02-01", "--to", "2026-02-28", "--metrics-file", "back.prom"],
      ["doctor"], ["run", "--date", "2026-02-13", "--thresholds", "in/users.csv"],
    ] {
      let run = try await folder.vigil(
        arguments: command + ["--log-level", "trace"])
      expectNoCanary(in: run.errors + run.output, "vigil \(command)")
    }
    for file in ["vigil.prom", "back.prom"] {
      let text = try String(contentsOf: folder.folder.url.appending(path: file), encoding: .utf8)
      #expect(text.contains("vigil_"))
      expectNoCanary(in: text, file)
    }
    #expect(try folder.database.count("notification_queue") > 0)
    for table in ["notification_queue", "escalation_log", "batch_runs", "run_shards"] {
      for row in try folder.database.rows("SELECT * FROM \(table)") {
        expectNoCanary(in: row, table)
      }
    }
  }

  /// Databases like to quote the row that they refuse.
  @Test(arguments: DatabaseKind.allCases)
  func noRefusalOfADatabaseQuotesARow(kind: DatabaseKind) async throws {
    let folder = try folder(kind, withBadRows: false)
    #expect(try await folder.vigil("import", "csv", "in").status == 0)
    let refusal =
      switch kind {
      case .sqlite:
        """
        CREATE TRIGGER refuse BEFORE INSERT ON pattern_alert_state BEGIN
          SELECT RAISE(ABORT, 'CHECK constraint failed: nothing_is_right');
        END
        """
      case .postgres:
        """
        ALTER TABLE pattern_alert_state
        ADD CONSTRAINT nothing_is_right CHECK (recent_value < 0)
        """
      }
    try folder.database.execute(refusal)
    let run = try await folder.vigil(
      "run", "--date", "2026-02-12", "--live", "--log-level", "trace")
    #expect(run.status == 65)
    #expect(run.errors.contains("nothing_is_right"), "\(run.errors)")
    expectNoCanary(in: run.errors + run.output, "a refused row")
    for row in try folder.database.rows("SELECT * FROM batch_runs") {
      expectNoCanary(in: row, "batch_runs")
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func aReferencePayloadSaysNothingOfThePersonOrTheirHealth(kind: DatabaseKind) async throws {
    let folder = try folder(kind, withBadRows: false)
    #expect(try await folder.vigil("import", "csv", "in").status == 0)
    let shipped = SharedFolder.repository.appending(path: "thresholds/v2.json")
    let thresholds = try String(contentsOf: shipped, encoding: .utf8)
    try folder.folder.write(
      thresholds.replacing(
        #""notify": { "on_recovery": false }"#,
        with: #""notify": { "on_recovery": true, "payload_detail": "reference" }"#),
      to: "reference.json")
    for day in ["10", "11", "12"] {
      let run = try await folder.vigil(
        "run", "--date", "2026-02-\(day)", "--live", "--thresholds", "reference.json",
        "--max-notified-persons", "100")
      #expect(run.status == 0, "\(run.errors)")
    }
    let payloads = try folder.database.rows("SELECT payload FROM notification_queue")
    #expect(!payloads.isEmpty)
    let person = try #require(
      try folder.database.rows("SELECT user_id FROM wearable_daily_metrics LIMIT 1").first)
    for payload in payloads {
      expectNoCanary(in: payload, "a payload")
      for word in [person, "steps", "drop", "deviation", "2026"] {
        #expect(!payload.contains(word), "\(payload)")
      }
    }
  }
}
