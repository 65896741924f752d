import PostgresTestServer
import StorageConformance
import Testing

@Suite("PostgreSQL: what roles may do")
struct RoleTests {
  private static let inputs = [
    "users", "user_profiles", "family_members", "alert_recipient_exclusions",
    "wearable_daily_metrics", "exercise_sessions", "medications", "schedules", "dose_history",
    "timezone_events", "schedule_adjustments",
  ]
  private static let outputs = [
    "pattern_alert_state", "batch_runs", "quarantined_rows", "run_shards", "escalation_log",
    "schedule_versions", "trend_insights", "trend_coverage",
  ]
  /// Rows of medications that are gone go with them.
  private static let analytics = "dose_analytics"
  /// Rows from elsewhere, and those that a run computes and may take back.
  private static let scores = "vitality_scores"
  /// Outputs whose old rows go away.
  private static let prunable = [
    "notification_queue", "shadow_notification_queue", "held_notifications", "batch_checkpoints",
  ]

  /// Everything a role may do with a table, as PostgreSQL's own letters: r is SELECT, a INSERT, w UPDATE.
  private func rights(of role: String, in family: FamilySchema) throws -> [String] {
    try family.session().lines(
      """
      SELECT relname, string_agg(letter, '' ORDER BY place)
      FROM pg_class, (VALUES
        (1, 'r', 'SELECT'), (2, 'a', 'INSERT'), (3, 'w', 'UPDATE'), (4, 'd', 'DELETE'),
        (5, 'D', 'TRUNCATE'), (6, 'x', 'REFERENCES'), (7, 't', 'TRIGGER')
      ) AS kind (place, letter, privilege)
      WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r'
        AND has_table_privilege('\(role)', pg_class.oid, privilege)
      GROUP BY relname
      ORDER BY relname COLLATE "C"
      """)
  }

  @Test("the engine reads inputs and the ledger, and writes outputs, deleting no alert and no run")
  func limitsEngine() throws {
    let expected =
      (Self.inputs + ["schema_migrations"]).map { "\($0) r" }
      + Self.outputs.map { "\($0) raw" } + Self.prunable.map { "\($0) rawd" }
      + [
        "alert_actions ra", "spent_notifications ra", "\(Self.scores) rawd",
        "\(Self.analytics) rawd",
      ]
    #expect(try rights(of: "vigil_engine", in: FamilySchema()) == expected.sorted())
  }

