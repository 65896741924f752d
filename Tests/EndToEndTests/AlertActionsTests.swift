import Foundation
import TestDatabases
import TestSupport
import Testing

/// `vigil alerts ack`, `snooze`, `dismiss`, `restore` and `show`.
@Suite struct AlertActionsTests {
  /// A database after a live night, and an alert of it that was told.
  private struct Told {
    let folder: TemporaryFolder
    let alert: String
    let person: String
    /// Somebody of another family.
    let stranger: String

    var prefix: String { String(alert.prefix(8)) }

    init(_ kind: DatabaseKind) async throws {
      folder = try await SampleDatabase.imported(kind)
      let night = try await CommandRun.vigil("run", "--date", "2026-06-30", "--live", in: folder)
      try #require(night.status == 0, "\(night.errors)")
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

    /// What the queue holds of the alert.
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
    let told = try await Told(kind)
    let waiting = try told.folder.database.count(
      "notification_queue WHERE alert_state_id = '\(told.alert)' AND status = 'pending'")
    let snoozed = try await told.vigil(
      "snooze", told.prefix, "--by", told.person, "--until", "2999-03-12")
    #expect(snoozed.status == 0, "\(snoozed.errors)")
    #expect(
      snoozed.output.wholeMatch(
        of: /Alert [0-9a-f]{8} \(.+, level \d+\) is snoozed until 2999-03-12, by .+ cancelled\.\n/)
        != nil, "\(snoozed.output)")
    #expect(snoozed.output.contains("Alert \(told.prefix) ("))
    #expect(snoozed.output.contains("; \(waiting) waiting"))
    #expect(try told.queue() == ["cancelled|snoozed"])
    let listed = try await told.vigil("list")
    let line = try #require(
      listed.output.split(separator: "\n").first { $0.hasPrefix(told.prefix) })
    #expect(line.contains("  active, snoozed until 2999-03-12"))

