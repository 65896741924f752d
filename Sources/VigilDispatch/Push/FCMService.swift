public import Foundation
import VigilModel
import VigilStorage
public import VigilTransfers

/// Google's service for push messages, by its HTTP v1 protocol.
///
/// Source: Firebase, "FCM HTTP v1 API", "ErrorCode".
public struct FCMService: Sendable {
  private let client: PushClient
  private let url: String
  private let tokens: AccessTokens

  /// - Parameters:
  ///   - client: Shared with other providers.
  ///   - settings: The service.
  ///   - account: The content of the file of the service account.
  /// - Throws: `UnusablePushKey`.
  public init(client: TransferClient, settings: FCMSettings, account: Data) throws {
    let client = PushClient(client: client, certificatesFile: settings.certificatesFile)
    let account = try ServiceAccount(account)
    self.client = client
    url = "\(settings.url)/v1/projects/\(account.project)/messages:send"
    tokens = AccessTokens(account: account, client: client)
  }

  func send(
    _ push: PushMessage, until deadline: ContinuousClock.Instant, at now: Timestamp
  ) async -> DeliveryAnswer {
    let body = Self.body(of: push, at: now)
    // A second time where the service does not take the token any more.
    var isLast = false
    while true {
      let token: String
      switch await tokens.token(until: deadline, at: now) {
      case .token(let text): token = text
      case .none(let answer): return answer
      }
      let exchange = await client.post(
        url,
        headers: [("authorization", "Bearer \(token)"), ("content-type", "application/json")],
        body: body, until: deadline)
      switch exchange {
      case .none(let answer): return answer
      case .response(let response):
        if !isLast, response.status == 401 {
          await tokens.discard(token)
          isLast = true
          continue
        }
        return Self.answer(
          response.status, code: Self.code(in: response.body), retryAfter: response.retryAfter,
          at: now)
      }
    }
  }

  private struct Body: Encodable {
    struct Message: Encodable {
      var token: String
      var notification: [String: String]
      var data: [String: String]
      var android: Android
    }

    struct Android: Encodable {
      struct Notification: Encodable {
        /// A later message with the tag takes the place of the first.
        var tag: String
      }

      var priority: String
      var ttl: String
      var notification: Notification
    }

    var message: Message
  }

  private static func body(of push: PushMessage, at now: Timestamp) -> Data {
    // A row without an end is of the app alone, and no push message.
    let end = push.row.expiresAt ?? now
    let seconds = max(0, end.wholeSeconds - now.wholeSeconds)
    let message = Body.Message(
      token: push.token,
      notification: ["title": push.message.subject, "body": push.message.text], data: push.data,
      android: .init(
        priority: push.isUrgent ? "HIGH" : "NORMAL", ttl: "\(seconds)s",
        notification: .init(tag: push.row.id.lowercased)))
    // Its parts are words.
    return (try? JSONEncoder.ofBodies.encode(Body(message: message))) ?? Data()
  }

  /// The code of an error, such as `UNREGISTERED`, or its status, such as `NOT_FOUND`.
  private static func code(in body: Data) -> String? {
    struct Answer: Decodable {
      struct Failure: Decodable {
        struct Detail: Decodable {
          var errorCode: String?
        }

        var status: String?
        var details: [Detail]?
      }

      var error: Failure
    }
    let failure = (try? JSONDecoder().decode(Answer.self, from: body))?.error
    return failure?.details?.compactMap(\.errorCode).first ?? failure?.status
  }

  /// Codes of Google that a code of ours may name.
  private static let known: Set = [
    "UNSPECIFIED_ERROR", "INVALID_ARGUMENT", "UNREGISTERED", "SENDER_ID_MISMATCH",
    "QUOTA_EXCEEDED", "UNAVAILABLE", "INTERNAL", "THIRD_PARTY_AUTH_ERROR", "PERMISSION_DENIED",
    "UNAUTHENTICATED", "NOT_FOUND", "RESOURCE_EXHAUSTED",
  ]

  /// The answer that a status and a code stand for.
  static func answer(
    _ status: Int, code name: String?, retryAfter: String?, at now: Timestamp
  ) -> DeliveryAnswer {
    let code =
      name.flatMap { known.contains($0) ? DeliveryErrorCode("fcm_" + $0.lowercased()) : nil }
      ?? DeliveryErrorCode("http_\(status)")
    switch status {
    case 200..<300: return DeliveryAnswer(.delivered)
    case 404 where name == "UNREGISTERED": return DeliveryAnswer(.refused(.fcmUnregistered))
    case 403 where name == "SENDER_ID_MISMATCH": return DeliveryAnswer(.refused(code))
    // The operator corrects a wrong account, and the row waits for it.
    case 401, 403, 408, 429, 500...:
      return DeliveryAnswer(.failed(code, after: RetryAfter.seconds(retryAfter, at: now)))
    default: return DeliveryAnswer(.refused(code))
    }
  }
}
