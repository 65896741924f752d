import Foundation
import PostgresTestServer
import Testing

@Suite("PostgreSQL: what persons open to others")
struct SharingTests {
  private static let noMember = "P0002 the viewer has no such member"
  private static let noViewer = "42501 app.current_user_id names no person"
  private static let noRole = "22023 a role is superadmin, admin, member, responder or dependent"
  private static let noEnd = "22023 a grant ends after now and in the year 9999 at the latest"
  private static let noKind =
    "22023 what is shared is metrics, medications, doses, notes, location, check_ins or email"

  private static func quoted(_ person: Int) -> String { "'\(FamilySchema.id(person))'" }

  /// The tables and columns in which a viewer reads something of person 2, by the kind of data that is open.
  private static let readings: [String: [String]] = [
    "metrics": ["wearable_daily_metrics", "exercise_sessions"],
    "medications": ["medications", "schedules", "schedule_adjustments"],
    "doses": ["dose_history"],
    "notes": ["dose_details.notes", "dose_details.side_effects_reported"],
    "location": [
      "timezone_events", "dose_details.location_latitude", "dose_details.location_longitude",
      "dose_details.location_city", "dose_details.location_country",
    ],
    "check_ins": ["check_ins", "check_in_plans"],
    "email": ["person_details"],
  ]

  private let family: FamilySchema
  private let owner: SchemaSession

  init() throws {
    family = try FamilySchema()
    owner = try family.session()
  }

  private func session(_ viewer: Int) throws -> SchemaSession {
    try family.session(as: "vigil_reader", viewer: viewer)
  }

  /// The tables and columns in which a session reads something of a person beside what families read.
  private func read(of person: Int, by session: SchemaSession) throws -> Set<String> {
    let id = Self.quoted(person)
    var found: Set<String> = []
    for (table, column) in [
      ("wearable_daily_metrics", "user_id"), ("exercise_sessions", "user_id"),
      ("medications", "user_id"), ("schedules", "medication_id"),
      ("schedule_adjustments", "schedule_id"), ("dose_history", "medication_id"),
      ("timezone_events", "user_id"), ("check_ins", "user_id"), ("check_in_plans", "user_id"),
    ] where try session.lines("SELECT count(*) FROM \(table) WHERE \(column) = \(id)") != ["0"] {
      found.insert(table)
    }
    for column in [
      "notes", "side_effects_reported", "location_latitude", "location_longitude", "location_city",
      "location_country",
    ] where try session.lines("SELECT count(\(column)) FROM dose_details(\(id))") != ["0"] {
      found.insert("dose_details.\(column)")
    }
    if try session.lines("SELECT count(email) FROM person_details() WHERE user_id = \(id)") != ["0"]
    {
      found.insert("person_details")
    }
    return found
  }