    let restored = try await told.vigil(
      "restore", told.prefix, "--by", told.person, "--format", "json")
    let document = try json(restored)
    #expect(document["action"] as? String == "restore")
    #expect(document["actor_user_id"] as? String == told.person)
    #expect(document["notifications_restored"] as? Int == waiting)
    #expect(document["notifications_cancelled"] as? Int == 0)
    let alert = try #require(document["alert"] as? [String: Any])
    #expect(alert["id"] as? String == told.alert)
    #expect(alert["snooze_until"] is NSNull)
    #expect(try told.queue().allSatisfy { $0.hasPrefix("pending|") })
  }

  @Test(arguments: DatabaseKind.allCases)
  func sayingTheSameTwiceIsRecordedTwiceAndChangesNothingMore(kind: DatabaseKind) async throws {
    let told = try await Told(kind)
    for isFirst in [true, false] {
      let dismissed = try await told.vigil(
        "dismiss", told.alert, "--by", told.person, "--format", "json")
      let document = try json(dismissed)
      #expect((document["notifications_cancelled"] as? Int ?? 0 > 0) == isFirst)
    }
    #expect(try told.queue() == ["cancelled|dismissed"])
    let first = try await told.vigil("ack", told.prefix, "--by", told.person)
    #expect(first.output.contains(" is acknowledged, by "))
    #expect(!first.output.contains("was before"))
    let second = try await told.vigil("ack", told.prefix, "--by", told.person)
    #expect(second.output.contains("and was before, by "))
    let shown = try json(try await told.vigil("show", told.prefix, "--format", "json"))
    let actions = try #require(shown["actions"] as? [[String: Any]])
    #expect(
      actions.map { $0["action"] as? String }
        == ["dismiss", "dismiss", "acknowledge", "acknowledge"])
    #expect(actions.allSatisfy { $0["actor_user_id"] as? String == told.person })
  }

  @Test(arguments: DatabaseKind.allCases)
  func showTellsWhatBecameOfTheNotifications(kind: DatabaseKind) async throws {
    let told = try await Told(kind)
    try told.folder.database.execute(
      """
      UPDATE notification_queue SET status = 'sent', sent_at = '2026-07-01T05:00:30.000000Z'
      WHERE alert_state_id = '\(told.alert)' AND channel = 'in_app'
      """)
    let shown = try await told.vigil("show", told.prefix)
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("\nNotifications\n"))
    #expect(shown.output.contains("2026-07-01 05:00"))
    #expect(shown.output.hasPrefix("Alert           \(told.alert)\n"))
    let document = try json(try await told.vigil("show", told.alert, "--format", "json"))
    let rows = try #require(document["notifications"] as? [[String: Any]])
    let expected = try told.folder.database.rows(
      "SELECT id, status FROM notification_queue WHERE alert_state_id = '\(told.alert)' ORDER BY 1")
    #expect(!expected.isEmpty)
    #expect(
      rows.map { "\($0["id"] as? String ?? "")|\($0["status"] as? String ?? "")" }.sorted()
        == expected)
    #expect(rows.allSatisfy { $0["payload"] == nil })
  }

  @Test(arguments: DatabaseKind.allCases)
  func whoIsNotOfTheFamilyIsRefused(kind: DatabaseKind) async throws {
    let told = try await Told(kind)
    let before = try told.queue()
    let refused = try await told.vigil("dismiss", told.prefix, "--by", told.stranger)
    refused.expectFailure(77, mentioning: "accepted member of their family")
    let nobody = try await told.vigil("dismiss", told.prefix, "--by", "nobody")
    nobody.expectFailure(65, mentioning: "--by nobody")
    #expect(try told.queue() == before)
    #expect(try told.folder.database.count("alert_actions") == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func alertsThatAreNotThereOrOverAreRefused(kind: DatabaseKind) async throws {
    let told = try await Told(kind)
    let unknown = try await told.vigil("ack", "00000000", "--by", told.person)
    unknown.expectFailure(64, mentioning: "'00000000'", "vigil alerts list")
    let unclear = try await told.vigil("show", "xyz")
    unclear.expectFailure(64, mentioning: "'xyz'")
    try told.folder.database.execute(
      """
      UPDATE pattern_alert_state SET episode_status = 'resolved', resolved_on = '2026-06-30',
        resolution_reason = 'recovered' WHERE id = '\(told.alert)'
      """)
    for action in [["ack"], ["snooze", "--until", "2999-01-01"], ["dismiss"], ["restore"]] {
      let ended = try await CommandRun.vigil(
        arguments: ["alerts", action[0], told.alert, "--by", told.person] + action.dropFirst(),
        in: told.folder)
      ended.expectFailure(65, mentioning: "ended on")
    }
    #expect(try await told.vigil("show", told.alert).status == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aBeginningOfSeveralAlertsIsRefused(kind: DatabaseKind) async throws {
    let told = try await Told(kind)
    // Nothing may refer to an alert whose id changes.
    for table in ["notification_queue", "held_notifications"] {
      try told.folder.database.execute("DELETE FROM \(table)")
    }
    let ids = try told.folder.database.rows(
      "SELECT id FROM pattern_alert_state ORDER BY id LIMIT 2")
    for (index, id) in ids.enumerated() {
      try told.folder.database.execute(
        """
        UPDATE pattern_alert_state SET id = 'abcd\(index)000-0000-5000-8000-000000000000'
        WHERE id = '\(id)'
        """)
    }
    let several = try await told.vigil("show", "abcd")
    several.expectFailure(64, mentioning: "2 alerts begin with 'abcd'")
    #expect(try await told.vigil("show", "abcd0").status == 0)
  }

  @Test func snoozeThatIsOverAlreadyIsRefused() async throws {
    let told = try await Told(.sqlite)
    let past = try await told.vigil(
      "snooze", told.prefix, "--by", told.person, "--until", "2026-06-30")
    past.expectFailure(64, mentioning: "--until 2026-06-30", "after today")
    let missing = try await told.vigil("snooze", told.prefix, "--by", told.person)
    missing.expectFailure(64, mentioning: "--until")
  }
}
