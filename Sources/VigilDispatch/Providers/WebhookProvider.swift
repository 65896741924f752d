import Foundation
public import VigilModel
import VigilStorage
public import VigilTransfers

/// Delivers by a signed POST to a URL.
///
/// The header `Idempotency-Key` is the row's dedupe key: a receiver that sees one again has had the
/// notification before, from an attempt whose answer was lost. `Vigil-Attempt` is the row's fencing token, which
/// grows with each attempt.
public struct WebhookProvider: DeliveryProvider {
  private let client: TransferClient
  private let url: String
  private let signature: WebhookSignature?
  private let timeout: Duration
  private let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - client: Shared with other providers.
  ///   - url: Where to; http or https.
  ///   - signature: Nil for none.
  ///   - timeout: For the whole exchange.
  ///   - now: The clock.
  public init(
    client: TransferClient, url: String, signature: WebhookSignature?, timeout: Duration,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.client = client
    self.url = url
    self.signature = signature
    self.timeout = timeout
    self.now = now
  }

  public func deliver(_ delivery: Delivery) async -> DeliveryAnswer {
    let body = DeliveryBody(delivery).data
    let seconds = now().wholeSeconds
    var headers = [
      (name: "Content-Type", value: "application/json"), ("User-Agent", "vigil"),
      ("Idempotency-Key", delivery.row.dedupeKey),
      ("Vigil-Attempt", "\(delivery.row.fencingToken)"), ("Vigil-Timestamp", "\(seconds)"),
    ]
    if let signature {
      headers.append(("Vigil-Signature", signature.header(of: body, seconds: seconds)))
    }
    let ending = await client.perform(
      Transfer(url: url, body: body, kind: .http(headers: headers), timeout: timeout))
    guard let status = ending.status else { return DeliveryAnswer(noAnswer: ending) }
    return Self.answer(status, retryAfter: ending.retryAfter, at: now())
      .adding(ending.body, of: delivery)
  }

  /// The answer that a status stands for.
  static func answer(_ status: Int, retryAfter: String?, at now: Timestamp) -> DeliveryAnswer {
    let code = DeliveryErrorCode("http_\(status)")
    switch status {
    case 200..<300: return DeliveryAnswer(.delivered)
    case 408, 425, 429, 500...:
      return DeliveryAnswer(.failed(code, after: RetryAfter.seconds(retryAfter, at: now)))
    default: return DeliveryAnswer(.refused(code))
    }
  }
}
