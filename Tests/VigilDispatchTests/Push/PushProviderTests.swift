import Foundation
import Synchronization
import TestSupport
import Testing
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

/// Providers of push messages with an HTTP/2 server that speaks the protocol of Apple and of Google.
@Suite("Push messages by APNs and FCM")
struct PushProviderTests {
  private static let noon = Timestamp(microseconds: 1_782_907_200_000_000)

  /// A server, and what has been delivered by it.
  private struct Fixture {
    var server: PushServer
    var provider: PushProvider
    var clock: Clock

    func send(to addresses: [DeliveryAddress] = [Fixture.phone]) async throws -> DeliveryAnswer {
      var delivery = try mailDelivery(to: "")
      delivery.addresses = addresses
      return await provider.deliver(delivery)
    }

    static let phone = DeliveryAddress("00fc13ad", platform: "apns")
    static let tablet = DeliveryAddress("bk3RNw:APA91b", platform: "fcm")
  }

  private final class Clock: Sendable {
    private let time = Mutex(PushProviderTests.noon)

    var now: Timestamp { time.withLock { $0 } }

    func advance(_ seconds: Int64) { time.withLock { $0 = $0.adding(seconds: seconds) } }
  }

  /// - Parameters:
  ///   - timeout: Of a delivery.
  ///   - respond: The answer to a message; access tokens are granted unless the path is answered otherwise.
  private func with(
    timeout: Duration = .seconds(3600),
    _ respond: @escaping @Sendable (PushServer.Request) -> PushServer.Response?,
    _ body: (Fixture) async throws -> Void
  ) async throws {
    let granted = Mutex(0)
    let server = try PushServer { request in
      if request.path == "/token" {
        if let answer = respond(request), answer.status != 200 || answer.body != "{}" {
          return answer
        }
        let number = granted.withLock {
          $0 += 1
          return $0
        }
        return PushServer.Response(
          200,
          body: #"{"access_token":"access-\#(number)","expires_in":3600,"token_type":"Bearer"}"#)
      }
      return respond(request)
    }
    let (ec, rsa) = (try server.makeKey(isRSA: false), try server.makeKey(isRSA: true))
    let clock = Clock()
    // While all tests run, any answer may be late.
    let client = TransferClient(connectTimeout: .seconds(3600), bodyTimeout: .seconds(3600))
    let account = [
      "type": "service_account", "project_id": "care-1", "client_email": "vigil@care-1.example",
      "token_uri": "\(server.url)/token", "private_key_id": "rsa-1", "private_key": rsa,
    ]
    let provider = PushProvider(
      apns: try APNsService(
        client: client,
        settings: APNsSettings(
          team: "TEAM123456", keyID: "KEY1234567", key: .file(""), topic: "org.example.care",
          url: server.url, certificatesFile: server.certificates), key: ec),
      fcm: try FCMService(
        client: client,
        settings: FCMSettings(
          serviceAccount: .file(""), url: server.url, certificatesFile: server.certificates),
        account: try JSONEncoder().encode(account)),
      timeout: timeout, now: { clock.now })
    try await body(Fixture(server: server, provider: provider, clock: clock))
    await client.close()
  }

  private func part(_ text: Substring) throws -> Data {
    let base = text.replacing("-", with: "+").replacing("_", with: "/")
    return try #require(
      Data(base64Encoded: base + String(repeating: "=", count: (4 - base.count % 4) % 4)))
  }

  private func object(_ data: Data) throws -> [String: any Sendable] {
    try #require(try JSONSerialization.jsonObject(with: data) as? [String: any Sendable])
  }

