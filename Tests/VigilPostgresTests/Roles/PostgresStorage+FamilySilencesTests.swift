import PostgresTestServer
import Testing

/// The same rights and refusals as those of `get_family_pattern_alerts`, for persons without data.
@Suite("PostgreSQL: get_family_silences")
struct PostgresStorageFamilySilencesTests {
  private static let notOneself = "42501 the viewer is not the person of app.current_user_id"
  private static let notAMember = "42501 the viewer is not an accepted member of this family"

  private let family: FamilySchema

  /// Everybody's alert is one of silence.
  init() throws {
    family = try FamilySchema()
    try family.session().execute(
      """
      UPDATE pattern_alert_state SET
        metric_type = 'inactivity', pattern_type = 'silence', severity = 'watch',
        deviation_fraction = NULL, opened_on = '2026-01-04', evidence_threshold = 4,
        longest_pause_days = 2
      """)
  }

  /// - Parameter day: The last argument with its comma, or nothing.
  private func call(_ family: String, viewer: Int, day: String = ", '2026-01-08'") -> String {
    "get_family_silences('\(family)', '\(FamilySchema.id(viewer))'\(day))"
  }

  private func members(
    _ family: String, for viewer: Int, day: String = ", '2026-01-08'", on session: SchemaSession
  ) throws -> [String] {
    try session.lines(
      "SELECT right(user_id::text, 1) FROM \(call(family, viewer: viewer, day: day))")
  }

  @Test("a silence has its figures, and is none of the alerts that call for attention")
  func namesTheFigures() throws {
    let session = try family.session(as: "vigil_reader", viewer: 1)
    #expect(
      try session.lines(
        """
        SELECT concat_ws(' ', right(id::text, 1), right(user_id::text, 1), last_sign, silent_days,
          longest_pause_days, opened_on, acknowledged_at IS NULL)
        FROM \(call(FamilySchema.familyB, viewer: 1))
        """) == ["5 5 2025-12-31 7 2 2026-01-04 t"])
    #expect(
      try session.lines(
        """
        SELECT count(*) FROM get_family_pattern_alerts(
          '\(FamilySchema.familyB)', '\(FamilySchema.id(1))', '2026-01-08')
        """) == ["0"])
  }

  @Test(
    "each reads what they have accepted to read, and of no other family whether there is one",
    arguments: [
      1: [FamilySchema.familyA: ["2", "3"], FamilySchema.familyB: ["5"]],
      2: [FamilySchema.familyA: ["1", "3"]], 3: [FamilySchema.familyA: ["1", "2"]], 4: [:],
      5: [FamilySchema.familyB: []], 6: [:],
    ])
  func servesAcceptedMembers(viewer: Int, families: [String: [String]]) throws {
    let nowhere = "c0000000-0000-0000-0000-000000000000"
    for role in ["vigil_reader", "vigil_engine", "vigil_backfill", "vigil", "postgres"] {
      let session = try family.session(as: role, viewer: viewer)
      for name in [FamilySchema.familyA, FamilySchema.familyB, nowhere] {
        if let expected = families[name] {
          #expect(try members(name, for: viewer, on: session) == expected, "\(role)")
        } else {
          let query = "SELECT * FROM \(call(name, viewer: viewer))"
          #expect(try session.refusal(of: query) == Self.notAMember, "\(role)")
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
          == Self.notOneself)
    }
    let refusal = try family.session(as: "pg_monitor").refusal(
      of: "SELECT * FROM \(family.schema.quotedName).\(call(FamilySchema.familyA, viewer: 1))")
    #expect(refusal?.hasPrefix("42501 permission denied") == true)
  }

  @Test("ended, dismissed and snoozed silences and those of another profile are left out")
  func leavesOut() throws {
    let session = try family.session(viewer: 1)
    let changes = [
      ("snooze_until = '2026-01-09'", ["3"]), ("snooze_until = '2026-01-08'", ["2", "3"]),
      ("dismissed_at = now()", ["3"]), ("dismissed_at = NULL", ["2", "3"]),
      ("acknowledged_at = now()", ["2", "3"]),
      ("metric_type = 'check_in_overdue', severity = 'attention'", ["3"]),
      ("metric_type = 'inactivity', severity = 'watch'", ["2", "3"]),
      (
        "episode_status = 'resolved', resolved_on = '2026-01-08', resolution_reason = 'left'", ["3"]
      ),
    ]
    try session.execute("BEGIN")
    for (change, expected) in changes {
      // A silence has a longest pause, and an overdue check-in has none.
      let pause = change.contains("overdue") ? "NULL" : "2"
      let opened = change.contains("overdue") ? "NULL" : "'2026-01-04'"
      let threshold = change.contains("overdue") ? "NULL" : "4"
      try session.execute(
        """
        RESET ROLE;
        UPDATE pattern_alert_state SET \(change), longest_pause_days = \(pause),
          opened_on = \(opened), evidence_threshold = \(threshold)
        WHERE user_id = '\(FamilySchema.id(2))';
        SET ROLE vigil_reader;
        """)
      #expect(try members(FamilySchema.familyA, for: 1, on: session) == expected, "\(change)")
    }
    try session.execute(
      """
      RESET ROLE;
      INSERT INTO database_profile (part, profile, version, digest, adopted_at)
      VALUES ('patterns', 'v3@', 'v3', '', now())
      """)
    #expect(try members(FamilySchema.familyA, for: 1, on: session) == [])
  }

  @Test("without a day it is that of today in UTC, in each zone of the session")
  func takesToday() throws {
    let session = try family.session(viewer: 1)
    // One transaction, so that the day stays the same.
    try session.execute("BEGIN")
    for zone in ["Pacific/Kiritimati", "UTC", "Etc/GMT+12"] {
      for (later, expected) in [(0, ["2", "3"]), (1, ["3"])] {
        try session.execute(
          """
          RESET ROLE;
          SET LOCAL TimeZone = '\(zone)';
          UPDATE pattern_alert_state
          SET snooze_until = (now() AT TIME ZONE 'UTC')::date + \(later)
          WHERE user_id = '\(FamilySchema.id(2))';
          SET ROLE vigil_reader;
          """)
        #expect(
          try members(FamilySchema.familyA, for: 1, day: "", on: session) == expected,
          "\(zone), \(later) days later")
      }
    }
  }

  @Test("the longest silence comes first")
  func isOrdered() throws {
    try family.session().execute(
      "UPDATE pattern_alert_state SET active_since = '2025-12-30' WHERE user_id = '\(FamilySchema.id(3))'"
    )
    let session = try family.session(as: "vigil_reader", viewer: 1)
    #expect(try members(FamilySchema.familyA, for: 1, on: session) == ["3", "2"])
  }
}
