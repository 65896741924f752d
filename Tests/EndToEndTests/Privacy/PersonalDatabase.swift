import Foundation
import TestDatabases
import TestSupport
import Testing

/// A database in which every table of persons has rows about one of them, and about others.
struct PersonalDatabase {
  static let secret = "erasure.key"

  let folder: TemporaryFolder
  /// The person with rows in every table.
  let person: String
  /// Another one.
  let other: String
  /// A member who is notified of both.
  let caregiver: String

  var database: TestDatabase { folder.database }

  init(_ kind: DatabaseKind) throws {
    folder = try SampleDatabase.imported(
      kind,
      then: [
        ["run", "--date", "2026-06-29", "--live", "--max-notified-persons", "100"],
        ["run", "--date", "2026-06-30", "--live", "--max-notified-persons", "100"],
      ])
    let database = folder.database
    func first(_ sql: String) throws -> String {
      try #require(try database.rows(sql).first, "\(sql)")
    }
    person = try first(
      """
      SELECT member_user_id FROM notification_queue
      WHERE member_user_id IN (SELECT user_id FROM medications)
        AND member_user_id IN (SELECT user_id FROM exercise_sessions)
      GROUP BY member_user_id ORDER BY count(*) DESC, member_user_id LIMIT 1
      """)
    other = try first(
      """
      SELECT user_id FROM pattern_alert_state WHERE user_id <> '\(person)' GROUP BY user_id
      ORDER BY count(*) DESC, user_id LIMIT 1
      """)
    caregiver = try first(
      "SELECT id FROM users WHERE id NOT IN ('\(person)', '\(other)') ORDER BY id LIMIT 1")
    try folder.write("0123456789abcdef0123456789abcdef\n", to: Self.secret)
    try fill(kind)
  }

  func vigil(_ arguments: String..., key: Bool = true) async throws -> CommandRun {
    try await vigil(arguments: arguments, key: key)
  }

  func vigil(
    arguments: [String], key: Bool = true, environment: [String: String] = [:]
  ) async throws -> CommandRun {
    try await CommandRun.vigil(
      arguments: arguments, in: folder,
      environment: (key ? ["VIGIL_ERASURE_KEY_FILE": Self.secret] : [:]).merging(environment) { $1 }
    )
  }

  /// All tables.
  func tables() throws -> [String] {
    switch database.kind {
    case .sqlite:
      try database.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    case .postgres:
      try database.rows(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()")
    }
  }

  /// The tables with a row that holds a text in any column.
  func tables(holding text: String) throws -> [String] {
    try tables().filter { table in
      try database.rows("SELECT * FROM \(table)").contains { $0.lowercased().contains(text) }
    }
  }

  /// The first alert of a person.
  func alert(of person: String) throws -> String {
    try #require(
      try database.rows(
        "SELECT id FROM pattern_alert_state WHERE user_id = '\(person)' ORDER BY id LIMIT 1"
      ).first)
  }

  private static let now = "2026-06-30T10:00:00.000000Z"

  static func uuid(_ number: Int) -> String {
    "77777777-0000-4000-8000-0000000000\(number < 10 ? "0" : "")\(number)"
  }

