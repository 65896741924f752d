import PostgresTestServer
import StorageConformance
import Testing

@Suite("PostgreSQL: what roles may do")
struct RoleTests {
  private static let inputs = [
    "users", "user_profiles", "family_members", "alert_recipient_exclusions",
    "wearable_daily_metrics", "exercise_sessions", "medications", "schedules", "dose_history",
    "timezone_events", "schedule_adjustments", "check_ins", "check_in_plans",
    "sensitivity_overrides", "person_limits", "do_not_disturb",
  ]
  /// Rows from elsewhere, and those that a run computes and may take back.
  private static let scores = "vitality_scores"

  @Test("a backfill cannot change what waits to be sent")
  func keepsBackfillFromQueues() throws {
    let session = try FamilySchema().session(as: "vigil_backfill")
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

  @Test(
    "a backfill cannot silence an alert, or move it to another person",
    arguments: [
      "snooze_until = '2999-01-01'", "dismissed_at = now()", "acknowledged_at = now()",
      "acknowledged_by = user_id", "last_notified_level = 21", "last_notified_at = now()",
      "user_id = '\(FamilySchema.id(1))'", "active_since = '2026-01-02'", "metric_type = 'hrv_ms'",
    ])
  func keepsBackfillFromSilencing(assignment: String) throws {
    let family = try FamilySchema()
    let change =
      "UPDATE pattern_alert_state SET \(assignment) WHERE user_id = '\(FamilySchema.id(6))'"
    #expect(
      try family.session(as: "vigil_backfill").refusal(of: change)
        == "42501 permission denied for table pattern_alert_state")
    // Another constraint may be in the engine's way.
    let refusal = try family.session(as: "vigil_engine").refusal(of: change)
    #expect(refusal?.hasPrefix("42501") != true)
  }