  @Test(
    "a member reads the kind of data that a person has opened, and nothing else",
    arguments: readings)
  func opensOneKind(what: String, readable: [String]) throws {
    let (reader, other) = (try session(1), try session(3))
    #expect(try read(of: 2, by: reader) == [])
    _ = try session(2).lines("SELECT share(\(Self.quoted(1)), '\(what)')")
    #expect(try read(of: 2, by: reader) == Set(readable))
    // Neither another member nor the other way round.
    #expect(try read(of: 2, by: other) == [])
    #expect(try read(of: 1, by: try session(2)) == [])
    // The day of birth stays with the person.
    #expect(
      try reader.lines(
        "SELECT count(birth_date) FROM person_details() WHERE user_id <> \(Self.quoted(1))")
        == ["0"])
    #expect(
      try session(2).lines("SELECT unshare(\(Self.quoted(1)), '\(what)')") == ["t"])
    #expect(try read(of: 2, by: reader) == [])
    #expect(
      try session(2).lines("SELECT unshare(\(Self.quoted(1)), '\(what)')") == ["f"])
  }

  @Test("everybody with a role in a family with the person reads what is open to the role")
  func opensToRoles() throws {
    try owner.execute(
      "UPDATE family_members SET role = 'admin' WHERE user_id = \(Self.quoted(3))")
    let person = try session(2)
    _ = try person.lines("SELECT share_with_role('admin', 'metrics')")
    func readers() throws -> [Int] {
      try FamilySchema.everybody.filter {
        try $0 != 2 && !read(of: 2, by: session($0)).isEmpty
      }
    }
    // 5 is an admin of a family in which 2 is not; 1 is a superadmin.
    #expect(try readers() == [3])
    for (change, expected) in [
      ("UPDATE family_members SET role = 'member' WHERE user_id = \(Self.quoted(3))", []),
      (
        "UPDATE family_members SET role = 'admin' WHERE user_id = \(Self.quoted(1)) AND family_id = '\(FamilySchema.familyA)'",
        [1]
      ),
      // Who has a role in another family does not have it in this one.
      (
        "UPDATE family_members SET role = CASE family_id WHEN '\(FamilySchema.familyA)' THEN 'member' ELSE 'admin' END WHERE user_id = \(Self.quoted(1))",
        []
      ),
      (
        "UPDATE family_members SET role = 'admin', invite_status = 'pending' WHERE user_id = \(Self.quoted(3))",
        []
      ),
      (
        "UPDATE family_members SET invite_status = 'accepted' WHERE user_id = \(Self.quoted(3))",
        [3]
      ),
      ("INSERT INTO alert_recipient_exclusions VALUES (\(Self.quoted(2)), \(Self.quoted(3)))", []),
    ] as [(String, [Int])] {
      try owner.execute(change)
      #expect(try readers() == expected, "\(change)")
    }
    #expect(try person.lines("SELECT unshare_with_role('admin', 'metrics')") == ["t"])
    #expect(try person.lines("SELECT unshare_with_role('admin', 'metrics')") == ["f"])
  }

  @Test("a grant holds until its end, and for members of one family who are not excluded")
  func ends() throws {
    let (person, reader) = (try session(2), try session(1))
    _ = try person.lines(
      "SELECT share(\(Self.quoted(1)), 'metrics', now() + INTERVAL '1 day')")
    #expect(try !read(of: 2, by: reader).isEmpty)
    // It ends within a transaction that began before, too.
    try reader.execute("BEGIN")
    #expect(try !read(of: 2, by: reader).isEmpty)
    try owner.execute("UPDATE sharing_grants SET until = now()")
    #expect(try read(of: 2, by: reader) == [])
    try reader.execute("COMMIT")
    // A second grant of the same replaces the end.
    _ = try person.lines("SELECT share(\(Self.quoted(1)), 'metrics')")
    #expect(try owner.lines("SELECT count(*), count(until) FROM sharing_grants") == ["1 0"])
    for (change, back) in [
      (
        "INSERT INTO alert_recipient_exclusions VALUES (\(Self.quoted(2)), \(Self.quoted(1)))",
        "DELETE FROM alert_recipient_exclusions WHERE subject_user_id = \(Self.quoted(2))"
      ),
      (
        "UPDATE family_members SET invite_status = 'declined' WHERE user_id = \(Self.quoted(2))",
        "UPDATE family_members SET invite_status = 'accepted' WHERE user_id = \(Self.quoted(2))"
      ),
    ] {
      try owner.execute(change)
      #expect(try read(of: 2, by: reader) == [], "\(change)")
      try owner.execute(back)
      #expect(try !read(of: 2, by: reader).isEmpty, "\(back)")
    }
  }

  @Test("who is excluded by a person reads nothing of that person, whatever there is")
  func hidesFromExcluded() throws {
    let reader = try session(1)
    let group = "00000000-0000-0000-0000-0000000000aa"
    _ = try session(2).lines("SELECT share(\(Self.quoted(1)), 'metrics')")
    _ = try reader.lines("SELECT * FROM acknowledge_alert(\(Self.quoted(2)))")
    try owner.execute(
      """
      INSERT INTO escalation_log (id, patient_id, caregiver_id, escalation_type)
      VALUES ('\(group)', \(Self.quoted(2)), \(Self.quoted(1)), 'missed_dose');
      INSERT INTO notification_queue (
        id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level,
        channel, payload, priority, scheduled_for, expires_at, dedupe_key, run_id, created_at,
        updated_at
      )
      SELECT '\(group)', recipient_user_id, member_user_id, alert_state_id, 'pattern_alert_group',
        template_id, level, channel,
        '{"alerts": [{"member_user_id": "\(FamilySchema.id(3))"}, {"member_user_id": "\(FamilySchema.id(2))"}]}',
        priority, scheduled_for, expires_at, 'group', run_id, created_at, updated_at
      FROM notification_queue WHERE id = \(Self.quoted(3));
      """)
    let everything = [
      "users WHERE id = \(Self.quoted(2))", "family_members WHERE user_id = \(Self.quoted(2))",
      "pattern_alert_state WHERE user_id = \(Self.quoted(2))",
      "dose_analytics WHERE user_id = \(Self.quoted(2))",
      "trend_insights WHERE user_id = \(Self.quoted(2))",
      "trend_coverage WHERE user_id = \(Self.quoted(2))",
      "vitality_scores WHERE user_id = \(Self.quoted(2))",
      "wearable_daily_metrics WHERE user_id = \(Self.quoted(2))",
      "alert_actions WHERE alert_state_id = \(Self.quoted(2))",
      "notification_queue WHERE member_user_id = \(Self.quoted(2))",
      "notification_queue WHERE id = '\(group)'",
      "escalation_log WHERE patient_id = \(Self.quoted(2))",
      "sharing_grants WHERE user_id = \(Self.quoted(2))",
    ]
    for rows in everything {
      #expect(try reader.lines("SELECT count(*) FROM \(rows)") == ["1"], "\(rows)")
    }
    try owner.execute(
      "INSERT INTO alert_recipient_exclusions VALUES (\(Self.quoted(2)), \(Self.quoted(1)))")
    for rows in everything {
      #expect(try reader.lines("SELECT count(*) FROM \(rows)") == ["0"], "\(rows)")
    }
    #expect(
      try reader.refusal(of: "SELECT * FROM dismiss_alert(\(Self.quoted(2)))")
        == "P0002 the viewer has no such alert")
    #expect(
      try reader.refusal(of: "SELECT share(\(Self.quoted(2)), 'metrics')") == Self.noMember)
    // The person still reads what families read of the excluded member.
    #expect(
      try session(2).lines(
        "SELECT count(*) FROM pattern_alert_state WHERE user_id = \(Self.quoted(1))")
        == ["1"])
  }

  @Test("a grant is shown to the person and to the member whom it names")
  func showsGrants() throws {
    _ = try session(2).lines(
      "SELECT share(\(Self.quoted(1)), 'metrics'), share_with_role('admin', 'doses')")
    let expected = [1: ["metrics"], 2: ["doses", "metrics"]]
    for viewer in FamilySchema.everybody {
      #expect(
        try session(viewer).lines("SELECT what FROM sharing_grants ORDER BY 1")
          == expected[viewer] ?? [], "\(viewer)")
    }
  }

  @Test("a person opens their own data only, to members of their families")
  func keepsToTheViewer() throws {
    let person = try session(2)
    for (call, refusal) in [
      ("share(\(Self.quoted(2)), 'metrics')", Self.noMember),
      ("share(\(Self.quoted(5)), 'metrics')", Self.noMember),
      ("share(\(Self.quoted(4)), 'metrics')", Self.noMember),
      ("share('\(FamilySchema.familyA)', 'metrics')", Self.noMember),
      ("share(NULL, 'metrics')", Self.noMember),
      ("share(\(Self.quoted(1)), NULL)", Self.noKind),
      ("share(\(Self.quoted(1)), 'everything')", Self.noKind),
      ("share(\(Self.quoted(1)), 'metrics'' OR TRUE --')", Self.noKind),
      ("share(\(Self.quoted(1)), 'metrics', now())", Self.noEnd),
      ("share(\(Self.quoted(1)), 'metrics', '-infinity')", Self.noEnd),
      ("share(\(Self.quoted(1)), 'metrics', 'infinity')", Self.noEnd),
      ("share_with_role(NULL, 'metrics')", Self.noRole),
      ("share_with_role('vigil_reader', 'metrics')", Self.noRole),
      ("share_with_role('admin', '')", Self.noKind),
    ] {
      // The text of the call is part of another one.
      let sql = "SELECT \(call)"
      #expect(try person.refusal(of: sql) == refusal, "\(call)")
    }
    #expect(try owner.lines("SELECT count(*) FROM sharing_grants") == ["0"])
    // Another's grant is out of reach.
    _ = try person.lines("SELECT share(\(Self.quoted(1)), 'metrics')")
    for viewer in [1, 3] {
      let other = try session(viewer)
      for call in [
        "unshare(\(Self.quoted(1)), 'metrics')", "unshare(\(Self.quoted(2)), 'metrics')",
        "unshare(NULL, NULL)", "unshare_with_role(NULL, 'metrics')",
      ] {
        #expect(try other.lines("SELECT \(call)") == ["f"], "\(call)")
      }
    }
    #expect(
      try owner.lines("SELECT right(user_id::text, 1), what FROM sharing_grants") == ["2 metrics"])
  }

  @Test("without a viewer nothing is opened")
  func needsViewer() throws {
    let session = try family.session(as: "vigil_reader")
    for setting in [
      "RESET app.current_user_id", "SET app.current_user_id = ''",
      "SET app.current_user_id = 'unknown'",
      "SET app.current_user_id = '\(FamilySchema.id(1))x'",
      "SET app.current_user_id = '00000000-0000-0000-0000-0000000000ff'",
    ] {
      try session.execute(setting)
      let calls = [
        "share_with_role('admin', 'metrics')", "unshare(\(Self.quoted(1)), 'metrics')",
      ]
      let isUnknown = setting.contains("ff'")
      #expect(try session.refusal(of: "SELECT \(calls[0])") == Self.noViewer, "\(setting)")
      #expect(
        try session.refusal(of: "SELECT \(calls[1])") == (isUnknown ? nil : Self.noViewer),
        "\(setting)")
      #expect(
        try session.refusal(of: "SELECT share(\(Self.quoted(1)), 'metrics')")
          == (isUnknown ? Self.noMember : Self.noViewer), "\(setting)")
      #expect(try session.lines("SELECT * FROM dose_details(\(Self.quoted(1)))") == [])
    }
    #expect(try owner.lines("SELECT count(*) FROM sharing_grants") == ["0"])
  }

  @Test("no role writes a grant by hand, and only a reader calls the functions")
  func keepsOthersOut() throws {
    let row =
      "SELECT gen_random_uuid(), \(Self.quoted(2)), \(Self.quoted(1)), NULL, 'metrics', NULL, now()"
    let reader = try session(1)
    for attempt in [
      "INSERT INTO sharing_grants \(row)", "UPDATE sharing_grants SET until = NULL",
      "DELETE FROM sharing_grants",
      "SELECT vigil_share(\(Self.quoted(2)), NULL, 'metrics', NULL)",
      "SELECT vigil_unshare(\(Self.quoted(2)), NULL, 'metrics')",
    ] {
      let refusal = try reader.refusal(of: attempt)
      #expect(refusal?.hasPrefix("42501 permission denied") == true, "\(attempt): \(refusal ?? "")")
    }
    for role in ["vigil_engine", "vigil_backfill", "vigil_sender", "vigil_eraser"] {
      let session = try family.session(as: role, viewer: 2)
      for attempt in [
        "INSERT INTO sharing_grants \(row)", "UPDATE sharing_grants SET until = NULL",
        "SELECT share(\(Self.quoted(1)), 'metrics')", "SELECT share_with_role('admin', 'metrics')",
        "SELECT unshare(\(Self.quoted(1)), 'metrics')",
        "SELECT unshare_with_role('admin', 'metrics')",
        "SELECT vigil_share(\(Self.quoted(2)), NULL, 'metrics', NULL)",
        "SELECT * FROM person_details()", "SELECT * FROM dose_details(\(Self.quoted(2)))",
        "SELECT vigil_shared_persons('metrics')", "SELECT vigil_shared_medications('doses')",
      ] {
        let refusal = try session.refusal(of: attempt)
        #expect(
          refusal?.hasPrefix("42501 permission denied") == true,
          "\(role), \(attempt): \(refusal ?? "allowed")")
      }
    }
  }

  @Test("objects that a reader puts in front of the schema are not used")
  func resistsTemporaryObjects() throws {
    let session = try session(1)
    try session.execute(
      session.rendered(
        """
        CREATE TEMPORARY TABLE sharing_grants AS SELECT * FROM {{schema}}.sharing_grants WITH NO DATA;
        INSERT INTO pg_temp.sharing_grants
          SELECT gen_random_uuid(), \(Self.quoted(2)), \(Self.quoted(1)), NULL, what, NULL, now()
          FROM unnest(ARRAY['metrics', 'doses', 'notes', 'location', 'email', 'medications']) AS what;
        CREATE TEMPORARY TABLE alert_recipient_exclusions (subject_user_id uuid, excluded_user_id uuid);
        CREATE TEMPORARY TABLE family_members AS
          SELECT '\(FamilySchema.familyA)'::uuid AS family_id, one AS user_id, 'admin'::text AS role,
            'accepted'::text AS invite_status
          FROM unnest(ARRAY[\(Self.quoted(1)), \(Self.quoted(6))]::uuid[]) AS one;
        CREATE FUNCTION pg_temp.statement_timestamp() RETURNS timestamptz LANGUAGE sql AS
          'SELECT timestamptz ''2020-01-01''';
        CREATE FUNCTION pg_temp.vigil_viewer_id() RETURNS uuid LANGUAGE sql AS
          'SELECT ''\(FamilySchema.id(2))''::uuid';
        CREATE FUNCTION pg_temp.same(uuid, uuid) RETURNS boolean LANGUAGE sql AS 'SELECT TRUE';
        CREATE OPERATOR pg_temp.= (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = pg_temp.same);
        SET search_path = pg_temp, {{schema}}, pg_catalog;
        """))
    func rows(_ table: String) throws -> [String] {
      try session.lines(
        session.rendered(
          "SELECT count(*) FROM {{schema}}.\(table) WHERE user_id::text = \(Self.quoted(2))"))
    }
    for table in ["wearable_daily_metrics", "medications", "timezone_events", "person_details()"] {
      #expect(try rows(table) == ["0"], "\(table)")
    }
    #expect(
      try session.lines(
        session.rendered("SELECT * FROM {{schema}}.dose_details(\(Self.quoted(2)))")) == [])
    #expect(
      try session.refusal(
        of: session.rendered("SELECT {{schema}}.share(\(Self.quoted(6)), 'metrics')"))
        == Self.noMember)
    _ = try session.lines(session.rendered("SELECT {{schema}}.share(\(Self.quoted(3)), 'metrics')"))
    #expect(
      try owner.lines(
        "SELECT right(user_id::text, 1), right(member_user_id::text, 1) FROM sharing_grants")
        == ["1 3"])
  }

  @Test("who may read whom is found out once a query, whatever the number of rows")
  func asksOnce() throws {
    try owner.execute(
      """
      INSERT INTO dose_history (
        id, medication_id, status, recorded_timezone, created_at, updated_at
      )
      SELECT gen_random_uuid(), \(Self.quoted(2)), 'missed', 'UTC', now(), now()
      FROM generate_series(1, 20000);
      ANALYZE dose_history;
      """)
    _ = try session(2).lines("SELECT share(\(Self.quoted(1)), 'doses')")
    let session = try session(1)
    for query in [
      "SELECT id FROM dose_history WHERE status = 'missed'",
      "SELECT id FROM pattern_alert_state WHERE episode_status = 'active'",
      "SELECT id FROM notification_queue", "SELECT user_id FROM wearable_daily_metrics",
    ] {
      let plan = try session.lines("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) \(query)")
      #expect(!plan.contains { $0.contains("SubPlan") }, "\(query): \(plan)")
    }
  }
}
