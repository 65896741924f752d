import PostgresTestServer
import TestDatabases

/// A migrated schema of its own in which six persons and two families live.
///
/// Family `a` is 1 (superadmin), 2 and 3; 4 has declined. Family `b` is 1 and 5 (admin); 3 has not
/// answered yet. 6 is in no family. 1 has excluded 5 and 6, 2 has excluded 4, 4 and 6 have excluded 1. Everybody has
/// an e-mail address, a profile, a metric row, an exercise session, a medication with all that belongs to it, a score from
/// elsewhere, a positive insight about sleep, and an active alert on steps, about which 1 has a
/// notification. Everybody has raised an alert, and has pinged the next one, 6 number 1.
struct FamilySchema {
  let schema: PostgresSchema

  static let everybody = 1...6

  static let familyA = "a0000000-0000-0000-0000-000000000000"
  static let familyB = "b0000000-0000-0000-0000-000000000000"

  static func id(_ person: Int) -> String { "00000000-0000-0000-0000-00000000000\(person)" }

  /// The alert that a person has raised.
  static func raisedAlert(_ person: Int) -> String { "1" + id(person).dropFirst() }

  init() throws {
    schema = try PostgresSchema(copyOf: "family") { server in
      let schema = try PostgresSchema.migrated(on: server)
      try SchemaSession(schema).execute(Self.rows)
      return schema
    }
  }

  /// A connection that sees the schema, and has put on a role.
  ///
  /// - Parameter viewer: The number of the person on whose behalf the role reads.
  func session(as role: String = "postgres", viewer: Int? = nil) throws -> SchemaSession {
    let session = try SchemaSession(schema)
    if let viewer {
      try session.execute("SET app.current_user_id = '\(Self.id(viewer))'")
    }
    try session.execute("SET ROLE \(role)")
    return session
  }