  private func fill(_ kind: DatabaseKind) throws {
    let (p, o, now) = (person, other, Self.now)
    let (own, others) = (try alert(of: p), try alert(of: o))
    let schedule = try #require(
      try database.rows(
        """
        SELECT schedules.id FROM schedules JOIN medications ON medications.id = medication_id
        WHERE user_id = '\(p)' ORDER BY schedules.id LIMIT 1
        """
      ).first)
    let run = try #require(try database.rows("SELECT id FROM batch_runs ORDER BY id LIMIT 1").first)
    try database.execute(
      """
      INSERT INTO contact_points (user_id, channel, address) VALUES
        ('\(p)', 'sms', '+4915550100'), ('\(o)', 'sms', '+4915550101');
      INSERT INTO push_tokens (platform, token, user_id) VALUES
        ('fcm', 'token-p', '\(p)'), ('fcm', 'token-o', '\(o)');
      INSERT INTO emergency_contacts (id, user_id, priority, channel, address) VALUES
        ('\(Self.uuid(1))', '\(p)', 1, 'sms', '+4915550102');
      INSERT INTO caregiver_priority (user_id, caregiver_id, priority) VALUES
        ('\(p)', '\(o)', 1), ('\(o)', '\(p)', 2);
      INSERT INTO caregiver_availability (user_id, weekday, starts_at, ends_at) VALUES
        ('\(p)', 0, '08:00', '10:00');
      INSERT INTO escalation_settings (user_id, level, window_minutes) VALUES
        ('\(p)', 14, 60), ('\(o)', 14, NULL);
      INSERT INTO do_not_disturb (user_id, weekday, starts_at, ends_at) VALUES
        ('\(p)', 0, '08:00', '10:00');
      INSERT INTO check_ins (user_id, checked_in_at) VALUES ('\(p)', '\(now)'), ('\(o)', '\(now)');
      INSERT INTO check_in_plans (user_id, interval_minutes, starts_at) VALUES
        ('\(p)', 1440, '\(now)');
      INSERT INTO person_limits (
        user_id, metric_type, direction, limit_value, starts_on, ends_on, set_by, note
      ) VALUES
        ('\(p)', 'resting_hr', 'above', 120, '2026-06-01', '2026-12-31', 'Dr. Lee', 'tablets');
      INSERT INTO sensitivity_overrides (user_id, metric_type, sensitivity) VALUES
        ('\(p)', 'steps', 'lower');
      INSERT INTO alert_recipient_exclusions (subject_user_id, excluded_user_id) VALUES
        ('\(p)', '\(o)'), ('\(o)', '\(p)') ON CONFLICT DO NOTHING;
      INSERT INTO sms_log (
        notification_id, month, recipient_user_id, sms_type, status, delivery_status_at, fencing_token,
        created_at, updated_at
      ) VALUES (
        '\(Self.uuid(2))', '2026-06-01', '\(p)', 'alert', 'sent', '\(now)', 1, '\(now)', '\(now)');
      INSERT INTO sms_quota_warnings (user_id, month, planned_at) VALUES
        ('\(p)', '2026-06-01', '\(now)'), ('\(o)', '2026-06-01', '\(now)');
      INSERT INTO escalation_log (
        id, patient_id, caregiver_id, escalation_type, triggered_at, created_at, expires_at
      ) VALUES
        ('\(Self.uuid(3))', '\(p)', '\(o)', 'missed_dose', '\(now)', '\(now)', '\(now)'),
        ('\(Self.uuid(4))', '\(o)', '\(p)', 'missed_dose', '\(now)', '\(now)', '\(now)'),
        ('\(Self.uuid(5))', '\(o)', '\(caregiver)', 'missed_dose', '\(now)', '\(now)', '\(now)');
      INSERT INTO raised_alerts (id, user_id, raised_at, status, resolved_at, resolved_by) VALUES
        ('\(Self.uuid(21))', '\(p)', '\(now)', 'resolved', '\(now)', '\(o)'),
        ('\(Self.uuid(22))', '\(o)', '\(now)', 'resolved', '\(now)', '\(p)');
      INSERT INTO pings (id, sender_user_id, recipient_user_id, sent_at, expires_at) VALUES
        ('\(Self.uuid(23))', '\(p)', '\(o)', '\(now)', '9999-01-01T00:00:00.000000Z'),
        ('\(Self.uuid(24))', '\(o)', '\(p)', '\(now)', '9999-01-01T00:00:00.000000Z'),
        ('\(Self.uuid(25))', '\(o)', '\(caregiver)', '\(now)', '9999-01-01T00:00:00.000000Z');
      INSERT INTO check_in_reminders (user_id, interval_start, planned_at) VALUES
        ('\(p)', '\(now)', '\(now)');
      INSERT INTO alert_actions (id, alert_state_id, action, actor_user_id, acted_at) VALUES
        ('\(Self.uuid(6))', '\(own)', 'acknowledge', '\(o)', '\(now)'),
        ('\(Self.uuid(7))', '\(others)', 'acknowledge', '\(p)', '\(now)'),
        ('\(Self.uuid(8))', '\(others)', 'acknowledge', '\(caregiver)', '\(now)');
      INSERT INTO alert_reads (id, alert_state_id, user_id, read_at) VALUES
        ('\(Self.uuid(9))', '\(own)', '\(o)', '\(now)'),
        ('\(Self.uuid(10))', '\(others)', '\(p)', '\(now)');
      UPDATE pattern_alert_state SET acknowledged_by = '\(p)', acknowledged_at = '\(now)'
      WHERE id = '\(others)';
      INSERT INTO quarantined_rows (table_name, row_key, reason, created_at) VALUES
        ('wearable_daily_metrics', '\(p) 2026-06-30', 'no such day', '\(now)');
      INSERT INTO provisional_alerts (
        alert_state_id, user_id, evaluated_on, revision, run_id, created_at, updated_at
      ) VALUES ('\(own)', '\(p)', '2026-06-30', 1, '\(run)', '\(now)', '\(now)');
      INSERT INTO provisional_notifications (id, alert_state_id, user_id, level) VALUES
        ('\(Self.uuid(11))', '\(own)', '\(p)', 7);
      INSERT INTO outbox (kind, user_id, alert_state_id, run_id, created_at) VALUES
        ('provisional', '\(p)', '\(own)', '\(run)', '\(now)');
      INSERT INTO timezone_events (
        id, user_id, previous_timezone, new_timezone, transition_time, detection_method, created_at
      ) VALUES ('\(Self.uuid(12))', '\(p)', 'UTC', 'Asia/Tokyo', '\(now)', 'gps', '\(now)');
      INSERT INTO schedule_adjustments (id, timezone_event_id, schedule_id, strategy, created_at)
      VALUES ('\(Self.uuid(13))', '\(Self.uuid(12))', '\(schedule)', 'custom', '\(now)');
      INSERT INTO batch_checkpoints (
        run_id, shard, first_person, last_person, persons, counts, data_quality, metric_rows,
        workout_days, written_at
      ) VALUES ('\(run)', 9, '\(p)', '\(p)', 1, '{}', '[]', 0, 0, '\(now)');
      INSERT INTO erasure_requests (user_id, requested_at, due_at) VALUES
        ('\(p)', '\(now)', '2999-01-01T00:00:00.000000Z');
      """)
    for (number, table) in ["notification_queue", "shadow_notification_queue"].enumerated() {
      try insertGroups(into: table, first: 20 + 10 * number, alerts: (own, others), run: run)
    }
    let columns = """
      id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level,
      channel, payload, priority, scheduled_for, expires_at, dedupe_key, group_id, run_id, created_at,
      updated_at
      """
    try database.execute(
      """
      INSERT INTO held_notifications (\(columns), max_attempts, shard)
      SELECT \(columns), 3, 1 FROM notification_queue WHERE id LIKE '77777777%'
      """.replacing(
        "id LIKE '77777777%'",
        with: "CAST(id AS text) LIKE '77777777%'"))
    if kind == .postgres {
      try database.execute(
        """
        INSERT INTO person_locks (name, process) VALUES ('\(p)', 1);
        INSERT INTO sharing_grants (id, user_id, member_user_id, what, created_at) VALUES
          ('\(Self.uuid(14))', '\(p)', '\(o)', 'metrics', '\(now)'),
          ('\(Self.uuid(15))', '\(o)', '\(p)', 'doses', '\(now)')
        """)
    }
  }

  /// A group in the name of the other person about both, and a waiting one in the name of the person.
  private func insertGroups(
    into table: String, first: Int, alerts: (own: String, others: String), run: String
  ) throws {
    func row(
      _ number: Int, _ member: String, _ alert: String, _ payload: String, status: String,
      group: Int?
    ) -> String {
      let reason = status == "skipped" ? "'grouped'" : "NULL"
      let parent = group.map { "'\(Self.uuid($0))'" } ?? "NULL"
      return """
        ('\(Self.uuid(number))', '\(caregiver)', '\(member)', '\(alert)', 'pattern_alert', 't', 14,
        'push', '\(payload)', 'high', '\(Self.now)', '\(Self.now)', '\(status)', \(reason),
        'key-\(number)', \(parent), '\(run)', '\(Self.now)', '\(Self.now)')
        """
    }
    func payload(_ member: String, _ level: Int) -> String {
      #"{"detail":"standard","level":\#(level),"member":"\#(member)"}"#
    }
    func group(_ members: [String]) -> String {
      #"{"alerts":[\#(members.joined(separator: ","))],"detail":"standard","level":14,"severity":"critical"}"#
    }
    let (own, others) = (payload(person, 14), payload(other, 7))
    try database.execute(
      """
      INSERT INTO \(table) (
        id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level,
        channel, payload, priority, scheduled_for, expires_at, status, status_reason, dedupe_key,
        group_id, run_id, created_at, updated_at
      ) VALUES
        \(row(first, other, alerts.others, group([own, others]), status: "sent", group: nil)),
        \(row(first + 1, other, alerts.others, others, status: "skipped", group: first)),
        \(row(first + 2, person, alerts.own, own, status: "skipped", group: first)),
        \(row(first + 3, person, alerts.own, group([own, others]), status: "pending", group: nil)),
        \(row(first + 4, other, alerts.others, others, status: "skipped", group: first + 3))
      """)
  }
}