  @Test("a device of Apple gets the words, once, with a token that its public key confirms")
  func apns() async throws {
    try await with({ _ in PushServer.Response(200) }) { fixture in
      #expect(try await fixture.send().result == .delivered)
      let request = try #require(fixture.server.requests.first)
      #expect(fixture.server.requests.count == 1 && request.path == "/3/device/00fc13ad")
      let row = try sampleRow()
      #expect(request.headers["apns-topic"] == "org.example.care")
      #expect(request.headers["apns-push-type"] == "alert")
      #expect(request.headers["apns-priority"] == "10")
      #expect(request.headers["apns-collapse-id"] == row.id.uuidString.lowercased())
      #expect(request.headers["apns-expiration"] == "\(row.expiresAt?.wholeSeconds ?? -1)")
      let body = try object(Data(request.body.utf8))
      let aps = try #require(body["aps"] as? [String: any Sendable])
      #expect(
        aps["alert"] as? [String: String]
          == ["title": "Schritte: 7 Tage", "body": "Weniger als üblich.\n.\nEnde"])
      #expect((body["vigil"] as? [String: String])?["id"] == row.id.uuidString.lowercased())

      let words = try #require(request.headers["authorization"]).split(separator: " ")
      #expect(words[0] == "bearer")
      let parts = words[1].split(separator: ".")
      #expect(request.isSigned == true)
      let header = try object(part(parts[0]))
      #expect(header["alg"] as? String == "ES256" && header["kid"] as? String == "KEY1234567")
      let claims = try object(part(parts[1]))
      #expect(claims["iss"] as? String == "TEAM123456")
      #expect(claims["iat"] as? Int == Self.noon.wholeSeconds)
    }
  }

  @Test("a token serves for 40 minutes, and is made anew where Apple finds it too old")
  func apnsTokens() async throws {
    let refused = Mutex<Set<String>>([])
    try await with({ request in
      let token = request.headers["authorization"] ?? ""
      return refused.withLock { $0.contains(token) }
        ? PushServer.Response(403, body: #"{"reason":"ExpiredProviderToken"}"#)
        : PushServer.Response(200)
    }) { fixture in
      func tokens() -> [String] {
        fixture.server.requests.map { $0.headers["authorization"] ?? "" }
      }
      _ = try await fixture.send()
      fixture.clock.advance(40 * 60 - 1)
      _ = try await fixture.send()
      #expect(Set(tokens()).count == 1)
      fixture.clock.advance(1)
      _ = try await fixture.send()
      #expect(Set(tokens()).count == 2)
      let last = tokens()[2]
      refused.withLock { _ = $0.insert(last) }
      #expect(try await fixture.send().result == .delivered)
      #expect(tokens()[3] == last && tokens()[4] != last && tokens().count == 5)
    }
  }

  @Test("a token that Apple never takes is tried again later, not for ever")
  func apnsExpired() async throws {
    try await with({ _ in PushServer.Response(403, body: #"{"reason":"ExpiredProviderToken"}"#) }) {
      fixture in
      let answer = try await fixture.send()
      #expect(
        answer == DeliveryAnswer(.failed(.init("apns_expired_provider_token"), after: nil)))
      #expect(fixture.server.requests.count == 2)
    }
  }

  @Test(
    "each answer of Apple stands for an outcome",
    arguments: [
      (400, "BadDeviceToken", DeliveryAnswer.Result.refused(.init("apns_bad_device_token"))),
      (400, "a device of anna", .refused(.init("http_400"))),
      (403, "InvalidProviderToken", .failed(.init("apns_invalid_provider_token"), after: 7)),
      (410, "Unregistered", .refused(.init("apns_unregistered"))),
      (413, "PayloadTooLarge", .refused(.init("apns_payload_too_large"))),
      (429, "TooManyRequests", .failed(.init("apns_too_many_requests"), after: 7)),
      (500, "InternalServerError", .failed(.init("apns_internal_server_error"), after: 7)),
      (503, "ServiceUnavailable", .failed(.init("apns_service_unavailable"), after: 7)),
    ])
  func apnsAnswers(status: Int, reason: String, result: DeliveryAnswer.Result) async throws {
    try await with({ _ in
      PushServer.Response(
        status, headers: [("retry-after", "7")], body: #"{"reason":"\#(reason)"}"#)
    }) { fixture in
      let answer = try await fixture.send()
      #expect(answer.result == result && !answer.isUncertain)
      #expect(answer.gone == (status == 410 ? [Fixture.phone.address] : []))
      // A service that is out of order says nothing about a device.
      let isOfDevice = reason == "BadDeviceToken" || reason == "DeviceTokenNotForTopic"
      #expect(answer.devices.contains { $0.state == .refused } == isOfDevice)
      #expect(answer.aboutChannel.devices.allSatisfy { $0.state != .refused })
    }
  }

  @Test(
    "a device of Google gets the words, with an access token that the account's key was signed for")
  func fcm() async throws {
    try await with({ _ in PushServer.Response(200) }) { fixture in
      for _ in 1...2 {
        #expect(try await fixture.send(to: [Fixture.tablet]).result == .delivered)
      }
      #expect(
        fixture.server.requests.map(\.path)
          == ["/token", "/v1/projects/care-1/messages:send", "/v1/projects/care-1/messages:send"])
      let asked = try #require(fixture.server.requests.first)
      let form = try #require(
        asked.body.wholeMatch(
          of:
            /grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=([A-Za-z0-9_.-]+)/
        ))
      let parts = form.output.1.split(separator: ".")
      #expect(asked.isSigned == true)
      #expect(try object(part(parts[0]))["alg"] as? String == "RS256")
      let claims = try object(part(parts[1]))
      #expect(claims["iss"] as? String == "vigil@care-1.example")
      #expect(claims["scope"] as? String == "https://www.googleapis.com/auth/firebase.messaging")
      #expect(claims["aud"] as? String == "\(fixture.server.url)/token")
      #expect(claims["exp"] as? Int == Self.noon.wholeSeconds + 3600)

      let sent = fixture.server.requests[1]
      #expect(sent.headers["authorization"] == "Bearer access-1")
      let message = try #require(
        try object(Data(sent.body.utf8))["message"] as? [String: any Sendable])
      #expect(message["token"] as? String == Fixture.tablet.address)
      #expect(
        message["notification"] as? [String: String]
          == ["title": "Schritte: 7 Tage", "body": "Weniger als üblich.\n.\nEnde"])
      #expect((message["android"] as? [String: any Sendable])?["priority"] as? String == "HIGH")
      // An hour later it needs another.
      fixture.clock.advance(3600)
      _ = try await fixture.send(to: [Fixture.tablet])
      #expect(fixture.server.requests.last?.headers["authorization"] == "Bearer access-2")
    }
  }

  @Test("an access token that Google does not take any more is replaced at once")
  func fcmTokens() async throws {
    try await with({ request in
      request.headers["authorization"] == "Bearer access-1"
        ? PushServer.Response(401, body: #"{"error":{"status":"UNAUTHENTICATED"}}"#)
        : PushServer.Response(200)
    }) { fixture in
      let answer = try await fixture.send(to: [Fixture.tablet])
      #expect(answer.result == .delivered)
      #expect(fixture.server.requests.count == 4)
    }
  }

  @Test(
    "each answer of Google stands for an outcome",
    arguments: [
      (400, "INVALID_ARGUMENT", DeliveryAnswer.Result.refused(.init("fcm_invalid_argument"))),
      (404, "UNREGISTERED", .refused(.init("fcm_unregistered"))),
      (404, "NOT_FOUND", .refused(.init("fcm_not_found"))),
      (403, "SENDER_ID_MISMATCH", .refused(.init("fcm_sender_id_mismatch"))),
      (403, "PERMISSION_DENIED", .failed(.init("fcm_permission_denied"), after: 9)),
      (401, "anna@example.org", .failed(.init("http_401"), after: 9)),
      (429, "QUOTA_EXCEEDED", .failed(.init("fcm_quota_exceeded"), after: 9)),
      (500, "INTERNAL", .failed(.init("fcm_internal"), after: 9)),
      (503, "UNAVAILABLE", .failed(.init("fcm_unavailable"), after: 9)),
    ])
  func fcmAnswers(status: Int, code: String, result: DeliveryAnswer.Result) async throws {
    try await with({ request in
      request.path == "/token"
        ? PushServer.Response(200)
        : PushServer.Response(
          status, headers: [("retry-after", "9")],
          body:
            #"{"error":{"code":\#(status),"status":"\#(code)","details":[{"@type":"type","errorCode":"\#(code)"}]}}"#
        )
    }) { fixture in
      let answer = try await fixture.send(to: [Fixture.tablet])
      #expect(answer.result == result && !answer.isUncertain)
      #expect(answer.gone == (code == "UNREGISTERED" ? [Fixture.tablet.address] : []))
    }
  }

  @Test(
    "an access token may be granted for any time", arguments: [Int64.min, -1, 0, 61, Int64.max])
  func grantedTimes(seconds: Int64) async throws {
    try await with({ request in
      PushServer.Response(
        200, body: #"{"access_token":"access","expires_in":\#(seconds)}"#)
    }) { fixture in
      for _ in 1...2 {
        let answer = try await fixture.send(to: [Fixture.tablet])
        #expect(answer.result == .delivered)
      }
    }
  }

  @Test("where no access token is granted, nothing is sent, and it is tried again")
  func noAccess() async throws {
    try await with({ request in
      PushServer.Response(request.path == "/token" ? 503 : 200, headers: [("retry-after", "5")])
    }) { fixture in
      let answer = try await fixture.send(to: [Fixture.tablet])
      #expect(
        answer == DeliveryAnswer(.failed(.init("oauth_http_503"), after: 5)))
      #expect(fixture.server.requests.map(\.path) == ["/token"])
    }
  }

  @Test("a service that does not answer leaves the outcome unknown")
  func silent() async throws {
    try await with(timeout: .milliseconds(500), { _ in nil }) { fixture in
      let answer = try await fixture.send()
      guard case .failed(_, after: nil) = answer.result else {
        Issue.record("\(answer)")
        return
      }
      // On a slow machine the time may be up before the request is sent.
      #expect(answer.isUncertain || fixture.server.requests.isEmpty)
    }
  }

  @Test("of several devices one is enough, and those that are gone are named")
  func devices() async throws {
    try await with({ request in
      request.path == "/3/device/00fc13ad"
        ? PushServer.Response(410, body: #"{"reason":"Unregistered"}"#) : PushServer.Response(200)
    }) { fixture in
      let second = DeliveryAddress("aabb", platform: "apns")
      var answer = try await fixture.send(to: [Fixture.phone, second, Fixture.tablet])
      #expect(answer.result == .delivered && answer.gone == [Fixture.phone.address])
      #expect(
        answer.devices.sorted()
          == [
            DeviceReport("apns", Fixture.phone.address, .gone),
            DeviceReport("apns", second.address, .reached),
            DeviceReport("fcm", Fixture.tablet.address, .reached),
          ].sorted())
      answer = try await fixture.send(to: [Fixture.phone])
      #expect(answer.result == .refused(.init("apns_unregistered")))
      answer = try await fixture.send(to: [DeliveryAddress("x", platform: "other")])
      #expect(answer.result == .refused(.init("no_address")))
      // What may succeed later is tried again before what never will.
      let merged = PushProvider.merged([
        DeliveryAnswer(.refused(.init("a"))), DeliveryAnswer(.failed(.init("b"), after: 3)),
        DeliveryAnswer(.failed(.init("c"), after: 8), isUncertain: true),
      ])
      #expect(merged == DeliveryAnswer(.failed(.init("b"), after: 8), isUncertain: true))
    }
  }

  @Test("a key that cannot be used is named")
  func keys() throws {
    #expect(throws: UnusablePushKey.self) { try TokenSigner(ecdsa: "no key") }
    #expect(throws: UnusablePushKey.self) { try TokenSigner(rsa: "no key") }
    #expect(throws: UnusablePushKey.self) { try ServiceAccount(Data("{}".utf8)) }
  }
}

extension DeliveryAnswer {
  /// The devices that do not receive messages any more.
  fileprivate var gone: [String] { devices.filter { $0.state == .gone }.map(\.token) }
}
