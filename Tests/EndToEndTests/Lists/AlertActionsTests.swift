import Foundation
import TestDatabases
import TestSupport
import Testing

/// `vigil alerts ack`, `snooze`, `dismiss`, `restore` and `show`.
@Suite struct AlertActionsTests {
  /// A database after a live night, and one of its alerts that was notified.
  private struct NotifiedAlert {
    let folder: TemporaryFolder
    let alert: String
    let person: String
    /// A person of another family.
    let stranger: String

    var prefix: String { String(alert.prefix(8)) }

    init(_ kind: DatabaseKind) async throws {
      folder = try SampleDatabase.imported(
        kind, then: [["run", "--date", "2026-06-30", "--live"]])
      let row = try #require(
        try folder.database.rows(
          """
          SELECT alert.id, alert.user_id, (
            SELECT max(CAST(other.user_id AS TEXT)) FROM family_members AS other
            WHERE NOT EXISTS (
              SELECT 1 FROM family_members AS own
              WHERE own.family_id = other.family_id AND own.user_id = alert.user_id
            )
          )
          FROM pattern_alert_state AS alert
          WHERE EXISTS (
            SELECT 1 FROM notification_queue AS row
            WHERE row.alert_state_id = alert.id AND row.status = 'pending'
          )
          ORDER BY alert.id LIMIT 1
          """
        ).first
      ).split(separator: "|").map(String.init)
      (alert, person, stranger) = (row[0], row[1], row[2])
    }

    func vigil(_ arguments: String...) async throws -> CommandRun {
      try await CommandRun.vigil(arguments: ["alerts"] + arguments, in: folder)
    }

