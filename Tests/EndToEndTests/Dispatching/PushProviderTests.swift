import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// `vigil dispatch` with the services of push messages.
@Suite struct PushProviderTests {
  private func folder(_ kind: DatabaseKind, _ server: PushServer) throws -> TemporaryFolder {
    let folder = try TemporaryFolder.migrated(kind)
    try folder.database.fill(QueuedPeople(3, dueAt: TestClock.now.adding(seconds: -60)))
    let devices = [
      (1, "apns", "aa01"), (1, "apns", "aa02"), (1, "fcm", "fcm-01"), (2, "apns", "aa02-gone"),
      (3, "fcm", "fcm-gone"),
    ]
    try folder.database.execute(
      "INSERT INTO push_tokens (platform, token, user_id) VALUES "
        + devices.map { "('\($1)', '\($2)', '\(QueuedPeople.person($0))')" }.joined(separator: ","))
    try folder.write(try server.makeKey(isRSA: false), to: "apns.p8")
    let account = [
      "type": "service_account", "project_id": "care-1", "client_email": "vigil@care-1.example",
      "token_uri": "\(server.url)/token", "private_key_id": "rsa-1",
      "private_key": try server.makeKey(isRSA: true),
    ]
    try JSONEncoder().encode(account).write(to: folder.url.appending(path: "account.json"))
    try folder.write(
      """
      {"channels": {"push": {
        "apns": {"team_id": "TEAM123456", "key_id": "KEY1234567", "key_file": "apns.p8",
          "topic": "org.example.care", "url": "\(server.url)", "certificates_file": "\(server.certificates)"},
        "fcm": {"service_account_file": "account.json", "url": "\(server.url)",
          "certificates_file": "\(server.certificates)"}
      }}}
      """, to: "providers.json")
    return folder
  }

  @Test(arguments: DatabaseKind.allCases)
  func deliversToEachDeviceAndRetiresThoseThatAreGone(kind: DatabaseKind) async throws {
    let server = try PushServer { request in
      if request.path == "/token" {
        return .init(200, body: #"{"access_token":"access","expires_in":3600}"#)
      }
      if request.path.hasSuffix("gone") {
        return .init(410, body: #"{"reason":"Unregistered"}"#)
      }
      if request.body.contains("fcm-gone") {
        return .init(
          404, body: #"{"error":{"code":404,"details":[{"errorCode":"UNREGISTERED"}]}}"#)
      }
      return .init(200)
    }
    let folder = try folder(kind, server)
    let dry = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--dry-run", in: folder)
    #expect(dry.output.contains("APNs localhost, FCM localhost"), "\(dry.output) \(dry.errors)")
    #expect(server.requests.isEmpty)
    let run = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--once", "--log-level", "trace", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try folder.database.rows(
        "SELECT status, last_error FROM notification_queue ORDER BY recipient_user_id")
        == ["sent|", "failed|apns_unregistered", "failed|fcm_unregistered"])
    #expect(
      try folder.database.rows(
        "SELECT token FROM push_tokens WHERE revoked_at IS NOT NULL ORDER BY token")
        == ["aa02-gone", "fcm-gone"])
    #expect(
      Set(server.requests.map(\.path)) == [
        "/3/device/aa01", "/3/device/aa02", "/3/device/aa02%2Dgone", "/token",
        "/v1/projects/care-1/messages:send",
      ])
    for canary in ["aa01", "fcm-01", "fcm-gone", "care-1", "PRIVATE KEY", "access"] {
      #expect(!(run.output + run.errors).contains(canary), "\(canary)")
    }
  }

  @Test func keysThatCannotBeUsedAreNamedBeforeAnythingIsSent() async throws {
    let server = try PushServer { _ in .init(200) }
    let folder = try folder(.sqlite, server)
    func errors() async throws -> String {
      let run = try await CommandRun.vigil(
        "dispatch", "--providers", "providers.json", "--once", in: folder)
      #expect(run.status == 65, "\(run)")
      return run.errors
    }
    try folder.write("{}", to: "account.json")
    #expect(try await errors().contains("account.json is no file of a service account"))
    try folder.write("no key", to: "apns.p8")
    #expect(try await errors().contains("apns.p8 is no private key of the curve P-256"))
    #expect(server.requests.isEmpty)
  }
}
