import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing

/// A role that may create objects in Vigil's schema cannot have them called with the rights of
/// others.
@Suite struct PlantedFunctionsTests {
  private static let roles = ["e2e_planted_engine", "e2e_planted_backfill", "e2e_planted_reader"]

  @Test func noCommandCallsWhatOthersHavePutIntoTheSchema() async throws {
    let folder = try SampleDatabase.imported(.postgres)
    guard case .postgres(let schema) = folder.database else { return }
    let superuser = try schema.session()
    for (role, parent) in zip(Self.roles, ["vigil_engine", "vigil_backfill", "vigil_reader"]) {
      try superuser.execute("CREATE ROLE \(role) LOGIN IN ROLE \(parent)")
    }
    try superuser.execute(
      """
      CREATE ROLE e2e_planted_mallory LOGIN;
      GRANT USAGE, CREATE ON SCHEMA \(schema.quotedName) TO e2e_planted_mallory
      """)
    let planted = try PlantedFunctions(in: schema, by: "e2e_planted_mallory")
    #expect(try planted.count() > 1_000)
    // They would be called.
    for call in [
      "unnest(ARRAY[gen_random_uuid()])", "'a'::varchar = 'b'::varchar", "max('a'::varchar)",
    ] {
      let session = try PostgresSession(url: schema.url, schema: schema.name)
      #expect(throws: PostgresSession.Failure.self) { try session.execute("SELECT \(call)") }
    }
    #expect(try planted.calls() == 3)

    let sample = SharedFolder.repository.appending(path: "datasets/sample").path
    let owner: [[String]] = [
      ["migrate", "--status"], ["migrate"], ["import", "csv", sample], ["doctor"],
    ]
    let engine: [[String]] = [
      ["doctor"], ["run", "--date", "2026-06-28"], ["golive"],
      ["run", "--date", "2026-06-29", "--live"],
      ["run", "--date", "2026-06-30", "--live", "--max-notified-persons", "1"], ["alerts", "list"],
      ["insights"], ["queue", "list"], ["queue", "prune", "--older-than", "1d"], ["runs"],
    ]
    let backfill: [[String]] = [
      ["backfill", "--from", "2026-06-25", "--to", "2026-06-27"], ["doctor"],
    ]
    let logins = [
      ("e2e_planted_backfill", backfill), ("vigil", owner), ("e2e_planted_engine", engine),
    ]
    for (login, commands) in logins {
      for command in commands {
        let run = try await CommandRun.vigil(
          arguments: command, in: folder,
          environment: ["VIGIL_DATABASE": schema.url(as: login)])
        #expect(!run.errors.contains("planted"), "\(login) \(command): \(run.errors)")
        #expect([0, 75].contains(run.status), "\(login) \(command): \(run.errors)\(run.output)")
      }
    }
    try readAsAnApp(schema)
    #expect(try planted.calls() == 3)
  }

  /// Asks the questions of an app on behalf of one person, about every table that it may read.
  private func readAsAnApp(_ schema: PostgresSchema) throws {
    let member = try PostgresSession(url: schema.url(as: "postgres")).rows(
      """
      SELECT family_id, user_id FROM \(schema.quotedName).family_members
      WHERE invite_status = 'accepted' AND user_id IN (
        SELECT user_id FROM \(schema.quotedName).pattern_alert_state
        WHERE episode_status = 'active'
      )
      LIMIT 1
      """
    ).values[0].compactMap(\.self)
    let (family, person) = (try #require(member.first), try #require(member.last))
    let session = try PostgresSession(url: schema.url(as: Self.roles[2]))
    try session.execute("SET app.current_user_id = '\(person)'")
    for function in ["get_family_pattern_alerts", "family_insights"] {
      try session.execute(
        "SELECT * FROM \(schema.quotedName).\(function)('\(family)', '\(person)')")
    }
    for table in [
      "user_profiles", "family_members", "wearable_daily_metrics", "medications", "schedules",
      "timezone_events", "schedule_adjustments", "sharing_grants",
      "alert_recipient_exclusions", "pattern_alert_state", "notification_queue", "alert_actions",
      "escalation_log", "trend_insights", "trend_coverage", "dose_analytics", "vitality_scores",
      "check_ins", "check_in_plans", "sensitivity_overrides", "person_limits", "alert_reads",
      "do_not_disturb", "raised_alerts", "pings", "escalation_settings",
    ] {
      try session.execute("SELECT * FROM \(schema.quotedName).\(table)")
    }
    let schema = schema.quotedName
    for query in [
      "id, external_id, display_name FROM \(schema).users",
      "id, status, actual_time FROM \(schema).dose_history",
      "* FROM \(schema).person_details()", "* FROM \(schema).dose_details('\(person)')",
      "\(schema).share_with_role('admin', 'metrics', 'tomorrow')",
      "\(schema).share_with_role('admin', 'metrics')",
      "\(schema).unshare_with_role('admin', 'metrics')",
    ] {
      try session.execute("SELECT \(query)")
    }
    for call in [
      "acknowledge_alert(id)", "snooze_alert(id, current_date + 1)", "dismiss_alert(id)",
      "restore_alert(id)", "mark_alert_read(id)",
    ] {
      let answer = try session.rows(
        """
        SELECT * FROM (
          SELECT id FROM \(schema).pattern_alert_state WHERE episode_status = 'active' LIMIT 1
        ) AS alert CROSS JOIN LATERAL \(schema).\(call)
        """)
      #expect(answer.values.count == 1, "\(call)")
    }
    for call in [
      "check_in()", "resolve_alert((SELECT alert_id FROM \(schema).raise_alert()))",
      "set_escalation(7, 60)", "turn_off_escalation()", "reset_escalation()",
    ] {
      try session.execute("SELECT \(schema).\(call)")
    }
  }
}
