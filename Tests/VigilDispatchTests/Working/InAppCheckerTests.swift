import Foundation
import Logging
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

/// Rows of the app under a sender, on real databases.
@Suite("Rows of the app are looked at again")
struct InAppCheckerTests {
  private static let noon = Timestamp(microseconds: 1_782_907_200_000_000)

  /// Rows by push and in the app, which are due at noon; person 1, an administrator, is notified of all others.
  private func database(
    _ kind: DatabaseKind, _ people: Int = 2, in folder: TemporaryDirectory
  ) throws -> TestDatabase {
    let database = try kind.makeMigratedDatabase(in: folder.path)
    var queued = QueuedPeople(people, dueAt: Self.noon)
    (queued.channels, queued.recipient) = (["push", "in_app"], 1)
    try database.fill(queued)
    try database.execute(
      """
      DELETE FROM notification_queue WHERE member_user_id = '\(QueuedPeople.person(1))';
      UPDATE notification_queue SET expires_at = NULL WHERE channel = 'in_app';
      INSERT INTO family_members (family_id, user_id, role, invite_status)
      SELECT '\(QueuedPeople.alert(9))', id,
        CASE CAST(id AS text) WHEN '\(QueuedPeople.person(1))' THEN 'admin' ELSE 'member' END, 'accepted'
      FROM users
      """)
    return database
  }