  private static let rows = """
    CREATE TEMPORARY TABLE person AS
    SELECT ('00000000-0000-0000-0000-00000000000' || number)::uuid AS id, number
    FROM generate_series(1, 6) AS number;

    INSERT INTO users (id, external_id, email, birth_date, created_at, updated_at)
    SELECT id, number, number || '@example.com', '1950-01-01', now(), now() FROM person;
    INSERT INTO user_profiles (user_id) SELECT id FROM person;
    INSERT INTO wearable_daily_metrics (user_id, metric_date, source, created_at, updated_at)
    SELECT id, '2026-01-01', 'ring', now(), now() FROM person;
    INSERT INTO exercise_sessions (id, user_id, metric_date) SELECT id, id, '2026-01-01' FROM person;
    INSERT INTO check_ins (user_id, checked_in_at) SELECT id, now() FROM person;
    INSERT INTO do_not_disturb SELECT id, 0, '00:00', '00:00' FROM person;
    INSERT INTO check_in_plans (user_id, interval_minutes, starts_at) SELECT id, 1440, now() FROM person;
    INSERT INTO sensitivity_overrides SELECT id, 'steps', 'lower' FROM person;
    INSERT INTO person_limits (user_id, metric_type, direction, limit_value, starts_on, ends_on, set_by)
    SELECT id, 'resting_hr', 'above', 120, '2026-01-01', '2026-12-31', 'Dr. Lee' FROM person;
    INSERT INTO family_members (family_id, user_id, role, invite_status) VALUES
      ('\(familyA)', '\(id(1))', 'superadmin', 'accepted'),
      ('\(familyA)', '\(id(2))', 'member', 'accepted'),
      ('\(familyA)', '\(id(3))', 'member', 'accepted'),
      ('\(familyA)', '\(id(4))', 'member', 'declined'),
      ('\(familyB)', '\(id(1))', 'member', 'accepted'),
      ('\(familyB)', '\(id(5))', 'admin', 'accepted'),
      ('\(familyB)', '\(id(3))', 'member', 'pending');

    INSERT INTO alert_recipient_exclusions (subject_user_id, excluded_user_id) VALUES
      ('\(id(1))', '\(id(5))'), ('\(id(1))', '\(id(6))'), ('\(id(2))', '\(id(4))'),
      ('\(id(4))', '\(id(1))'), ('\(id(6))', '\(id(1))');

    INSERT INTO medications (
      id, user_id, name, dosage, form, start_date, created_at, updated_at
    )
    SELECT id, id, '', '', 'pill', '2026-01-01', now(), now() FROM person;
    INSERT INTO schedules (
      id, medication_id, type, reference_timezone, start_date, time_based_times, created_at,
      updated_at
    )
    SELECT id, id, 'timeBased', 'UTC', '2026-01-01', '["08:00"]', now(), now() FROM person;
    INSERT INTO dose_history (
      id, medication_id, schedule_id, status, recorded_timezone, notes, side_effects_reported,
      location_latitude, location_longitude, location_city, location_country, created_at, updated_at
    )
    SELECT id, id, id, 'missed', 'UTC', 'note', '[]', 1, 2, 'city', 'country', now(), now()
    FROM person;
    INSERT INTO timezone_events (
      id, user_id, previous_timezone, new_timezone, transition_time, detection_method, created_at
    )
    SELECT id, id, 'UTC', 'Asia/Tokyo', '2026-01-01', 'gps', now() FROM person;
    INSERT INTO schedule_adjustments (id, timezone_event_id, schedule_id, strategy, created_at)
    SELECT id, id, id, 'custom', now() FROM person;
    INSERT INTO dose_analytics
    SELECT
      id, id, id, '7_days', '2026-01-01', '2026-01-07', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, now(), id, now(), now()
    FROM person;
    INSERT INTO trend_insights (
      id, user_id, pillar, insight_date, rule, severity, coverage_days, confidence, run_id,
      created_at, updated_at
    )
    SELECT id, id, 'sleep', '2026-01-07', 'rebound', 'celebrate', 7, 0.5, id, now(), now()
    FROM person;

    INSERT INTO trend_coverage
    SELECT id, '2026-01-07', 7, 0, '2026-01-07', '2026-01-01', 0, id, now(), now() FROM person;
    INSERT INTO vitality_scores SELECT id, '2026-01-07', 80, NULL, 70, 90, 'app-3', 'app' FROM person;

    INSERT INTO pattern_alert_state (
      id, profile, user_id, metric_type, pattern_type, event_id, episode_status, active_since, last_evaluated_date,
      consecutive_true_days, current_level, severity, baseline_start, baseline_end, baseline_days,
      baseline_value, recent_start, recent_end, recent_value, deviation_fraction,
      thresholds_version, thresholds_digest, run_id, computed_at, created_at, updated_at
    )
    SELECT
      id, 'v2@', id, 'steps', 'drop_vs_baseline', id, 'active', '2026-01-01', '2026-01-07', 7, 7, 'attention',
      '2025-12-01', '2025-12-28', 28, 9000, '2026-01-01', '2026-01-07', 4500, -0.5,
      'v2', '', gen_random_uuid(), now(), now(), now()
    FROM person;

    INSERT INTO alert_reads (id, alert_state_id, user_id, read_at)
    SELECT gen_random_uuid(), '\(id(1))', id, now() FROM person;

    INSERT INTO notification_queue (
      id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id,
      level, channel, payload, priority, scheduled_for, expires_at, dedupe_key, run_id, created_at,
      updated_at
    )
    SELECT
      id, '\(id(1))', id, id, 'pattern_alert', 'pattern_alert', 7, 'in_app', '{}', 'high',
      now(), now(), number, gen_random_uuid(), now(), now()
    FROM person;
    CREATE TEMPORARY TABLE planned AS SELECT * FROM notification_queue;
    ALTER TABLE planned
      DROP COLUMN next_attempt_at, DROP COLUMN lease_owner, DROP COLUMN lease_until,
      DROP COLUMN fencing_token, DROP COLUMN emergency_contact_id, DROP COLUMN prompt_id,
      DROP COLUMN delivered_at, DROP COLUMN read_at;
    INSERT INTO shadow_notification_queue SELECT * FROM planned;
    INSERT INTO contact_points (user_id, channel, address, verified_at)
    SELECT id, 'email', number || '@example.org', now() FROM person;
    INSERT INTO push_tokens (platform, token, user_id) SELECT 'fcm', number, id FROM person;
    INSERT INTO sms_log (
      notification_id, month, recipient_user_id, sms_type, status, delivery_status_at,
      provider_message_id, fencing_token, created_at, updated_at
    )
    SELECT id, '2026-01-01', id, 'alert', 'sent', '2026-01-01', 'message-' || number, 1, now(), now() FROM person;
    INSERT INTO raised_alerts (id, user_id, raised_at, planned_at)
    SELECT overlay(id::text PLACING '1' FROM 1)::uuid, id, '2026-01-07', '2026-01-07' FROM person;
    INSERT INTO pings (id, sender_user_id, recipient_user_id, sent_at, expires_at)
    SELECT person.id, person.id, other.id, '2026-01-07', '2999-01-01'
    FROM person JOIN person AS other ON other.number = person.number % 6 + 1;
    INSERT INTO check_in_reminders SELECT id, '2026-01-07', '2026-01-07' FROM person;
    INSERT INTO emergency_contacts (id, user_id, priority, channel, address, opted_in_at)
    SELECT id, id, 1, 'email', number || '@example.net', now() FROM person;
    INSERT INTO caregiver_priority (user_id, caregiver_id, priority)
    SELECT person.id, other.id, 1 FROM person JOIN person AS other ON other.id <> person.id;
    INSERT INTO escalation_settings (user_id, level, window_minutes)
    SELECT id, 14, 60 FROM person;
    INSERT INTO caregiver_availability (user_id, weekday, starts_at, ends_at)
    SELECT id, 1, '08:00', '20:00' FROM person;
    """
}
