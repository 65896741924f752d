import PostgresTestServer
import Testing

@Suite("PostgreSQL: get_family_pattern_alerts")
struct PostgresStorageFamilyAlertsTests {
  private static let notOneself = "42501 the viewer is not the person of app.current_user_id"
  private static let notAMember = "42501 the viewer is not an accepted member of this family"

  private func call(_ family: String, viewer: Int) -> String {
    "get_family_pattern_alerts('\(family)', '\(FamilySchema.id(viewer))')"
  }

  private func members(_ family: String, for viewer: Int, on session: SchemaSession) throws
    -> [String]
  {
    try session.lines("SELECT right(user_id::text, 1) FROM \(call(family, viewer: viewer))")
  }

  @Test("a person reads the alerts of the other members of one of their families")
  func readsOthers() throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_reader", viewer: 1)
    #expect(try members(FamilySchema.familyA, for: 1, on: session) == ["2", "3"])
    #expect(try members(FamilySchema.familyB, for: 1, on: session) == ["5"])
  }

  /// The persons whose alerts each viewer reads in a family that they have accepted.
  private static let readable: [Int: [String: [String]]] = [
    1: [FamilySchema.familyA: ["2", "3"], FamilySchema.familyB: ["5"]],
    2: [FamilySchema.familyA: ["1", "3"]], 3: [FamilySchema.familyA: ["1", "2"]], 4: [:],
    5: [FamilySchema.familyB: []], 6: [:],
  ]

  @Test(
    "each reads what they have accepted to read, and of no other family whether there is one",
    arguments: readable)
  func servesAcceptedMembers(viewer: Int, families: [String: [String]]) throws {
    let schema = try FamilySchema()
    let nowhere = "c0000000-0000-0000-0000-000000000000"
    for role in ["vigil_reader", "vigil_engine", "vigil"] {
      let session = try schema.session(as: role, viewer: viewer)
      for family in [FamilySchema.familyA, FamilySchema.familyB, nowhere] {
        if let expected = families[family] {
          #expect(try members(family, for: viewer, on: session) == expected, "\(role)")
        } else {
          let query = "SELECT * FROM \(call(family, viewer: viewer))"
          #expect(try session.refusal(of: query) == Self.notAMember, "\(role)")
        }
      }
    }
  }

  @Test("a reader cannot ask in the name of another")
  func refusesOtherViewers() throws {
    let family = try FamilySchema()
    let query = "SELECT * FROM \(call(FamilySchema.familyA, viewer: 1))"
    #expect(
      try family.session(as: "vigil_reader", viewer: 2).refusal(of: query) == Self.notOneself)
    #expect(try family.session(as: "vigil_reader").refusal(of: query) == Self.notOneself)
    let noViewer = "SELECT * FROM get_family_pattern_alerts('\(FamilySchema.familyA)', NULL)"
    #expect(try family.session(as: "vigil_reader").refusal(of: noViewer) == Self.notOneself)
    #expect(try family.session(as: "vigil").refusal(of: noViewer) == Self.notAMember)
  }

  @Test(
    "roles that see every row ask for anybody",
    arguments: ["vigil", "vigil_engine", "vigil_backfill", "postgres"])
  func servesTrustedRoles(role: String) throws {
    let session = try FamilySchema().session(as: role)
    #expect(try members(FamilySchema.familyA, for: 2, on: session) == ["1", "3"])
  }

  @Test("other roles may not call it at all")
  func isNotPublic() throws {
    let family = try FamilySchema()
    let refusal = try family.session(as: "pg_monitor").refusal(
      of: "SELECT * FROM \(family.schema.quotedName).\(call(FamilySchema.familyA, viewer: 1))")
    #expect(refusal?.hasPrefix("42501 permission denied") == true)
  }

  /// The persons whose alerts person 1 reads after a change to that of person 2.
  ///
  /// - Parameter session: In a transaction, so that it stays the same day.
  private func members(after change: String, on session: SchemaSession) throws -> [String] {
    try session.execute(
      """
      RESET ROLE;
      UPDATE pattern_alert_state SET \(change) WHERE user_id = '\(FamilySchema.id(2))';
      SET ROLE vigil_reader;
      """)
    return try members(FamilySchema.familyA, for: 1, on: session)
  }

  @Test("an alert with evidence says of how many days its deviation is")
  func namesTheWindow() throws {
    let session = try FamilySchema().session(viewer: 1)
    try session.execute(
      """
      UPDATE pattern_alert_state SET
        opened_on = '2026-01-05', window_days = 4, evidence = 4.5, evidence_threshold = 4.28,
        shift_spreads = 1.5, anchor = '{}'
      WHERE user_id = '\(FamilySchema.id(2))';
      SET ROLE vigil_reader;
      """)
    #expect(
      try session.lines(
        """
        SELECT right(user_id::text, 1) || ' ' || deviation_fraction || ' ' || coalesce(window_days, 0)
        FROM \(call(FamilySchema.familyA, viewer: 1)) ORDER BY 1
        """) == ["2 -0.5 4", "3 -0.5 0"])
  }

  private static let today = "(now() AT TIME ZONE 'UTC')::date"

  @Test("resolved, dismissed and snoozed alerts are left out; a snooze ends on its day")
  func leavesOut() throws {
    let session = try FamilySchema().session(viewer: 1)
    let changes = [
      ("snooze_until = \(Self.today) + 1", ["3"]), ("snooze_until = \(Self.today)", ["2", "3"]),
      ("snooze_until = \(Self.today) - 1", ["2", "3"]), ("snooze_until = NULL", ["2", "3"]),
      ("dismissed_at = now()", ["3"]), ("dismissed_at = NULL", ["2", "3"]),
      ("acknowledged_at = now()", ["2", "3"]),
      (
        "episode_status = 'resolved', resolved_on = '2026-01-08', resolution_reason = 'recovered'",
        ["3"]
      ),
    ]
    try session.execute("BEGIN")
    for (change, expected) in changes {
      #expect(try members(after: change, on: session) == expected, "\(change)")
    }
  }

  @Test(
    "the day is that of UTC, whatever the session's time zone",
    arguments: ["Pacific/Kiritimati", "Etc/GMT+12"])
  func judgesInUTC(zone: String) throws {
    let session = try FamilySchema().session(viewer: 1)
    // In one of the zones it is always another day.
    try session.execute("SET TimeZone = '\(zone)'; BEGIN")
    #expect(try members(after: "snooze_until = \(Self.today) + 1", on: session) == ["3"])
    #expect(try members(after: "snooze_until = \(Self.today)", on: session) == ["2", "3"])
  }

  @Test("the day may be given, with whatever is known today")
  func takesTheDay() throws {
    let family = try FamilySchema()
    try family.session().execute(
      "UPDATE pattern_alert_state SET snooze_until = '2026-01-20' WHERE user_id = '\(FamilySchema.id(2))'"
    )
    let session = try family.session(as: "vigil_reader", viewer: 1)
    let expected = [("'2026-01-19'", ["3"]), ("'2026-01-20'", ["2", "3"]), ("NULL", ["3"])]
    for (day, members) in expected {
      #expect(
        try session.lines(
          """
          SELECT right(user_id::text, 1) FROM get_family_pattern_alerts(
            '\(FamilySchema.familyA)', '\(FamilySchema.id(1))', \(day))
          """) == members, "\(day)")
    }
    let stranger = try family.session(as: "vigil_reader", viewer: 6)
    for viewer in [1, 6] {
      #expect(
        try stranger.refusal(
          of: """
            SELECT * FROM get_family_pattern_alerts(
              '\(FamilySchema.familyA)', '\(FamilySchema.id(viewer))', '2026-01-20')
            """) == (viewer == 6 ? Self.notAMember : Self.notOneself))
    }
  }

  @Test("the highest level comes first, then the longest, then by id")
  func isOrdered() throws {
    let family = try FamilySchema()
    try family.session().execute(
      """
      CREATE TEMPORARY TABLE more AS SELECT * FROM pattern_alert_state;
      UPDATE more SET metric_type = 'hrv_ms', id = overlay(id::text PLACING 'f' FROM 1)::uuid;
      UPDATE more SET event_id = id;
      UPDATE more SET active_since = '2025-12-31' WHERE user_id = '\(FamilySchema.id(3))';
      INSERT INTO pattern_alert_state SELECT * FROM more;
      UPDATE pattern_alert_state SET current_level = 21, severity = 'critical'
      WHERE user_id = '\(FamilySchema.id(3))' AND metric_type = 'steps';
      """)
    let session = try family.session(as: "vigil_reader", viewer: 1)
    #expect(
      try session.lines(
        """
        SELECT concat_ws(' ', current_level, right(user_id::text, 1), metric_type)
        FROM \(call(FamilySchema.familyA, viewer: 1))
        """) == ["21 3 steps", "7 3 hrv_ms", "7 2 steps", "7 2 hrv_ms"])
  }

  @Test("an event is one row, with its alerts that go on and the level of all of them")
  func groupsEvents() throws {
    let family = try FamilySchema()
    try family.session().execute(
      """
      CREATE TEMPORARY TABLE more AS
      SELECT alert.* FROM pattern_alert_state AS alert WHERE user_id = '\(FamilySchema.id(2))';
      UPDATE more SET metric_type = 'combined', pattern_type = 'worse_than_usual', current_level = 3,
        severity = 'watch', id = overlay(id::text PLACING 'e' FROM 1)::uuid;
      INSERT INTO pattern_alert_state SELECT * FROM more;
      UPDATE more SET metric_type = 'hrv_ms', pattern_type = 'drop_vs_baseline', current_level = 14,
        severity = 'critical', id = overlay(id::text PLACING 'f' FROM 1)::uuid,
        episode_status = 'resolved', resolved_on = '2026-01-08', resolution_reason = 'recovered';
      INSERT INTO pattern_alert_state SELECT * FROM more;
      """)
    let session = try family.session(as: "vigil_reader", viewer: 1)
    #expect(
      try session.lines(
        """
        SELECT concat_ws(
          ' ', right(user_id::text, 1), metric_type, current_level, severity, (
            SELECT string_agg(concat_ws(
              '/', member ->> 'metric_type', member ->> 'current_level',
              (member ->> 'id')::uuid = id, event_id = id
            ), ' ')
            FROM jsonb_array_elements(members) AS member
          ))
        FROM \(call(FamilySchema.familyA, viewer: 1))
        """) == [
          "2 combined 14 critical combined/3/t/f steps/7/f/f", "3 steps 7 attention steps/7/t/t",
        ])
  }

  @Test("a temporary table of the caller does not stand in for one of Vigil's")
  func keepsItsSearchPath() throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_reader", viewer: 6)
    try session.execute(
      """
      CREATE TEMPORARY TABLE family_members AS
      SELECT '\(FamilySchema.familyA)'::uuid AS family_id, '\(FamilySchema.id(6))'::uuid AS user_id,
        'accepted'::text AS invite_status;
      SET search_path = pg_temp, \(family.schema.quotedName);
      """)
    let query = "SELECT * FROM \(call(FamilySchema.familyA, viewer: 6))"
    #expect(try session.refusal(of: query) == Self.notAMember)
    #expect(try session.lines("SELECT external_id FROM users") == ["6"])
  }
}
