import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing

/// `vigil queue list` and `vigil queue show`.
@Suite struct QueueTests {
  private static let night = ["run", "--date", "2026-06-30"]

  private func vigil(
    _ arguments: String..., in folder: TemporaryFolder
  ) async throws -> CommandRun {
    try await CommandRun.vigil(arguments: ["queue"] + arguments, in: folder)
  }

  private func json(_ run: CommandRun) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
      "\(run.errors)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func emptyQueueSaysTheLikeliestReason(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    _ = try await CommandRun.vigil("migrate", in: folder)
    let fresh = try await vigil(in: folder)
    #expect(fresh.status == 0, "\(fresh.errors)")
    #expect(
      fresh.output
        == "No notifications match. There are no data yet; vigil import csv DIR brings some in.\n")

    let sample = try SampleDatabase.imported(kind)
    let unlooked = try await vigil("list", in: sample)
    #expect(unlooked.output.contains("No run has evaluated the data yet; vigil run does."))
    let run = try await CommandRun.vigil(arguments: Self.night, in: sample)
    try #require(run.status == 0, "\(run.errors)")
    let live = try await vigil("list", in: sample)
    #expect(live.output.contains("--shadow lists what they would have sent"))
    let filtered = try await vigil("list", "--status", "sent", in: sample)
    #expect(filtered.output.contains("Fewer conditions may find some."))
    let shadow = try await vigil("list", "--shadow", "--limit", "0", "--format", "json", in: sample)
    let rows = try #require(try json(shadow)["notifications"] as? [[String: Any]])
    #expect(rows.count == (try sample.database.count("shadow_notification_queue")))
    #expect(!rows.isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func queueIsListedByEveryCondition(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(
      kind, then: [Self.night + ["--live"]])
    let database = folder.database
    try database.execute(
      """
      UPDATE notification_queue SET status = 'cancelled', status_reason = 'expired'
      WHERE channel = 'push'
      """)
    let first = try #require(
      try database.rows(
        """
        SELECT recipient_user_id, member_user_id, external_id
        FROM notification_queue JOIN users ON users.id = member_user_id
        WHERE channel = 'push' ORDER BY notification_queue.id LIMIT 1
        """
      ).first
    ).split(separator: "|").map(String.init)
    let conditions: [(arguments: [String], sql: String)] = [
      ([], "1 = 1"), (["--status", "pending"], "status = 'pending'"),
      (["--reason", "expired"], "status_reason = 'expired'"),
      (["--recipient", first[0]], "recipient_user_id = '\(first[0])'"),
      (["--user", first[2]], "member_user_id = '\(first[1])'"),
      (
        ["--user", first[1], "--status", "cancelled"],
        "member_user_id = '\(first[1])' AND status = 'cancelled'"
      ),
    ]
    for (arguments, sql) in conditions {
      let listed = try await CommandRun.vigil(
        arguments: ["queue", "list", "--limit", "0", "--format", "json"] + arguments, in: folder)
      let rows = try #require(try json(listed)["notifications"] as? [[String: Any]])
      let expected = try database.rows("SELECT id FROM notification_queue WHERE \(sql)")
      #expect(!expected.isEmpty, "\(arguments)")
      #expect(
        rows.compactMap { $0["id"] as? String }.sorted() == expected.sorted(), "\(arguments)")
    }
    let limited = try await vigil("list", "--limit", "2", in: folder)
    #expect(limited.output.contains(" Shown: the first 2; --limit 0 lists all.\n"))
    #expect(limited.output.hasPrefix("Notification  Status"))

    let id = try #require(try database.rows("SELECT id FROM notification_queue ORDER BY id").first)
    let shown = try await vigil("show", String(id.prefix(8)), in: folder)
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains(id))
    #expect(shown.output.contains("\nPayload "))
    let document = try json(try await vigil("show", id, "--format", "json", in: folder))
    #expect((document["payload"] as? String)?.contains("\"member_user_id\"") == true)
  }

  @Test(arguments: DatabaseKind.allCases)
  func whatARunHoldsIsCountedWithWhatToDo(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let run = try await CommandRun.vigil(
      arguments: Self.night + ["--live", "--max-notified-persons", "0"], in: folder)
    #expect(run.status == 75)
    let id = try #require(try folder.database.rows("SELECT id FROM batch_runs").first).prefix(8)
    let held = try folder.database.count("held_notifications WHERE outcome IS NULL")
    let listed = try await vigil(in: folder)
    #expect(
      listed.output
        == "No notifications match. What the last runs have planned is held back; vigil queue list"
        + " --held lists it.\n\(held) notifications wait for a decision: vigil runs release \(id), or vigil runs discard"
        + " \(id).\n")
    #expect(run.errors.contains("look at them with 'vigil queue list --held', then"))
    let document = try json(
      try await vigil("list", "--held", "--limit", "0", "--format", "json", in: folder))
    let rows = try #require(document["notifications"] as? [[String: Any]])
    #expect(
      rows.compactMap { $0["id"] as? String }.sorted()
        == (try folder.database.rows("SELECT id FROM held_notifications ORDER BY 1")))
    #expect(document["queue"] as? String == "held_notifications")
    let text = try await vigil("list", "--held", "--limit", "0", in: folder)
    #expect(text.output.contains("  held ") && text.output.contains(": \(held) held.\n"), "\(text)")
    let one = try #require(rows.first?["id"] as? String)
    let shown = try await vigil("show", "--held", one, in: folder)
    #expect(shown.output.contains("waits for a decision") && shown.output.contains(one), "\(shown)")
    _ = try await CommandRun.vigil("runs", "release", String(id), in: folder)
    let none = try await vigil("list", "--held", "--limit", "0", in: folder)
    #expect(none.output == "No notifications match. No run waits for a decision.\n")
    let released = try json(try await vigil("list", "--format", "json", in: folder))
    #expect((released["held"] as? [Any])?.isEmpty == true)
    #expect(released["total"] as? Int == held)
  }

  @Test(arguments: DatabaseKind.allCases)
  func discardedHoldIsNotTakenForShadowMode(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    // A night in shadow mode of long ago, before anything began.
    let early = try await CommandRun.vigil("run", "--date", "2026-06-01", in: folder)
    try #require(early.status == 0, "\(early.errors)")
    _ = try await CommandRun.vigil("golive", in: folder)
    _ = try await CommandRun.vigil(
      arguments: Self.night + ["--live", "--max-notified-persons", "0"], in: folder)
    let id = try #require(
      try folder.database.rows("SELECT id FROM batch_runs WHERE mode = 'live'").first)
    let discarded = try await CommandRun.vigil("runs", "discard", id, in: folder)
    try #require(discarded.status == 0, "\(discarded.errors)")
    let listed = try await vigil(in: folder)
    #expect(
      listed.output
        == "No notifications match. The notifications that live runs held were discarded; Vigil"
        + " notifies of escalations.\n")
  }

  @Test(arguments: DatabaseKind.allCases)
  func whatIsReadInTheAppIsRecordedAndCounted(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind, then: [Self.night + ["--live"]])
    let rows = try folder.database.rows(
      """
      SELECT id, recipient_user_id FROM notification_queue
      WHERE channel = 'in_app' AND status = 'pending' ORDER BY id
      """
    ).map { $0.split(separator: "|").map(String.init) }
    let (id, recipient) = (try #require(rows.first)[0], rows[0][1])
    let total = try folder.database.count("notification_queue")
    let delivered = try await vigil(
      "mark-delivered", String(id.prefix(8)), "--by", recipient, in: folder)
    #expect(delivered.status == 0, "\(delivered.errors)")
    let words = "Notification \(id.prefix(8)) on channel in the app"
    #expect(delivered.output.hasPrefix("\(words) was delivered at 20"), "\(delivered.output)")
    let read = try await vigil("mark-read", id, "--by", recipient, in: folder)
    #expect(read.output.hasPrefix("\(words) was read at 20"), "\(read.output)")
    // The first time stays.
    let again = try await vigil("mark-read", id, "--by", recipient, "--format", "json", in: folder)
    let changed = try json(again)
    #expect(changed["status"] as? String == "sent")
    #expect(read.output.contains(try #require(changed["read_at"] as? String)))
    #expect(delivered.output.contains(try #require(changed["delivered_at"] as? String)))

    let listed = try await vigil("list", "--limit", "0", in: folder)
    #expect(listed.output.contains("sent (read)"))
    #expect(listed.output.contains("\(total) notifications: "))
    #expect(listed.output.contains("1 sent (1 read)"), "\(listed.output.suffix(200))")
    let document = try json(
      try await vigil("list", "--status", "sent", "--format", "json", in: folder))
    #expect(document["read"] as? Int == 1 && document["total"] as? Int == 1)
    let shown = try await vigil("show", id, in: folder)
    #expect(shown.output.contains("\nRead "), "\(shown.output)")

    // Neither another person nor a row of another channel.
    let other = try #require(
      try folder.database.rows("SELECT id FROM users WHERE id <> '\(recipient)' ORDER BY id").first)
    try await vigil("mark-read", id, "--by", other, in: folder)
      .expectFailure(77, mentioning: "is not to \(other)")
    let push = try #require(
      try folder.database.rows("SELECT id FROM notification_queue WHERE channel = 'push'").first)
    let refused = try await vigil("mark-read", push, "--by", recipient, in: folder)
    #expect(refused.status != 0 && refused.errors.contains("in_app"), "\(refused.errors)")
    try await vigil("mark-read", id, "--by", "unknown", in: folder)
      .expectFailure(65, mentioning: "--by unknown")
  }

  @Test func aMemberReadsAndMarksTheirRowsBySQL() async throws {
    let folder = try SampleDatabase.imported(.postgres, then: [Self.night + ["--live"]])
    let row = try #require(
      try folder.database.rows(
        """
        SELECT id, recipient_user_id FROM notification_queue
        WHERE channel = 'in_app' AND status = 'pending' ORDER BY id
        """
      ).first
    ).split(separator: "|").map(String.init)
    guard case .postgres(let schema) = folder.database else { return }
    let session = try PostgresSession(url: schema.url(as: "postgres"), schema: schema.name)
    try session.execute(
      """
      GRANT vigil_reader TO CURRENT_USER;
      SET app.current_user_id = '\(row[1])';
      SET ROLE vigil_reader
      """)
    func asMember(_ sql: String) throws -> [String?] {
      try session.rows(sql).values.map { $0[0] }
    }
    let waiting =
      "SELECT count(*) FROM notification_queue WHERE channel = 'in_app' AND read_at IS NULL"
    let before = try #require(try asMember(waiting).first.flatMap { $0 }.flatMap { Int($0) })
    #expect(before > 0)
    #expect(try asMember("SELECT notification_id FROM mark_read('\(row[0])')") == [row[0]])
    #expect(try asMember(waiting) == ["\(before - 1)"])
    let shown = try await vigil("show", row[0], in: folder)
    #expect(shown.output.contains("sent (read)\n"), "\(shown.output)")
    // What is cancelled is not shown to the member any more.
    try folder.database.execute(
      "UPDATE notification_queue SET status = 'cancelled', status_reason = 'resolved' WHERE channel = 'in_app'"
    )
    #expect(try asMember(waiting) == ["0"])
  }

  @Test func whatIsNotThereIsRefused() async throws {
    let folder = try SampleDatabase.imported()
    try await vigil("show", "00000000", in: folder)
      .expectFailure(64, mentioning: "'00000000'", "vigil queue list lists them")
    try await vigil("show", "00000000", "--shadow", in: folder)
      .expectFailure(64, mentioning: "shadow_notification_queue", "--shadow")
    try await vigil("list", "--shadow", "--held", in: folder)
      .expectFailure(64, mentioning: "--shadow and --held exclude each other")
    try await vigil("list", "--user", "unknown", in: folder)
      .expectFailure(65, mentioning: "--user unknown")
  }
}
