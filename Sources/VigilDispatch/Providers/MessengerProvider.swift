public import Foundation
public import VigilModel
import VigilStorage
public import VigilTransfers

/// Delivers to a messenger, by the request that its template describes.
///
/// A messenger knows no idempotency key, but for a template that names one: a notification may come twice where the
/// outcome of an attempt is unknown.
public struct MessengerProvider: DeliveryProvider {
  private let client: TransferClient
  private let template: WebhookTemplate
  private let url: String
  private let token: String?
  private let settings: MessengerSettings
  private let timeout: Duration
  private let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - client: Shared with other providers.
  ///   - template: The request.
  ///   - url: Where to; http or https.
  ///   - token: What the messenger asks for; nil where it asks for none.
  ///   - settings: The values for the template.
  ///   - timeout: For the whole exchange.
  ///   - now: The clock.
  public init(
    client: TransferClient, template: WebhookTemplate, url: String, token: String?,
    settings: MessengerSettings, timeout: Duration, now: @escaping @Sendable () -> Timestamp
  ) {
    self.client = client
    self.template = template
    self.url = url
    self.token = token
    self.settings = settings
    self.timeout = timeout
    self.now = now
  }

  public func deliver(_ delivery: Delivery) async -> DeliveryAnswer {
    guard let message = delivery.message else {
      return DeliveryAnswer(.refused(DeliveryErrorCode("no_message")))
    }
    let values = settings.values(for: delivery.row.recipient)
    // A recipient without a value has no place that a message could go to.
    guard template.values.allSatisfy({ values[$0] != nil }) else {
      return DeliveryAnswer(.refused(DeliveryErrorCode("no_address")))
    }
    let request = template.request(
      for: delivery.row, message, url: url, token: token, values: values,
      address: delivery.addresses.first?.address)
    let ending = await client.perform(
      Transfer(
        url: request.url, body: request.body,
        kind: .http(request.method, headers: request.headers), timeout: timeout))
    guard let status = ending.status else { return DeliveryAnswer(noAnswer: ending) }
    return WebhookProvider.answer(status, retryAfter: ending.retryAfter, at: now())
      .adding(ending.body, of: delivery)
  }
}

/// The values that the template of a messenger names, such as a room.
public struct MessengerSettings: Hashable, Sendable {
  /// The name of a shipped template, or the path of one.
  public var template: String
  /// The token, where the messenger asks for one.
  public var token: SecretSource?
  /// For all recipients.
  public var values: [String: String]
  /// By recipient, values in place of these.
  public var recipients: [UUID: [String: String]]

  public init(
    template: String, token: SecretSource? = nil, values: [String: String] = [:],
    recipients: [UUID: [String: String]] = [:]
  ) {
    self.template = template
    self.token = token
    self.values = values
    self.recipients = recipients
  }

  func values(for recipient: UUID) -> [String: String] {
    values.merging(recipients[recipient] ?? [:]) { $1 }
  }
}
