import PostgresTestServer
import Testing

@Suite("PostgreSQL: family_insights")
struct FamilyInsightsTests {
  private let family: FamilySchema

  /// Without pattern alerts, which take precedence.
  init() throws {
    family = try FamilySchema()
    try family.session().execute("UPDATE pattern_alert_state SET dismissed_at = now()")
  }

  private func call(_ family: String, viewer: Int, _ more: String = "") -> String {
    "family_insights('\(family)', '\(FamilySchema.id(viewer))'\(more))"
  }

  private func members(_ call: String, on session: SchemaSession) throws -> [String] {
    try session.lines("SELECT right(user_id::text, 1) FROM \(call)")
  }

  @Test(
    "each reads of a family that they have accepted, and of no other whether there is one",
    arguments: [
      1: [FamilySchema.familyA: ["2"], FamilySchema.familyB: ["5"]],
      2: [FamilySchema.familyA: ["1"]], 3: [FamilySchema.familyA: ["1"]], 4: [:],
      5: [FamilySchema.familyB: []], 6: [:],
    ])
  func servesAcceptedMembers(viewer: Int, families: [String: [String]]) throws {
    let nowhere = "c0000000-0000-0000-0000-000000000000"
    for role in ["vigil_reader", "vigil_engine", "vigil_backfill", "vigil", "postgres"] {
      let session = try family.session(as: role, viewer: viewer)
      for name in [FamilySchema.familyA, FamilySchema.familyB, nowhere] {
        let call = call(name, viewer: viewer)
        if let expected = families[name] {
          #expect(try members(call, on: session) == expected, "\(role)")
        } else {
          #expect(
            try session.refusal(of: "SELECT * FROM \(call)")
              == "42501 the viewer is not an accepted member of this family", "\(role)")
        }
      }
    }
  }

  @Test("a reader cannot ask in the name of another, and others cannot ask at all")
  func refusesOthers() throws {
    let query = "SELECT * FROM \(call(FamilySchema.familyA, viewer: 1))"
    for viewer in [2, nil] {
      #expect(
        try family.session(as: "vigil_reader", viewer: viewer).refusal(of: query)
          == "42501 the viewer is not the person of app.current_user_id")
    }
    for more in ["", ", NULL, '2026-01-08'"] {
      let call = call(FamilySchema.familyA, viewer: 1, more)
      let refusal = try family.session(as: "pg_monitor").refusal(
        of: "SELECT * FROM \(family.schema.quotedName).\(call)")
      #expect(refusal?.hasPrefix("42501 permission denied") == true, "\(more)")
    }
  }

  @Test("today is that of UTC, and may be given, as may the evaluated day")
  func takesDays() throws {
    try family.session().execute(
      """
      UPDATE pattern_alert_state SET dismissed_at = NULL, snooze_until = '2026-01-20'
      WHERE user_id = '\(FamilySchema.id(3))'
      """)
    let session = try family.session(as: "vigil_reader", viewer: 1)
    let expected = [
      (", NULL, '2026-01-19'", ["2"]), (", NULL, '2026-01-20'", []),
      (", '2026-01-07', '2026-01-19'", ["2"]), (", '2026-01-08', '2026-01-19'", []), ("", []),
    ]
    for (more, shown) in expected {
      let call = call(FamilySchema.familyA, viewer: 1, more)
      #expect(try members(call, on: session) == shown, "\(more)")
    }
  }

  @Test("a temporary table of the caller does not stand in for one of Vigil's")
  func keepsItsSearchPath() throws {
    let session = try family.session(as: "vigil_reader", viewer: 6)
    try session.execute(
      """
      CREATE TEMPORARY TABLE family_members AS
      SELECT '\(FamilySchema.familyA)'::uuid AS family_id, '\(FamilySchema.id(6))'::uuid AS user_id,
        'accepted'::text AS invite_status;
      SET search_path = pg_temp, \(family.schema.quotedName);
      """)
    #expect(
      try session.refusal(of: "SELECT * FROM \(call(FamilySchema.familyA, viewer: 6))")
        == "42501 the viewer is not an accepted member of this family")
  }
}
