import Foundation
import PostgresTestServer
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

@Suite("PostgreSQL: one person now")
struct OnePersonTests {
  private static let mark = """
    INSERT INTO provisional_alerts
    SELECT id, user_id, '2026-01-07', 1, '[]', NULL, NULL, run_id, now(), now()
    FROM pattern_alert_state
    """
  private static let event = """
    INSERT INTO outbox (kind, user_id, alert_state_id, run_id, created_at)
    SELECT 'provisional', user_id, id, run_id, now() FROM pattern_alert_state
    """

  @Test(
    "only the engine may evaluate a person",
    arguments: [
      "vigil_backfill", "vigil_reader", "vigil_sender",
    ])
  func keepsOthersOut(role: String) throws {
    let session = try FamilySchema().session(as: role)
    for (table, attempt) in [
      ("provisional_alerts", Self.mark),
      ("provisional_alerts", "DELETE FROM provisional_alerts"),
      (
        "provisional_notifications",
        "INSERT INTO provisional_notifications SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 3"
      ),
      ("outbox", "INSERT INTO outbox (kind) VALUES ('provisional')"),
    ] {
      let refusal = try session.refusal(of: attempt)
      #expect(
        refusal?.hasPrefix("42501 permission denied for table") == true,
        "\(table): \(refusal ?? "")")
    }
  }

  @Test("a login of another role is refused before it waits for a lock")
  func refusesLogin() throws {
    let family = try FamilySchema()
    for role in ["vigil_backfill", "vigil_reader", "vigil_sender"] {
      let login = "only_\(role)"
      try family.session().execute(
        "DROP ROLE IF EXISTS \(login); CREATE ROLE \(login) LOGIN IN ROLE \(role)")
      let storage = try PostgresStorage(
        url: family.schema.url(as: login), schema: family.schema.name)
      let error = #expect(throws: StorageError.self) { try storage.requireRightsForPersons() }
      #expect(error?.code == .permissionDenied)
    }
  }

  @Test("a reader sees that an alert is provisional, and no more than before")
  func letsReaderSee() throws {
    let family = try FamilySchema()
    let engine = try family.session(as: "vigil_engine")
    try engine.execute("\(Self.mark); \(Self.event)")
    for viewer in FamilySchema.everybody {
      let session = try family.session(as: "vigil_reader", viewer: viewer)
      let alerts = try session.lines("SELECT id FROM pattern_alert_state ORDER BY 1")
      #expect(
        try session.lines("SELECT alert_state_id FROM provisional_alerts ORDER BY 1") == alerts)
      #expect(try session.lines("SELECT alert_state_id FROM outbox ORDER BY 1") == alerts)
      #expect(
        try session.refusal(of: "SELECT confirmed FROM provisional_alerts")
          == "42501 permission denied for table provisional_alerts")
    }
  }

  @Test(
    "an event of the outbox notifies after the commit; a login without rights hears of no person")
  func notifies() throws {
    let family = try FamilySchema()
    try family.session().execute(
      "DROP ROLE IF EXISTS outbox_stranger; CREATE ROLE outbox_stranger LOGIN")
    let storage = try PostgresStorage(
      url: family.schema.url(as: "outbox_stranger"), schema: family.schema.name)
    let listener = try storage.openConnection(purpose: "test")
    try listener.run(script: "LISTEN vigil_outbox")
    let engine = try family.session(as: "vigil_engine")
    try engine.execute("BEGIN; \(Self.event); \(Self.event) WHERE FALSE; ROLLBACK")
    try engine.execute(
      "BEGIN; \(Self.event) WHERE user_id = '\(FamilySchema.id(2))'; COMMIT")
    #expect(listener.notifications(within: .seconds(3600)) == [family.schema.name])
  }

  @Test("the events of a night notify once for each batch, and are shown like their alerts")
  func notifiesOfNights() throws {
    let family = try FamilySchema()
    let storage = try PostgresStorage(url: family.schema.url, schema: family.schema.name)
    let listener = try storage.openConnection(purpose: "test")
    try listener.run(script: "LISTEN vigil_outbox")
    func alert(_ person: Int) throws -> UUID {
      try #require(UUID(uuidString: FamilySchema.id(person)))
    }
    let result = try storage.write(
      BatchWrite(
        alertStates: [], notifications: [], queue: .shadow, runID: UUID(name: "night"),
        writtenAt: Timestamp(microseconds: 1_790_000_000_000_000),
        events: [try alert(2): .opened, try alert(4): .ended, try alert(5): .escalated]))
    #expect(!result.isOvertaken)
    #expect(listener.notifications(within: .seconds(3600)) == [family.schema.name])
    for (viewer, expected) in [
      1: ["2 opened", "5 escalated"], 3: ["2 opened"], 4: ["4 ended"], 6: [],
    ] {
      let session = try family.session(as: "vigil_reader", viewer: viewer)
      #expect(
        try session.lines("SELECT right(user_id::text, 1), kind FROM outbox ORDER BY 1")
          == expected, "\(viewer)")
    }
  }
}