    /// The rows of the queue about the alert.
    func queue() throws -> [String] {
      try folder.database.rows(
        """
        SELECT DISTINCT status, status_reason FROM notification_queue
        WHERE alert_state_id = '\(alert)' AND status <> 'skipped' ORDER BY 1, 2
        """)
    }
  }

  private func json(_ run: CommandRun) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
      "\(run.errors)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func snoozeIsSaidInOneLineAndRestoreTakesItBack(kind: DatabaseKind) async throws {
    let notified = try await NotifiedAlert(kind)
    let waiting = try notified.folder.database.count(
      "notification_queue WHERE alert_state_id = '\(notified.alert)' AND status = 'pending'")
    let snoozed = try await notified.vigil(
      "snooze", notified.prefix, "--by", notified.person, "--until", "2999-03-12")
    #expect(snoozed.status == 0, "\(snoozed.errors)")
    #expect(
      snoozed.output.wholeMatch(
        of: /Alert [0-9a-f]{8} \(.+, level \d+\) is snoozed until 2999-03-12, by .+ cancelled\.\n/)
        != nil, "\(snoozed.output)")
    #expect(snoozed.output.contains("Alert \(notified.prefix) ("))
    #expect(snoozed.output.contains("; \(waiting) waiting"))
    #expect(try notified.queue() == ["cancelled|snoozed"])
    let listed = try await notified.vigil("list")
    let line = try #require(
      listed.output.split(separator: "\n").first { $0.hasPrefix(notified.prefix) })
    #expect(line.contains(", snoozed until 12 March 2999"))

    let restored = try await notified.vigil(
      "restore", notified.prefix, "--by", notified.person, "--format", "json")
    let document = try json(restored)
    #expect(document["action"] as? String == "restore")
    #expect(document["actor_user_id"] as? String == notified.person)
    #expect(document["notifications_restored"] as? Int == waiting)
    #expect(document["notifications_cancelled"] as? Int == 0)
    let alert = try #require(document["alert"] as? [String: Any])
    #expect(alert["id"] as? String == notified.alert)
    #expect(alert["snooze_until"] is NSNull)
    #expect(try notified.queue().allSatisfy { $0.hasPrefix("pending|") })
  }

  @Test(arguments: DatabaseKind.allCases)
  func sayingTheSameTwiceIsRecordedTwiceAndChangesNothingMore(kind: DatabaseKind) async throws {
    let notified = try await NotifiedAlert(kind)
    for isFirst in [true, false] {
      let dismissed = try await notified.vigil(
        "dismiss", notified.alert, "--by", notified.person, "--format", "json")
      let document = try json(dismissed)
      #expect((document["notifications_cancelled"] as? Int ?? 0 > 0) == isFirst)
    }
    #expect(try notified.queue() == ["cancelled|dismissed"])
    let first = try await notified.vigil("ack", notified.prefix, "--by", notified.person)
    #expect(first.output.contains(" is acknowledged, by "))
    #expect(!first.output.contains("was before"))
    let second = try await notified.vigil("ack", notified.prefix, "--by", notified.person)
    #expect(second.output.contains("and was before, by "))
    let shown = try json(try await notified.vigil("show", notified.prefix, "--format", "json"))
    let actions = try #require(shown["actions"] as? [[String: Any]])
    #expect(
      actions.map { $0["action"] as? String }
        == ["dismiss", "dismiss", "acknowledge", "acknowledge"])
    #expect(actions.allSatisfy { $0["actor_user_id"] as? String == notified.person })
  }

  @Test(arguments: DatabaseKind.allCases)
  func showListsTheNotificationsWithTheirOutcomes(kind: DatabaseKind) async throws {
    let notified = try await NotifiedAlert(kind)
    try notified.folder.database.execute(
      """
      UPDATE notification_queue SET status = 'sent', sent_at = '2026-07-01T05:00:30.000000Z'
      WHERE alert_state_id = '\(notified.alert)' AND channel = 'in_app'
      """)
    let shown = try await notified.vigil("show", notified.prefix)
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("\nNotifications\n"))
    #expect(shown.output.contains("2026-07-01 05:00"))
    #expect(shown.output.contains("\nAlert            \(notified.alert)\n"))
    let document = try json(try await notified.vigil("show", notified.alert, "--format", "json"))
    let rows = try #require(document["notifications"] as? [[String: Any]])
    let expected = try notified.folder.database.rows(
      "SELECT id, status FROM notification_queue WHERE alert_state_id = '\(notified.alert)' ORDER BY 1"
    )
    #expect(!expected.isEmpty)
    #expect(
      rows.map { "\($0["id"] as? String ?? "")|\($0["status"] as? String ?? "")" }.sorted()
        == expected)
    #expect(rows.allSatisfy { $0["payload"] == nil })
  }

  @Test(arguments: DatabaseKind.allCases)
  func whoIsNotOfTheFamilyIsRefused(kind: DatabaseKind) async throws {
    let notified = try await NotifiedAlert(kind)
    let before = try notified.queue()
    let refused = try await notified.vigil("dismiss", notified.prefix, "--by", notified.stranger)
    refused.expectFailure(77, mentioning: "accepted member of their family")
    let unknown = try await notified.vigil("dismiss", notified.prefix, "--by", "unknown")
    unknown.expectFailure(65, mentioning: "--by unknown")
    #expect(try notified.queue() == before)
    #expect(try notified.folder.database.count("alert_actions") == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func alertsThatAreNotThereOrOverAreRefused(kind: DatabaseKind) async throws {
    let notified = try await NotifiedAlert(kind)
    let unknown = try await notified.vigil("ack", "00000000", "--by", notified.person)
    unknown.expectFailure(64, mentioning: "'00000000'", "vigil alerts list")
    let unclear = try await notified.vigil("show", "xyz")
    unclear.expectFailure(64, mentioning: "'xyz'")
    try notified.folder.database.execute(
      """
      UPDATE pattern_alert_state SET episode_status = 'resolved', resolved_on = '2026-06-30',
        resolution_reason = 'recovered' WHERE id = '\(notified.alert)'
      """)
    for action in [["ack"], ["snooze", "--until", "2999-01-01"], ["dismiss"], ["restore"]] {
      let ended = try await CommandRun.vigil(
        arguments: ["alerts", action[0], notified.alert, "--by", notified.person]
          + action.dropFirst(),
        in: notified.folder)
      ended.expectFailure(65, mentioning: "ended on")
    }
    #expect(try await notified.vigil("show", notified.alert).status == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aBeginningOfSeveralAlertsIsRefused(kind: DatabaseKind) async throws {
    let notified = try await NotifiedAlert(kind)
    // Nothing may refer to an alert whose id changes.
    for table in ["notification_queue", "held_notifications"] {
      try notified.folder.database.execute("DELETE FROM \(table)")
    }
    let ids = try notified.folder.database.rows(
      "SELECT id FROM pattern_alert_state ORDER BY id LIMIT 2")
    for (index, id) in ids.enumerated() {
      try notified.folder.database.execute(
        """
        UPDATE pattern_alert_state SET id = 'abcd\(index)000-0000-5000-8000-000000000000'
        WHERE id = '\(id)'
        """)
    }
    let several = try await notified.vigil("show", "abcd")
    several.expectFailure(64, mentioning: "2 alerts begin with 'abcd'")
    #expect(try await notified.vigil("show", "abcd0").status == 0)
  }

  @Test func snoozeThatIsOverAlreadyIsRefused() async throws {
    let notified = try await NotifiedAlert(.sqlite)
    let past = try await notified.vigil(
      "snooze", notified.prefix, "--by", notified.person, "--until", "2026-06-30")
    past.expectFailure(64, mentioning: "--until 2026-06-30", "after today")
    let missing = try await notified.vigil("snooze", notified.prefix, "--by", notified.person)
    missing.expectFailure(64, mentioning: "--until")
  }
}