  @Test("a sender takes rows and records outcomes, and can do nothing else")
  func keepsSenderToItsWork() throws {
    let family = try FamilySchema()
    try family.session().execute(
      "UPDATE notification_queue SET channel = 'push' WHERE member_user_id <> '\(FamilySchema.id(1))'"
    )
    let session = try family.session(as: "vigil_sender")
    // It looks at rows of the app as well, and may only cancel those that wait.
    #expect(try session.lines("SELECT count(*) FROM notification_queue") == ["6"])
    #expect(try session.lines("SELECT count(*) FROM contact_points") == ["6"])
    #expect(try session.lines("SELECT count(*) FROM push_tokens") == ["6"])
    try session.execute(
      """
      UPDATE sms_log SET status = 'unknown', delivery_status = 'failed', number_digest = NULL;
      INSERT INTO sms_log (
        notification_id, month, recipient_user_id, sms_type, status, delivery_status_at, fencing_token,
        created_at, updated_at
      )
      SELECT notification_id, '2026-02-01', recipient_user_id, sms_type, status, now(), 1, now(), now()
      FROM sms_log
      """
    )
    #expect(
      try session.lines("SELECT count(*) FROM pattern_alert_state WHERE dismissed_at IS NULL") == [
        "6"
      ])
    try session.execute(
      "UPDATE notification_queue SET status = 'sent', sent_at = now() WHERE channel <> 'in_app'")
    for assignments in [
      "status = 'sent', sent_at = now()", "status = 'failed'", "status = 'skipped'",
      "expires_at = now() + INTERVAL '1 day'", "scheduled_for = now()", "read_at = now()",
      "delivered_at = now()", "status = 'cancelled', channel = 'push'",
      "status = 'processing', lease_owner = 'mine', lease_until = now()",
    ] {
      let attempt = "UPDATE notification_queue SET \(assignments) WHERE channel = 'in_app'"
      let refusal = try session.refusal(of: attempt)
      #expect(refusal?.hasPrefix("42501 ") == true, "\(attempt): \(refusal ?? "allowed")")
    }
    // What is cancelled stays so.
    for reason in ["resolved", "expired"] {
      try session.execute(
        "UPDATE notification_queue SET status = 'cancelled', status_reason = '\(reason)' WHERE channel = 'in_app'"
      )
    }
    #expect(
      try session.lines(
        "SELECT status, status_reason FROM notification_queue WHERE channel = 'in_app'")
        == ["cancelled resolved"])
    for attempt in [
      "INSERT INTO notification_queue SELECT * FROM notification_queue",
      "DELETE FROM notification_queue",
      "UPDATE notification_queue SET payload = '{}'",
      "UPDATE notification_queue SET recipient_user_id = member_user_id",
      "UPDATE notification_queue SET channel = 'email'",
      "UPDATE contact_points SET address = 'x'", "DELETE FROM push_tokens",
      "UPDATE push_tokens SET user_id = user_id", "UPDATE push_tokens SET token = 'x'",
      "DELETE FROM sms_log", "UPDATE sms_log SET month = '2026-03-01'",
      "UPDATE sms_log SET recipient_user_id = notification_id",
      "UPDATE sms_log SET sms_type = 'emergency'",
      "SELECT deviation_fraction FROM pattern_alert_state", "SELECT * FROM pattern_alert_state",
      "UPDATE pattern_alert_state SET dismissed_at = now()",
      "SELECT * FROM wearable_daily_metrics", "SELECT * FROM users", "SELECT * FROM medications",
      "SELECT * FROM vitality_scores", "SELECT * FROM trend_insights",
      "SELECT * FROM held_notifications",
      "UPDATE user_profiles SET notify_push = true",
      "INSERT INTO raised_alerts (id, user_id, raised_at) VALUES (gen_random_uuid(), '\(FamilySchema.id(1))', now())",
      "UPDATE raised_alerts SET status = 'resolved'", "SELECT resolved_by FROM raised_alerts",
      "UPDATE raised_alerts SET user_id = user_id", "DELETE FROM raised_alerts",
      "DELETE FROM pings", "UPDATE pings SET responded_at = now()",
      "UPDATE pings SET recipient_user_id = sender_user_id", "DELETE FROM check_in_reminders",
      "UPDATE check_ins SET kind = 'manual'", "DELETE FROM check_in_plans",
      "UPDATE escalation_settings SET window_minutes = NULL", "DELETE FROM escalation_settings",
      "INSERT INTO escalation_settings (user_id, level) SELECT user_id, 21 FROM escalation_settings",
    ] {
      let refusal = try session.refusal(of: attempt)
      #expect(refusal?.hasPrefix("42501 ") == true, "\(attempt): \(refusal ?? "allowed")")
    }
    // It notifies of what a prompt says, and only whom it is for.
    func notice(_ type: String, about member: Int, to recipient: Int, of prompt: Int) -> String {
      """
      INSERT INTO notification_queue (
        id, recipient_user_id, member_user_id, prompt_id, notification_type, template_id, channel,
        payload, priority, scheduled_for, expires_at, dedupe_key, run_id, created_at, updated_at
      ) VALUES (
        gen_random_uuid(), '\(FamilySchema.id(recipient))', '\(FamilySchema.id(member))',
        '\(type == "raised_alert" ? FamilySchema.raisedAlert(prompt) : FamilySchema.id(prompt))',
        '\(type)', '\(type)', 'push', '{}', 'high', now(), now(),
        gen_random_uuid(), gen_random_uuid(), now(), now()
      )
      """
    }
    let policy =
      "42501 new row violates row-level security policy for table \"notification_queue\""
    for (statement, refusal) in [
      (notice("raised_alert", about: 1, to: 2, of: 1), nil),
      (notice("raised_alert", about: 2, to: 1, of: 1), policy),
      (notice("raised_alert", about: 1, to: 1, of: 1), policy),
      (notice("ping", about: 2, to: 2, of: 1), nil),
      (notice("ping", about: 2, to: 3, of: 1), policy),
      (notice("ping", about: 3, to: 3, of: 1), policy),
      (notice("check_in_reminder", about: 3, to: 3, of: 1), nil),
      (notice("check_in_reminder", about: 3, to: 2, of: 1), policy),
      (notice("pattern_alert", about: 1, to: 2, of: 1), policy),
    ] as [(String, String?)] {
      #expect(try session.refusal(of: statement) == refusal, "\(statement)")
    }
    for role in ["vigil_engine", "vigil_backfill", "vigil_reader"] {
      for table in ["contact_points", "push_tokens", "emergency_contacts"] {
        let refusal = try family.session(as: role).refusal(of: "SELECT * FROM \(table)")
        #expect(refusal == "42501 permission denied for table \(table)")
      }
    }
    for role in ["vigil_backfill", "vigil_reader"] {
      let refusal = try family.session(as: role).refusal(of: "SELECT * FROM sms_log")
      #expect(refusal == "42501 permission denied for table sms_log")
    }
    let refusal = try family.session(as: "vigil_engine").refusal(
      of: "UPDATE sms_log SET status = 'not_sent'")
    #expect(refusal == "42501 permission denied for table sms_log")
  }

  private static func insertion(ofRun id: String, mode: String) -> String {
    """
    INSERT INTO batch_runs (
      id, kind, from_date, to_date, mode, is_silent, parts, shards, thresholds_version,
      thresholds_digest, engine_version, host, started_at, persons, series, days_evaluated,
      rows_read, rows_changed, values_rejected, episodes_opened, episodes_escalated,
      episodes_resolved, notifications_enqueued, notifications_held, scores_changed,
      insights_found, data_quality, status
    ) VALUES (
      '\(id)', 'run', '2026-01-07', '2026-01-07', '\(mode)', FALSE, 'patterns', 1, 'v2', '', '1',
      '', now(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '[]', 'running'
    )
    """
  }

  @Test("a backfill changes runs of its own login only")
  func keepsBackfillToItsRuns() throws {
    let family = try FamilySchema()
    let (own, others) = (FamilySchema.familyA, FamilySchema.familyB)
    func shard(_ id: String) -> String {
      "INSERT INTO run_shards (run_id, shard, status, host, started_at, data_quality, carried)"
        + " VALUES ('\(id)', 1, 'running', '', now(), '[]', '{}')"
    }
    func checkpoint(_ id: String, first person: Int) -> String {
      """
      INSERT INTO batch_checkpoints (
        run_id, shard, first_person, last_person, persons, counts, data_quality, metric_rows,
        workout_days, written_at
      ) VALUES (
        '\(id)', 1, '\(FamilySchema.id(person))', '\(FamilySchema.id(6))', 1, '{}', '[]', 0, 0, now())
      """
    }
    let nightly = try family.session(as: "vigil_engine")
    try nightly.execute(
      [Self.insertion(ofRun: others, mode: "live"), shard(others), checkpoint(others, first: 1)]
        .joined(separator: ";"))
    let backfill = try family.session(as: "vigil_backfill")
    try backfill.execute(
      [Self.insertion(ofRun: own, mode: "shadow"), shard(own), checkpoint(own, first: 1)]
        .joined(separator: ";"))
    try backfill.execute(
      """
      UPDATE batch_runs SET status = 'succeeded';
      UPDATE run_shards SET status = 'succeeded';
      DELETE FROM batch_checkpoints
      """)
    #expect(
      try backfill.lines("SELECT id, status, begun_by FROM batch_runs ORDER BY id") == [
        "\(own) succeeded vigil_backfill", "\(others) running vigil_engine",
      ])
    #expect(
      try backfill.lines("SELECT run_id, status FROM run_shards ORDER BY run_id") == [
        "\(own) succeeded", "\(others) running",
      ])
    #expect(try backfill.lines("SELECT run_id FROM batch_checkpoints") == [others])
    for (attempt, table) in [
      (shard(others).replacing(", 1,", with: ", 2,"), "run_shards"),
      (checkpoint(others, first: 2), "batch_checkpoints"),
      (Self.insertion(ofRun: FamilySchema.id(1), mode: "live"), "batch_runs"),
      ("UPDATE batch_runs SET begun_by = 'vigil_engine'", "batch_runs"),
    ] {
      #expect(
        try backfill.refusal(of: attempt)
          == "42501 new row violates row-level security policy for table \"\(table)\"")
    }
    #expect(
      try backfill.refusal(of: "UPDATE batch_checkpoints SET counts = '{}'")
        == "42501 permission denied for table batch_checkpoints")
  }

  @Test(
    "no role may change the schema",
    arguments: ["vigil_engine", "vigil_backfill", "vigil_reader", "vigil_sender"])
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
      UPDATE pattern_alert_state SET
        opened_on = '2026-01-05', window_days = 4, evidence = 4.5, evidence_threshold = 4.28,
        shift_spreads = 1.5, anchor = '{}';
      INSERT INTO schedule_versions
      SELECT id, '0001-01-01', '{}', run_id, now(), now() FROM pattern_alert_state;
      UPDATE schedule_versions SET row = '[]';
      UPDATE newer SET
        id = gen_random_uuid(), metric_type = 'missed_streak', pattern_type = 'medication',
        medication_id = user_id;
      INSERT INTO pattern_alert_state SELECT * FROM newer;
      UPDATE dose_analytics SET adherent = NULL;
      DELETE FROM dose_analytics WHERE user_id = '\(FamilySchema.id(6))';
      UPDATE trend_insights SET suppressed_reason = 'retracted';
      UPDATE trend_coverage SET days_needed = 1;
      INSERT INTO vitality_scores
      SELECT id, '2026-01-08', 1, NULL, 1, 1, 'v1', 'vigil' FROM users;
      UPDATE vitality_scores SET total_score = 2 WHERE source = 'vigil';
      DELETE FROM vitality_scores WHERE source = 'vigil';
      \(Self.insertion(ofRun: FamilySchema.familyA, mode: "shadow"));
      UPDATE batch_runs SET status = 'succeeded', finished_at = now();
      INSERT INTO run_shards (run_id, shard, status, host, started_at, data_quality, carried)
      VALUES ('\(FamilySchema.familyA)', 1, 'running', 'host', now(), '[]', '{}');
      INSERT INTO batch_checkpoints VALUES (
        '\(FamilySchema.familyA)', 1, '\(FamilySchema.id(1))', '\(FamilySchema.id(6))', 6, '{}',
        '[]', 0, NULL, NULL, 0, NULL, NULL, NULL, now()
      );
      DELETE FROM batch_checkpoints;
      INSERT INTO quarantined_rows (table_name, reason, created_at) VALUES ('users', '', now());
      INSERT INTO shadow_notification_queue (
        id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id,
        level, channel, payload, priority, scheduled_for, expires_at, dedupe_key, run_id, created_at,
        updated_at
      )
      SELECT
        id, user_id, user_id, id, 'pattern_alert', 'pattern_alert', 7, 'in_app', '{}', 'high',
        now(), now(), id, run_id, now(), now()
      FROM pattern_alert_state;
      """)
    #expect(try session.lines("SELECT count(*) FROM shadow_notification_queue") == ["18"])
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
        WHERE rolname IN (
          'vigil_engine', 'vigil_backfill', 'vigil_reader', 'vigil_sender', 'vigil_receiver'
        ) AND NOT (
          rolcanlogin OR rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole OR rolreplication
        )
        ORDER BY rolname
        """) == [
          "vigil_backfill", "vigil_engine", "vigil_reader", "vigil_receiver", "vigil_sender",
        ])
  }
}
