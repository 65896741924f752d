import PostgresTestServer
import Testing

@Suite("PostgreSQL: what a reader may see")
struct RowLevelSecurityTests {
  /// The persons whom each person sees: oneself, and accepted members of the families that one has
  /// accepted, without those by whom one is excluded.
  private static let visible: [Int: [Int]] = [
    1: [1, 2, 3, 5], 2: [1, 2, 3], 3: [1, 2, 3], 4: [4], 5: [5], 6: [6],
  ]

  @Test("a reader sees the rows of the viewer and of the viewer's families", arguments: visible)
  func seesFamilies(viewer: Int, visible: [Int]) throws {
    let session = try FamilySchema().session(as: "vigil_reader", viewer: viewer)
    let expected = visible.map(FamilySchema.id)
    let columns = [
      "users": "id", "pattern_alert_state": "user_id", "dose_analytics": "user_id",
      "trend_insights": "user_id", "trend_coverage": "user_id", "vitality_scores": "user_id",
      "raised_alerts": "user_id",
    ]
    for (table, column) in columns {
      #expect(
        try session.lines("SELECT \(column) FROM \(table) ORDER BY 1") == expected, "\(table)")
    }
  }

  @Test(
    "of a family a reader sees the accepted members, and every invitation of the viewer",
    arguments: [
      1: ["a1", "a2", "a3", "b1", "b5"], 2: ["a1", "a2", "a3"], 3: ["a1", "a2", "a3", "b3"],
      4: ["a4"], 5: ["b5"], 6: [],
    ])
  func seesMembers(viewer: Int, visible: [String]) throws {
    let session = try FamilySchema().session(as: "vigil_reader", viewer: viewer)
    #expect(
      try session.lines(
        "SELECT left(family_id::text, 1) || right(user_id::text, 1) FROM family_members ORDER BY 1")
        == visible)
  }

  @Test("a dependent sees who is in the family, and reads of the viewer alone")
  func keepsDependents() throws {
    let family = try FamilySchema()
    try family.session().execute(
      "UPDATE family_members SET role = 'dependent' WHERE user_id = '\(FamilySchema.id(2))'")
    let session = try family.session(as: "vigil_reader", viewer: 2)
    let own = [FamilySchema.id(2)]
    #expect(try session.lines("SELECT id FROM users ORDER BY 1") == [1, 2, 3].map(FamilySchema.id))
    #expect(try session.lines("SELECT count(*) FROM family_members") == ["3"])
    for table in [
      "pattern_alert_state", "dose_analytics", "trend_insights", "trend_coverage",
      "vitality_scores",
    ] {
      #expect(try session.lines("SELECT user_id FROM \(table)") == own, "\(table)")
    }
    let query =
      "SELECT user_id FROM get_family_pattern_alerts('\(FamilySchema.familyA)', '\(FamilySchema.id(2))')"
    #expect(try session.lines(query).isEmpty)
    #expect(
      try session.refusal(of: "SELECT * FROM acknowledge_alert('\(FamilySchema.id(3))')")
        == "P0002 the viewer has no such alert")
    // Others see the dependent.
    #expect(
      try family.session(as: "vigil_reader", viewer: 3).lines(
        "SELECT count(*) FROM pattern_alert_state") == ["3"])
    // What a person opens to a dependent is open.
    try family.session(as: "vigil_reader", viewer: 3).execute(
      "SELECT share_with_role('dependent', 'metrics')")
    #expect(
      try session.lines("SELECT user_id FROM wearable_daily_metrics ORDER BY 1")
        == [2, 3].map(FamilySchema.id))
  }

  @Test(
    "exclusions are shown to the person who made them, and to no other member",
    arguments: [1: ["1 5", "1 6"], 2: ["2 4"], 3: [], 4: ["4 1"], 5: [], 6: ["6 1"]])
  func seesOwnExclusions(viewer: Int, visible: [String]) throws {
    let session = try FamilySchema().session(as: "vigil_reader", viewer: viewer)
    #expect(
      try session.lines(
        """
        SELECT right(subject_user_id::text, 1), right(excluded_user_id::text, 1)
        FROM alert_recipient_exclusions ORDER BY 1, 2
        """) == visible)
  }

  @Test(
    "what is not for families is shown to its person only", arguments: FamilySchema.everybody)
  func seesOwn(viewer: Int) throws {
    let session = try FamilySchema().session(as: "vigil_reader", viewer: viewer)
    let columns = [
      "user_profiles": "user_id", "wearable_daily_metrics": "user_id",
      "exercise_sessions": "user_id", "medications": "user_id", "schedules": "medication_id",
      "dose_history": "medication_id", "timezone_events": "user_id",
      "schedule_adjustments": "schedule_id", "check_ins": "user_id", "check_in_plans": "user_id",
      "sensitivity_overrides": "user_id", "person_limits": "user_id", "person_details()": "user_id",
    ]
    for (table, column) in columns {
      #expect(
        try session.lines("SELECT \(column) FROM \(table)") == [FamilySchema.id(viewer)], "\(table)"
      )
    }
  }

  @Test("columns that are for few are read through functions only, also by their person")
  func keepsColumns() throws {
    let session = try FamilySchema().session(as: "vigil_reader", viewer: 1)
    let columns = [
      "users": ["email", "birth_date", "created_at", "*"],
      "dose_history": [
        "notes", "side_effects_reported", "location_latitude", "location_longitude",
        "location_city", "location_country", "*",
      ],
    ]
    for (table, columns) in columns {
      for column in columns {
        #expect(
          try session.refusal(of: "SELECT \(column) FROM \(table)")
            == "42501 permission denied for table \(table)", "\(column)")
      }
      // A condition, or an order, would reveal them, too.
      #expect(
        try session.refusal(of: "SELECT id FROM \(table) ORDER BY \(columns[0])")
          == "42501 permission denied for table \(table)")
    }
    #expect(
      try session.lines("SELECT email, birth_date FROM person_details()")
        == ["1@example.com 1950-01-01"])
    #expect(
      try session.lines("SELECT * FROM dose_details('\(FamilySchema.id(1))')")
        == ["\(FamilySchema.id(1)) note [] 1 2 city country"])
    for other in 2...6 {
      #expect(
        try session.lines("SELECT * FROM dose_details('\(FamilySchema.id(other))')") == [])
    }
    #expect(try session.lines("SELECT * FROM dose_details(NULL)") == [])
  }

  @Test(
    "a ping is shown to the two whom it is between, as long as they may see each other",
    arguments: [1: ["1"], 2: ["1", "2"], 3: ["2"], 4: [], 5: [], 6: []])
  func seesPings(viewer: Int, senders: [String]) throws {
    let session = try FamilySchema().session(as: "vigil_reader", viewer: viewer)
    #expect(
      try session.lines("SELECT right(sender_user_id::text, 1) FROM pings ORDER BY 1") == senders)
  }

  @Test("notifications are their recipient's only", arguments: FamilySchema.everybody)
  func seesOwnNotifications(viewer: Int) throws {
    let session = try FamilySchema().session(as: "vigil_reader", viewer: viewer)
    #expect(
      try session.lines("SELECT count(*) FROM notification_queue") == [viewer == 1 ? "4" : "0"])
  }

  @Test("hours of do-not-disturb are shown to their person only", arguments: FamilySchema.everybody)
  func seesOwnHours(viewer: Int) throws {
    let session = try FamilySchema().session(as: "vigil_reader", viewer: viewer)
    #expect(try session.lines("SELECT user_id FROM do_not_disturb") == [FamilySchema.id(viewer)])
  }

  @Test("what a member has read is shown to that member only", arguments: FamilySchema.everybody)
  func seesOwnReads(viewer: Int) throws {
    let session = try FamilySchema().session(as: "vigil_reader", viewer: viewer)
    #expect(
      try session.lines("SELECT DISTINCT user_id FROM alert_reads") == [FamilySchema.id(viewer)])
    for attempt in ["DELETE FROM alert_reads", "UPDATE alert_reads SET read_at = now()"] {
      #expect(
        try session.refusal(of: attempt) == "42501 permission denied for table alert_reads")
    }
  }

  @Test("an excluded member does not see the notifications withheld from them")
  func hidesExclusionFromRecipient() throws {
    let family = try FamilySchema()
    try family.session().execute(
      """
      UPDATE notification_queue SET status = 'skipped', status_reason = 'excluded'
      WHERE member_user_id = '\(FamilySchema.id(2))'
      """)
    let session = try family.session(as: "vigil_reader", viewer: 1)
    #expect(
      try session.lines("SELECT right(member_user_id::text, 1) FROM notification_queue ORDER BY 1")
        == ["1", "3", "5"])
  }

  @Test("without a viewer there is nothing to see, and no error either")
  func needsViewer() throws {
    let session = try FamilySchema().session(as: "vigil_reader")
    let tables = [
      "users", "user_profiles", "family_members", "alert_recipient_exclusions",
      "wearable_daily_metrics", "exercise_sessions", "pattern_alert_state", "notification_queue",
      "medications", "schedules", "dose_history", "timezone_events", "schedule_adjustments",
      "dose_analytics", "trend_insights", "trend_coverage", "vitality_scores", "check_ins",
      "check_in_plans", "sensitivity_overrides", "person_limits", "alert_reads",
      "do_not_disturb", "sharing_grants", "person_details()", "raised_alerts", "pings",
      "escalation_log",
    ]
    let settings = [
      "RESET app.current_user_id", "SET app.current_user_id = ''",
      "SET app.current_user_id = 'unknown'",
      "SET app.current_user_id = '\(FamilySchema.id(1))x'",
      "SET app.current_user_id = '00000000-0000-0000-0000-0000000000ff'",
    ]
    for setting in settings {
      try session.execute(setting)
      for table in tables {
        #expect(
          try session.lines("SELECT count(*) FROM \(table)") == ["0"], "\(setting): \(table)")
      }
    }
  }

  @Test("an id in upper case is the same viewer")
  func takesUpperCase() throws {
    let family = try FamilySchema()
    let id = "ABCDEF00-0000-0000-0000-000000000000"
    try family.session().execute(
      "INSERT INTO users (id, created_at, updated_at) VALUES ('\(id)', now(), now())")
    let session = try family.session(as: "vigil_reader")
    try session.execute("SET app.current_user_id = '\(id)'")
    #expect(try session.lines("SELECT id FROM users") == [id.lowercased()])
  }

  @Test("a viewer set for a transaction is forgotten with it")
  func followsTransactions() throws {
    let session = try FamilySchema().session(as: "vigil_reader")
    try session.execute("BEGIN; SET LOCAL app.current_user_id = '\(FamilySchema.id(6))'")
    #expect(try session.lines("SELECT external_id FROM users") == ["6"])
    try session.execute("COMMIT")
    #expect(try session.lines("SELECT external_id FROM users") == [])
    try session.execute("BEGIN; SET LOCAL app.current_user_id = '\(FamilySchema.id(6))'; ROLLBACK")
    #expect(try session.lines("SELECT external_id FROM users") == [])
  }

  @Test("who may see whom is found out once a query, and rows by their index")
  func usesIndexes() throws {
    let family = try FamilySchema()
    try family.session().execute(
      """
      INSERT INTO wearable_daily_metrics (user_id, metric_date, source, created_at, updated_at)
      SELECT '\(FamilySchema.id(2))', DATE '1950-01-01' + number, 'ring', now(), now()
      FROM generate_series(1, 20000) AS number;
      ANALYZE wearable_daily_metrics;
      """)
    let session = try family.session(as: "vigil_reader", viewer: 6)
    let plan = try session.lines(
      "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM wearable_daily_metrics"
        + " WHERE metric_date > '2025-12-31'")
    #expect(plan.contains { $0.contains("Index Cond: ((user_id = ANY ($0))") }, "\(plan)")
    #expect(plan.filter { $0.contains("InitPlan") }.count == 1, "\(plan)")
    #expect(!plan.contains { $0.contains("SubPlan") }, "\(plan)")
  }
}