  /// Sends once, some hours after noon; returns the numbers of rows of the app that were cancelled.
  @discardableResult
  private func send(
    _ database: TestDatabase, of server: ProviderServer, hours: Int64 = 1
  ) async throws -> [PlannedNotification.StatusReason: Int] {
    let now = Self.noon.adding(seconds: hours * 3600)
    let client = TransferClient()
    let provider = WebhookProvider(
      client: client, url: server.url("ok"), signature: nil, timeout: .seconds(20), now: { now })
    let dispatcher = Dispatcher(
      channels: [(ChannelSettings(channel: .push), provider)], storage: try database.open(),
      zones: .system, messages: try MessageCatalog(), owner: "test", isOnce: true, now: { now },
      isStopping: { false },
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    do {
      try await dispatcher.run()
    } catch {
      await client.close()
      throw error
    }
    await client.close()
    return dispatcher.tallies[.inApp]?.cancelled ?? [:]
  }

  private func states(_ database: TestDatabase) throws -> [String] {
    try database.rows(
      """
      SELECT status, status_reason, attempts, lease_owner FROM notification_queue
      WHERE channel = 'in_app' ORDER BY member_user_id
      """)
  }

  /// Changes after a row was planned, and the reason for which it is not to be shown any more; nil for changes that leave it.
  private static let changes: [(sql: String, reason: PlannedNotification.StatusReason?)] = {
    let (recipient, person) = (QueuedPeople.person(1), QueuedPeople.person(2))
    let end =
      "UPDATE pattern_alert_state SET episode_status = 'resolved', resolved_on = '2026-07-01', resolution_reason = "
    return [
      ("UPDATE notification_queue SET expires_at = scheduled_for", .expired),
      (
        "INSERT INTO alert_recipient_exclusions (subject_user_id, excluded_user_id) VALUES ('\(person)', '\(recipient)')",
        .excluded
      ),
      ("UPDATE family_members SET role = 'member'", .notRecipient),
      ("UPDATE family_members SET invite_status = 'declined'", .notRecipient),
      ("DELETE FROM family_members WHERE user_id = '\(recipient)'", .notRecipient),
      (
        "INSERT INTO user_profiles (user_id, notify_in_app, notify_push) VALUES ('\(recipient)', (1 = 0), (1 = 1))",
        .preferenceOff
      ),
      ("UPDATE pattern_alert_state SET dismissed_at = '\(noon)'", .dismissed),
      ("UPDATE pattern_alert_state SET snooze_until = '2026-07-02'", .snoozed),
      (end + "'recovered'", .resolved),
      (end + "'retracted'", .resolved),
      // Quiet hours do not hold in the app.
      (
        "INSERT INTO user_profiles (user_id, notify_push, quiet_hours_start, quiet_hours_end) VALUES ('\(recipient)', (1 = 1), '00:00', '23:59')",
        nil
      ),
      ("UPDATE pattern_alert_state SET snooze_until = '2026-07-01'", nil),
      ("UPDATE family_members SET role = 'superadmin' WHERE user_id = '\(recipient)'", nil),
      (
        end
          + "'recovered'; UPDATE notification_queue SET notification_type = 'pattern_recovery'",
        nil
      ),
      (
        "UPDATE notification_queue SET status = 'sent', sent_at = '\(noon)', delivered_at = '\(noon)' WHERE channel = 'in_app'; \(end) 'recovered'",
        nil
      ),
    ]
  }()

  @Test(
    "a row that is not to be shown any more is cancelled, for the reason of other channels",
    arguments: DatabaseKind.allCases, changes)
  func changedAfterPlanning(
    kind: DatabaseKind, change: (sql: String, reason: PlannedNotification.StatusReason?)
  ) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, in: folder)
      let server = try ProviderServer()
      #expect(try await send(database, of: server).isEmpty)
      #expect(try states(database) == ["pending||0|"])
      try database.execute(change.sql)
      let before = try states(database)
      let cancelled = try await send(database, of: server, hours: 2)
      #expect(cancelled == (change.reason.map { [$0: 1] } ?? [:]))
      #expect(
        try states(database) == (change.reason.map { ["cancelled|\($0.rawValue)|0|"] } ?? before))
      // Nothing is cancelled twice.
      #expect(try await send(database, of: server, hours: 3).isEmpty)
    }
  }

  @Test(
    "a row without an expiry waits as long as it has a reason", arguments: DatabaseKind.allCases)
  func staysWithoutExpiry(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, in: folder)
      let server = try ProviderServer()
      #expect(try await send(database, of: server, hours: 5_000).isEmpty)
      #expect(try states(database) == ["pending||0|"])
    }
  }

  @Test("rows of prompts end with what they are about", arguments: DatabaseKind.allCases)
  func promptsEnd(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, in: folder)
      try database.execute("DELETE FROM notification_queue")
      let server = try ProviderServer()
      let storage = try database.open()
      let person = try #require(UUID(uuidString: QueuedPeople.person(2)))
      let raised = try storage.raiseAlert(by: person, at: Self.noon)
      try await send(database, of: server)
      #expect(try states(database) == ["pending||0|"])
      // Without the app's function, as an operator might do it.
      try database.execute(
        "UPDATE raised_alerts SET status = 'resolved', resolved_at = '\(Self.noon)' WHERE id = '\(raised.id.lowercased)'"
      )
      #expect(try await send(database, of: server, hours: 2) == [.resolved: 1])
      #expect(try states(database) == ["cancelled|resolved|0|"])
    }
  }

  @Test(
    "any number of rows is looked at in turn, so many in one look", arguments: DatabaseKind.allCases
  )
  func pages(kind: DatabaseKind) throws {
    try TemporaryDirectory.with { folder in
      let database = try database(kind, 26, in: folder)
      // Rows of three priorities, five of which are not to be shown.
      try database.execute(
        """
        UPDATE notification_queue SET priority = 'critical'
        WHERE member_user_id < '\(QueuedPeople.person(6))';
        UPDATE notification_queue SET priority = 'low'
        WHERE member_user_id > '\(QueuedPeople.person(20))';
        UPDATE pattern_alert_state SET dismissed_at = '\(Self.noon)'
        WHERE user_id > '\(QueuedPeople.person(21))'
        """)
      let checker = InAppChecker(storage: try database.open(), zones: .system, rowsAtOnce: 3)
      var cancelled = 0
      func look(from place: InAppChecker.Place, limit: Int) throws -> InAppChecker.Place {
        try checker.run(from: place, limit: limit, at: Self.noon) {
          cancelled += $0[.dismissed] ?? 0
        }
      }
      var place = InAppChecker.Place()
      var looks = 0
      repeat {
        place = try look(from: place, limit: 4)
        looks += 1
        try #require(looks < 30)
      } while place != InAppChecker.Place()
      #expect(looks >= 7 && cancelled == 5)
      #expect(try states(database).count { $0.hasPrefix("cancelled") } == 5)
      #expect(try states(database).count { $0.hasPrefix("pending") } == 20)
      #expect(try look(from: place, limit: .max) == InAppChecker.Place())
      #expect(cancelled == 5)
    }
  }

  @Test("a row that cannot be read holds up no other")
  func unreadable() async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(.postgres, 3, in: folder)
      try database.execute(
        """
        UPDATE notification_queue SET expires_at = 'infinity'
        WHERE member_user_id = '\(QueuedPeople.person(2))';
        UPDATE pattern_alert_state SET dismissed_at = '\(Self.noon)'
        """)
      let server = try ProviderServer()
      #expect(try await send(database, of: server) == [.dismissed: 1])
      #expect(try states(database) == ["pending||0|", "cancelled|dismissed|0|"])
    }
  }

  @Test("senders at the same time cancel each row once", arguments: DatabaseKind.allCases)
  func sendersAtOnce(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 200, in: folder)
      try database.execute(
        """
        DELETE FROM notification_queue WHERE channel = 'push';
        UPDATE pattern_alert_state SET dismissed_at = '\(Self.noon)'
        """)
      let server = try ProviderServer()
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 1...4 {
          group.addTask { try await send(database, of: server)[.dismissed] ?? 0 }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(counts.reduce(0, +) == 199, "\(counts)")
    }
  }
}
