import TestDatabases
import Testing

@Suite struct RunTests {
  private static let night = ["run", "--date", "2026-06-30"]

  private func count(
    on kind: DatabaseKind, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> (live: Int, shadow: Int) {
    let folder = try SampleDatabase.imported(kind)
    let run = try await CommandRun.vigil(
      arguments: arguments, in: folder, environment: environment)
    try #require(run.status == 0, "\(run.errors)")
    let database = folder.database
    return (
      try database.count("notification_queue"), try database.count("shadow_notification_queue")
    )
  }

  @Test(
    arguments: [
      night, night + ["--shadow"], ["backfill", "--from", "2026-06-01", "--to", "2026-06-30"],
    ], DatabaseKind.allCases)
  func shadowModeEnqueuesNothing(arguments: [String], kind: DatabaseKind) async throws {
    // A backfill goes live with its own flag only.
    let environment =
      arguments[0] == "backfill" || arguments.contains("--shadow")
      ? ["VIGIL_SHADOW_MODE": "false"] : [:]
    let queued = try await count(on: kind, arguments, environment: environment)
    #expect(queued.live == 0)
    #expect(queued.shadow > 0)
  }

  @Test(
    arguments: ["true", "", "0", "no", "FALSE", "False", " false", "live"], DatabaseKind.allCases)
  func onlyTheWordFalseInTheEnvironmentMeansLive(value: String, kind: DatabaseKind) async throws {
    let queued = try await count(on: kind, Self.night, environment: ["VIGIL_SHADOW_MODE": value])
    #expect(queued.live == 0)
    #expect(queued.shadow > 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func falseInTheEnvironmentMeansLive(kind: DatabaseKind) async throws {
    let queued = try await count(on: kind, Self.night, environment: ["VIGIL_SHADOW_MODE": "false"])
    #expect(queued.live > 0)
    #expect(queued.shadow == 0)
  }

  @Test(
    arguments: [
      night + ["--live"], ["backfill", "--from", "2026-06-01", "--to", "2026-06-30", "--live"],
    ], DatabaseKind.allCases)
  func liveModeNotifiesEveryAcceptedAdminOnceOnEachChannel(arguments: [String], kind: DatabaseKind)
    async throws
  {
    let folder = try SampleDatabase.imported(kind)
    let database = folder.database
    let run = try await CommandRun.vigil(arguments: arguments, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let sent = try database.rows(
      """
      SELECT alert_state_id, recipient_user_id, channel
      FROM notification_queue ORDER BY 1, 2, 3
      """)
    // Whom the rules name, asked of the tables: admins of the family but for those whom the person
    // has excluded, or the person.
    let expected = try database.rows(
      """
      WITH alert AS (
        SELECT id, user_id, last_notified_level FROM pattern_alert_state
      ), admins AS (
        SELECT DISTINCT own.user_id AS person, other.user_id AS admin
        FROM family_members own JOIN family_members other USING (family_id)
        WHERE own.invite_status = 'accepted' AND other.invite_status = 'accepted'
          AND other.role IN ('admin', 'superadmin')
          AND NOT EXISTS (
            SELECT 1 FROM alert_recipient_exclusions
            WHERE subject_user_id = own.user_id AND excluded_user_id = other.user_id)
      )
      SELECT alert.id, coalesce(admin, alert.user_id), channel
      FROM alert LEFT JOIN admins ON person = alert.user_id
      LEFT JOIN user_profiles ON user_profiles.user_id = coalesce(admin, alert.user_id)
      CROSS JOIN (
        SELECT 'push' AS channel UNION ALL SELECT 'in_app' UNION ALL SELECT 'email'
        UNION ALL SELECT 'sms'
      ) AS channels
      WHERE last_notified_level IS NOT NULL AND CASE channel
        WHEN 'in_app' THEN coalesce(notify_in_app, TRUE)
        WHEN 'push' THEN coalesce(notify_push, user_profiles.user_id IS NULL)
        WHEN 'email' THEN coalesce(notify_email, FALSE)
          OR coalesce(is_champion, FALSE) AND coalesce(champion_notify_email, TRUE)
        ELSE coalesce(is_champion, FALSE) AND coalesce(champion_notify_sms, FALSE)
      END ORDER BY 1, 2, 3
      """)
    #expect(!expected.isEmpty)
    #expect(sent == expected)
    let notified = try database.rows(
      """
      SELECT DISTINCT member_user_id, recipient_user_id = excluded_user_id
      FROM notification_queue JOIN alert_recipient_exclusions ON subject_user_id = member_user_id
      """)
    #expect(!notified.isEmpty)
    #expect(notified.allSatisfy { $0.hasSuffix("|0") })
    #expect(try database.count("shadow_notification_queue") == 0)
    #expect(run.output.contains("\(sent.count) enqueued"))
    let again = try await CommandRun.vigil(arguments: arguments, in: folder)
    #expect(again.output.contains("0 enqueued"))
    #expect(try database.count("notification_queue") == sent.count)
  }
}
