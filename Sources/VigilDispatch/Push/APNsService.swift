import Foundation
import VigilModel
import VigilStorage
public import VigilTransfers

/// Apple's service for push messages.
///
/// Source: Apple, "Sending notification requests to APNs" and "Handling notification responses from APNs".
public struct APNsService: Sendable {
  private let client: PushClient
  private let settings: APNsSettings
  private let tokens: ProviderTokens

  /// - Parameters:
  ///   - client: Shared with other providers.
  ///   - settings: The team, the app and the service.
  ///   - key: The text of the `.p8` file.
  /// - Throws: `UnusablePushKey`.
  public init(client: TransferClient, settings: APNsSettings, key: String) throws {
    self.client = PushClient(client: client, certificatesFile: settings.certificatesFile)
    self.settings = settings
    tokens = ProviderTokens(
      signer: try TokenSigner(ecdsa: key), team: settings.team, keyID: settings.keyID)
  }

  func send(
    _ push: PushMessage, until deadline: ContinuousClock.Instant, at now: Timestamp
  ) async -> DeliveryAnswer {
    let body = Self.body(of: push)
    // A second time where the service finds the token too old, such as by another clock.
    var isLast = false
    while true {
      let token: String
      do {
        token = try await tokens.token(at: now)
      } catch {
        return DeliveryAnswer(.failed(DeliveryErrorCode("apns_key"), after: nil))
      }
      let exchange = await client.post(
        "\(settings.url)/3/device/\(Self.escaped(push.token))",
        headers: headers(of: push, token: token), body: body, until: deadline)
      switch exchange {
      case .none(let answer): return answer
      case .response(let response):
        let reason = Self.reason(in: response.body)
        if !isLast, response.status == 403, reason == "ExpiredProviderToken" {
          await tokens.discard(token)
          isLast = true
          continue
        }
        return Self.answer(
          response.status, reason: reason, retryAfter: response.retryAfter, at: now)
      }
    }
  }

  private func headers(of push: PushMessage, token: String) -> [(name: String, value: String)] {
    [
      ("authorization", "bearer \(token)"), ("apns-topic", settings.topic),
      ("apns-push-type", "alert"), ("apns-priority", push.isUrgent ? "10" : "5"),
      // A row without an end is of the app alone, and no push message.
      ("apns-expiration", "\(push.row.expiresAt?.wholeSeconds ?? 0)"),
      // The same for each attempt at a device, and a later one takes the place of the first on its screen.
      ("apns-id", UUID(name: "apns:\(push.row.id.lowercased):\(push.token)").lowercased),
      ("apns-collapse-id", push.row.id.lowercased),
    ]
  }

  private struct Body: Encodable {
    struct APS: Encodable {
      struct Alert: Encodable {
        var title: String
        var body: String
      }

      var alert: Alert
      var sound = "default"
    }

    var aps: APS
    var vigil: [String: String]
  }

  private static func body(of push: PushMessage) -> Data {
    let alert = Body.APS.Alert(title: push.message.subject, body: push.message.text)
    // Its parts are words.
    return (try? JSONEncoder.ofBodies.encode(Body(aps: .init(alert: alert), vigil: push.data)))
      ?? Data()
  }

  /// A token has hexadecimal digits; any other text must not become another path.
  private static func escaped(_ token: String) -> String {
    token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  private static func reason(in body: Data) -> String? {
    struct Answer: Decodable {
      var reason: String
    }
    return (try? JSONDecoder().decode(Answer.self, from: body))?.reason
  }

  /// Reasons of Apple that a code may name.
  private static let known: Set = [
    "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority",
    "BadTopic", "DeviceTokenNotForTopic", "InvalidPushType", "MissingDeviceToken", "MissingTopic",
    "PayloadEmpty", "TopicDisallowed", "PayloadTooLarge", "BadPath", "MethodNotAllowed",
    "ExpiredProviderToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken",
    "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken", "TooManyProviderTokenUpdates",
    "TooManyRequests", "InternalServerError", "ServiceUnavailable", "Shutdown",
  ]

  /// The answer that a status and a reason stand for.
  static func answer(
    _ status: Int, reason: String?, retryAfter: String?, at now: Timestamp
  ) -> DeliveryAnswer {
    let code =
      reason.flatMap { known.contains($0) ? DeliveryErrorCode("apns_" + snakeCase($0)) : nil }
      ?? DeliveryErrorCode("http_\(status)")
    switch status {
    case 200..<300: return DeliveryAnswer(.delivered)
    case 410: return DeliveryAnswer(.refused(.apnsUnregistered))
    // The operator corrects a wrong key or team, and the row waits for it.
    case 403, 408, 429, 500...:
      return DeliveryAnswer(.failed(code, after: RetryAfter.seconds(retryAfter, at: now)))
    default: return DeliveryAnswer(.refused(code))
    }
  }

  /// `BadDeviceToken` as `bad_device_token`.
  private static func snakeCase(_ words: String) -> String {
    var text = ""
    for character in words {
      if character.isUppercase, !text.isEmpty { text += "_" }
      text += character.lowercased()
    }
    return text
  }
}

/// The provider tokens of APNs, of which each is used for 40 minutes: Apple refuses one of more than an hour, and
/// too many new ones.
actor ProviderTokens {
  private let signer: TokenSigner
  private let team: String
  private let keyID: String
  private var present: (text: String, madeAt: Timestamp)?

  init(signer: TokenSigner, team: String, keyID: String) {
    self.signer = signer
    self.team = team
    self.keyID = keyID
  }

  private struct Claims: Encodable {
    var iss: String
    var iat: Int
  }

  func token(at now: Timestamp) throws -> String {
    if let present, now < present.madeAt.adding(seconds: 40 * 60), now >= present.madeAt {
      return present.text
    }
    let text = try signer.sign(Claims(iss: team, iat: now.wholeSeconds), keyID: keyID)
    present = (text, now)
    return text
  }

  /// Makes another token the next time, unless that has happened.
  func discard(_ token: String) {
    if present?.text == token { present = nil }
  }
}
