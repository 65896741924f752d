import Foundation
import VigilStorage
import VigilTransfers

/// The way to a service of push messages, which speaks HTTP/2.
struct PushClient: Sendable {
  let client: TransferClient
  /// The file of certificates to trust in place of those of the system; nil for those.
  let certificatesFile: String?

  /// The outcome of an exchange.
  enum Exchange: Sendable {
    case response(Response)
    /// There was no answer.
    case none(DeliveryAnswer)
  }

  struct Response: Sendable {
    var status: Int
    var retryAfter: String?
    /// Up to 64 KiB; what has come of it where the rest did not come in time.
    var body: Data
  }

  /// Sends a request, and reads the answer to its end.
  ///
  /// - Parameter deadline: Of the whole exchange.
  func post(
    _ url: String, headers: [(name: String, value: String)], body: Data,
    until deadline: ContinuousClock.Instant
  ) async -> Exchange {
    let left = deadline - .now
    guard left > .zero else {
      return .none(DeliveryAnswer(.failed(DeliveryErrorCode("timeout"), after: nil)))
    }
    let ending = await client.perform(
      Transfer(
        url: url, body: body, kind: .http(headers: headers, sharesConnections: true),
        timeout: left, certificatesFile: certificatesFile))
    guard let status = ending.status else { return .none(DeliveryAnswer(noAnswer: ending)) }
    return .response(
      Response(status: status, retryAfter: ending.retryAfter, body: ending.body))
  }
}
