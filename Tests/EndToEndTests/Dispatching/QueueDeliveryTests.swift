import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// `vigil queue delivery`: what a provider reports about a text message.
@Suite struct QueueDeliveryTests {
  private func folder(_ kind: DatabaseKind) throws -> TemporaryFolder {
    let folder = try TemporaryFolder.migrated(kind)
    try folder.database.fill(QueuedPeople(1, dueAt: TestClock.now))
    let time = TestClock.now.adding(seconds: -3600)
    try folder.database.execute(
      """
      INSERT INTO sms_log (
        notification_id, month, recipient_user_id, sms_type, status, delivery_status_at,
        provider_message_id, fencing_token, created_at, updated_at
      ) VALUES (
        '\(QueuedPeople.alert(1))', '2026-06-01', '\(QueuedPeople.person(1))', 'alert', 'sent', '\(time)',
        'SM30ad', 1, '\(time)', '\(time)'
      )
      """)
    return folder
  }

  private func report(_ folder: TemporaryFolder, _ arguments: String...) async throws -> CommandRun
  {
    try await CommandRun.vigil(arguments: ["queue", "delivery"] + arguments, in: folder)
  }

  @Test(arguments: DatabaseKind.allCases)
  func reportsComeInAnyOrderAndTwice(kind: DatabaseKind) async throws {
    let folder = try folder(kind)
    let sent = try await report(folder, "SM30ad", "--status", "sent")
    #expect(sent.status == 0 && sent.output == "The text message is sent.\n", "\(sent.errors)")
    for word in ["delivered", "delivered", "undelivered", "queued"] {
      let run = try await report(
        folder, QueuedPeople.alert(1), "--status", word, "--format", "json")
      #expect(
        run.status == 0 && run.output.contains(#""delivery_status" : "delivered""#), "\(run.output)"
      )
    }
    #expect(
      try folder.database.rows("SELECT status, delivery_status FROM sms_log") == ["sent|delivered"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func whatCannotBeIsRefused(kind: DatabaseKind) async throws {
    let folder = try folder(kind)
    for (arguments, status, words) in [
      (["SM30ae", "--status", "sent"], 69, "has no text message of this id"),
      (["' OR 1=1 --", "--status", "sent"], 69, "has no text message of this id"),
      (["SM30ad", "--status", "read"], 64, "queued"),
      (["SM30ad", "--status", "sent", "--at", "yesterday"], 64, "is no instant"),
      (["SM30ad", "--status", "sent", "--at", "2999-01-01T00:00:00Z"], 65, "has not come yet"),
      (["SM30ad"], 64, "--status"),
    ] as [([String], Int32, String)] {
      let run = try await CommandRun.vigil(
        arguments: ["queue", "delivery"] + arguments, in: folder)
      #expect(run.status == status && run.errors.contains(words), "\(arguments): \(run.errors)")
      // The id is from elsewhere.
      #expect(!run.errors.contains("1=1"))
    }
    #expect(try folder.database.rows("SELECT delivery_status FROM sms_log") == ["queued"])
  }
}
