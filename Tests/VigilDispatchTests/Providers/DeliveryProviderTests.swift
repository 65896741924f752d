import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

@Suite("Providers")
struct DeliveryProviderTests {
  private static let now = Timestamp(microseconds: 1_782_900_000_000_000)

  /// Delivers to a path of a real server, and returns the answer with the requests that came.
  private func deliver(
    to path: String, times: Int = 1, timeout: Duration = .seconds(20),
    to server: ProviderServer? = nil
  ) async throws -> ([DeliveryAnswer], [ProviderServer.Request]) {
    let server = try server ?? ProviderServer()
    let client = TransferClient()
    let provider = WebhookProvider(
      client: client, url: server.url(path),
      signature: WebhookSignature(secret: Data("0123456789abcdef".utf8)),
      timeout: timeout, now: { Self.now })
    var answers: [DeliveryAnswer] = []
    for _ in 1...times {
      answers.append(
        await provider.deliver(
          Delivery(
            row: try sampleRow(), message: try MessageCatalog().message(for: sampleRow()),
            addresses: [])))
    }
    await client.close()
    return (answers, try server.requests())
  }

  @Test("a webhook is signed, and names the row's key")
  func webhook() async throws {
    let (answers, requests) = try await deliver(to: "ok", times: 2)
    #expect(answers == [DeliveryAnswer(.delivered), DeliveryAnswer(.delivered)])
    let request = try #require(requests.first)
    #expect(request.headers["idempotency-key"] == "anna:alert:ben:push:7")
    #expect(request.headers["vigil-timestamp"] == "1782900000")
    let signature = WebhookSignature(secret: Data("0123456789abcdef".utf8))
    #expect(
      request.headers["vigil-signature"]
        == signature.header(of: Data(request.body.utf8), seconds: 1_782_900_000))
    #expect(requests[0].body == requests[1].body)
    let body = try #require(
      try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
    #expect(
      body.keys.sorted() == [
        "channel", "dedupe_key", "expires_at", "id", "level", "member_user_id", "message",
        "notification_type",
        "payload", "priority", "recipient_user_id", "scheduled_for", "template_id",
      ])
    #expect((body["payload"] as? [String: Any])?["metric_type"] as? String == "steps")
    #expect((body["message"] as? [String: Any])?["language"] as? String == "en")
    #expect(body["addresses"] == nil)
  }

  // Computed by: printf '1782900000.{}' | openssl dgst -sha256 -hmac 0123456789abcdef
  @Test("the signature is HMAC-SHA256 of time and body")
  func signature() {
    let signature = WebhookSignature(secret: Data("0123456789abcdef".utf8))
    #expect(
      signature.header(of: Data("{}".utf8), seconds: 1_782_900_000)
        == "v1=ecb4838eba06ea05e4d83d41edc1b85658443d0e718058aa51317f9a16df8def")
  }

  @Test(
    "each answer of a server has its meaning",
    arguments: [
      ("ok", "delivered", false), ("twice", "delivered", false), ("half", "delivered", false),
      ("429", "failed http_429 1.0", false), ("500", "failed http_500", false),
      ("400", "refused http_400", false),
      ("302", "refused http_302", false), ("hang", "failed timeout", true),
      ("close", "failed", true), ("reset", "failed connection_closed", true),
    ])
  func answers(path: String, meaning: String, isUncertain: Bool) async throws {
    let isSlow = path == "hang" || path == "half"
    let (answers, requests) = try await deliver(
      to: path, timeout: isSlow ? .milliseconds(500) : .seconds(20))
    let answer = try #require(answers.first)
    #expect(answer.text.hasPrefix(meaning), "\(answer.text)")
    #expect(answer.isUncertain == isUncertain)
    #expect(requests.count == 1)
  }

  @Test("a server that answers twice does not confuse the next exchange")
  func twice() async throws {
    let (answers, requests) = try await deliver(to: "twice", times: 6)
    #expect(answers.allSatisfy { $0.result == .delivered }, "\(answers)")
    #expect(requests.count == 6)
  }

  @Test("a server that is not there was not reached")
  func away() async throws {
    let client = TransferClient()
    let provider = WebhookProvider(
      client: client, url: "http://127.0.0.1:1/", signature: nil, timeout: .seconds(20),
      now: { Self.now })
    let answer = await provider.deliver(Delivery(row: try sampleRow(), message: nil, addresses: []))
    await client.close()
    #expect(answer.text == "not started connection_failed")
    #expect(!answer.isUncertain)
  }
}

extension DeliveryAnswer {
  /// In words of these tests.
  var text: String {
    switch result {
    case .delivered: "delivered"
    case .failed(let code, let after): "failed \(code)" + (after.map { " \($0)" } ?? "")
    case .notStarted(let code): "not started \(code)"
    case .refused(let code): "refused \(code)"
    }
  }
}
