public import VigilStorage

/// The output of `vigil queue delivery`: the state of a text message after the report.
public struct MessageDeliveryReport: Sendable {
  /// As the caller named it.
  public let message: String
  public let delivery: MessageDelivery

  public init(message: String, delivery: MessageDelivery) {
    self.message = message
    self.delivery = delivery
  }
}

extension MessageDeliveryReport: Report {
  public func text(style: TextStyle) -> String {
    "The text message is \(delivery.rawValue).\n"
  }

  private enum CodingKeys: String, CodingKey {
    case message
    case delivery = "delivery_status"
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(message, forKey: .message)
    try container.encode(delivery.rawValue, forKey: .delivery)
  }
}