  @Test("a backfill may do the same, but not notify")
  func limitsBackfill() throws {
    let family = try FamilySchema()
    let expected = try rights(of: "vigil_engine", in: family).compactMap { right -> String? in
      let table = right.prefix { $0 != " " }
      return switch table {
      // What is asked of people, and what becomes of what was sent, is no backfill's affair.
      case "alert_actions", "escalation_log", "spent_notifications": nil
      case "notification_queue", "held_notifications": "\(table) r"
      case "shadow_notification_queue": "\(table) raw"
      default: right
      }
    }
    #expect(try rights(of: "vigil_backfill", in: family) == expected)

    let session = try family.session(as: "vigil_backfill")
    let attempts = [
      "INSERT INTO notification_queue SELECT * FROM shadow_notification_queue",
      "UPDATE notification_queue SET status = 'pending'",
      "DELETE FROM notification_queue",
    ]
    for attempt in attempts {
      #expect(
        try session.refusal(of: attempt) == "42501 permission denied for table notification_queue")
    }
  }

  @Test("a reader reads what is of persons, and nothing of runs")
  func limitsReader() throws {
    let expected =
      (Self.inputs + [
        "pattern_alert_state", "notification_queue", "alert_actions", "escalation_log",
        "dose_analytics", "trend_insights", "trend_coverage", Self.scores,
      ]).map { "\($0) r" }
    #expect(try rights(of: "vigil_reader", in: FamilySchema()) == expected.sorted())
  }

  @Test(
    "no role may change the schema", arguments: ["vigil_engine", "vigil_backfill", "vigil_reader"])
  func refusesDDL(role: String) throws {
    let session = try FamilySchema().session(as: role)
    for attempt in [
      "CREATE TABLE extra (id integer)", "ALTER TABLE users ADD COLUMN extra text",
      "DROP TABLE batch_checkpoints", "CREATE INDEX extra ON users (email)",
      "ALTER TABLE users NO FORCE ROW LEVEL SECURITY", "DROP POLICY vigil_reader ON users",
    ] {
      let refusal = try session.refusal(of: attempt)
      #expect(refusal?.hasPrefix("42501 ") == true, "\(attempt): \(refusal ?? "allowed")")
    }
  }

  @Test(
    "the owner, the engine and a backfill see every row",
    arguments: ["vigil", "vigil_engine", "vigil_backfill"])
  func showsEverything(role: String) throws {
    let session = try FamilySchema().session(as: role)
    for table in Self.inputs + [
      "pattern_alert_state", "notification_queue", "dose_analytics", "trend_insights",
      "trend_coverage", Self.scores,
    ] {
      let expected = ["family_members": "7", "alert_recipient_exclusions": "5"][table] ?? "6"
      #expect(try session.lines("SELECT count(*) FROM \(table)") == [expected], "\(table)")
    }
  }

  @Test(
    "the engine writes every output, foreign keys and generated ids included",
    arguments: ["vigil_engine", "vigil_backfill"])
  func letsEngineWrite(role: String) throws {
    let family = try FamilySchema()
    try family.session().execute(
      "DELETE FROM notification_queue; DELETE FROM shadow_notification_queue")
    let session = try family.session(as: role)
    try session.execute(
      """
      CREATE TEMPORARY TABLE newer AS SELECT * FROM pattern_alert_state;
      UPDATE newer SET id = gen_random_uuid(), metric_type = 'hrv_ms';
      INSERT INTO pattern_alert_state SELECT * FROM newer;
      UPDATE pattern_alert_state SET consecutive_true_days = 8;
      INSERT INTO schedule_versions
      SELECT id, '0001-01-01', '{}', run_id, now(), now() FROM pattern_alert_state;
      UPDATE schedule_versions SET row = '[]';
      UPDATE dose_analytics SET adherent = NULL;
      DELETE FROM dose_analytics WHERE user_id = '\(FamilySchema.id(6))';
      UPDATE trend_insights SET suppressed_reason = 'retracted';
      UPDATE trend_coverage SET days_needed = 1;
      INSERT INTO vitality_scores
      SELECT id, '2026-01-08', 1, NULL, 1, 1, 'v1', 'vigil' FROM users;
      UPDATE vitality_scores SET total_score = 2 WHERE source = 'vigil';
      DELETE FROM vitality_scores WHERE source = 'vigil';
      INSERT INTO batch_runs VALUES (
        '\(FamilySchema.familyA)', 'run', '2026-01-07', '2026-01-07', 'shadow', 'v2', '', '1', '',
        now(), NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, '[]', 'running'
      );
      UPDATE batch_runs SET status = 'succeeded', finished_at = now();
      INSERT INTO run_shards VALUES ('\(FamilySchema.familyA)', 1, 'running', 'host', now());
      INSERT INTO batch_checkpoints VALUES (
        '\(FamilySchema.familyA)', 1, '\(FamilySchema.id(1))', '\(FamilySchema.id(6))', 6, '{}',
        '[]', 0, NULL, NULL, 0, now()
      );
      DELETE FROM batch_checkpoints;
      INSERT INTO quarantined_rows (table_name, reason, created_at) VALUES ('users', '', now());
      INSERT INTO shadow_notification_queue (
        id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id,
        channel, payload, priority, scheduled_for, expires_at, dedupe_key, run_id, created_at,
        updated_at
      )
      SELECT
        id, user_id, user_id, id, 'pattern_alert', 'pattern_alert', 'in_app', '{}', 'high',
        now(), now(), id, run_id, now(), now()
      FROM pattern_alert_state;
      """)
    #expect(try session.lines("SELECT count(*) FROM shadow_notification_queue") == ["12"])
    let enqueue = "INSERT INTO notification_queue SELECT * FROM shadow_notification_queue"
    let refusal = try session.refusal(of: enqueue)
    #expect((refusal == nil) == (role == "vigil_engine"))
  }

  @Test(
    "scores from elsewhere are out of the reach of a run",
    arguments: ["vigil_engine", "vigil_backfill"])
  func protectsScores(role: String) throws {
    let family = try FamilySchema()
    let session = try family.session(as: role)
    let scores = "SELECT DISTINCT source, total_score FROM vitality_scores"
    #expect(try session.lines(scores) == ["app 80"])
    try session.execute(
      "UPDATE vitality_scores SET total_score = 1; DELETE FROM vitality_scores;")
    #expect(try session.lines(scores) == ["app 80"])
    let attempts = [
      "INSERT INTO vitality_scores SELECT id, '2026-01-08', 1, 1, 1, 1, 'v1', 'app' FROM users",
      """
      INSERT INTO vitality_scores SELECT id, '2026-01-08', 1, 1, 1, 1, 'v1', 'vigil' FROM users;
      UPDATE vitality_scores SET source = 'app' WHERE source = 'vigil'
      """,
    ]
    for attempt in attempts {
      #expect(
        try session.refusal(of: attempt)
          == "42501 new row violates row-level security policy for table \"vitality_scores\"")
    }
  }

  @Test(
    "a login that is a member of the engine's role is all that runs need",
    arguments: ConformanceCheck.all)
  func serveRuns(check: ConformanceCheck) throws {
    try check.run(EngineFixture())
  }

  @Test("no role can log in, or is more than a role")
  func areNoUsers() throws {
    #expect(
      try FamilySchema().session().lines(
        """
        SELECT rolname FROM pg_roles
        WHERE rolname IN ('vigil_engine', 'vigil_backfill', 'vigil_reader') AND NOT (
          rolcanlogin OR rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole OR rolreplication
        )
        ORDER BY rolname
        """) == ["vigil_backfill", "vigil_engine", "vigil_reader"])
  }
}
