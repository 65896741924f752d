import Foundation
import TestDatabases
import TestSupport
import Testing

/// `vigil queue prune`.
@Suite struct QueuePruneTests {
  private static let night = ["run", "--date", "2026-06-30", "--live"]

  /// A database whose live night was sent long ago, according to its rows.
  private func sent(_ kind: DatabaseKind) async throws -> TemporaryFolder {
    let folder = try SampleDatabase.imported(
      kind, then: [Self.night])
    try folder.database.execute(
      """
      UPDATE notification_queue
      SET status = 'sent', updated_at = '2026-01-01T00:00:00.000000Z' WHERE status = 'pending'
      """)
    return folder
  }

  private func prune(
    _ arguments: String..., in folder: TemporaryFolder
  ) async throws -> CommandRun {
    try await CommandRun.vigil(arguments: ["queue", "prune"] + arguments, in: folder)
  }

  private func removed(_ run: CommandRun) throws -> (removed: [String: Int], remembered: Int) {
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
      "\(run.errors)")
    return (
      try #require(document["removed"] as? [String: Int]),
      try #require(document["ids_remembered"] as? Int)
    )
  }

  @Test(arguments: DatabaseKind.allCases)
  func oldRowsAreRemovedOnceAndNotSentAgain(kind: DatabaseKind) async throws {
    let folder = try await sent(kind)
    let database = folder.database
    let sent = try database.count("notification_queue WHERE status = 'sent'")
    try #require(sent > 0)
    let planned = try await prune("--older-than", "4w", "--dry-run", "--format", "json", in: folder)
    #expect(try removed(planned).removed["notification_queue"] == sent)
    #expect(try database.count("notification_queue WHERE status = 'sent'") == sent)
    #expect(try database.count("spent_notifications") == 0)

    let pruned = try await prune("--older-than", "4w", "--format", "json", in: folder)
    #expect(pruned.status == 0, "\(pruned.errors)")
    #expect(try removed(pruned).removed == removed(planned).removed)
    #expect(try removed(pruned).remembered == sent)
    #expect(try database.count("notification_queue WHERE status = 'sent'") == 0)
    let again = try await prune("--older-than", "4w", in: folder)
    #expect(again.output.hasPrefix("Nothing to remove from "))

    try database.execute("UPDATE pattern_alert_state SET last_notified_level = NULL")
    let night = try await CommandRun.vigil(arguments: Self.night, in: folder)
    #expect(night.status == 0, "\(night.errors)")
    #expect(try database.count("notification_queue WHERE status = 'pending'") == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func whatIsYoungerStays(kind: DatabaseKind) async throws {
    let folder = try await sent(kind)
    // The night itself was just now.
    let held = try folder.database.count("held_notifications")
    let pruned = try await prune("--older-than", "12h", in: folder)
    #expect(pruned.status == 0, "\(pruned.errors)")
    #expect(pruned.output.hasPrefix("Removed "))
    #expect(pruned.output.contains("\n  held_notifications         0\n"))
    #expect(try folder.database.count("held_notifications") == held)
    #expect(held > 0)
  }

  @Test func dryRunNeedsNoRightToWrite() async throws {
    let folder = try await sent(.sqlite)
    let file = folder.url.appending(path: "vigil.sqlite").path
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file)
    let planned = try await prune("--older-than", "30d", "--dry-run", in: folder)
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(planned.output.hasPrefix("Would remove "))
  }
}
