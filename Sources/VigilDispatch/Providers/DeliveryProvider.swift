public import VigilStorage

/// A service that delivers the notifications of a channel.
public protocol DeliveryProvider: Sendable {
  /// Delivers one notification, and returns when its outcome is known or the time is up.
  ///
  /// Never throws: what goes wrong is an answer, whose code holds no word of the provider.
  func deliver(_ delivery: Delivery) async -> DeliveryAnswer
}

/// A notification as a provider gets it.
public struct Delivery: Sendable {
  public var row: ClaimedNotification
  /// Nil where the channel has none, because the provider writes its own words.
  public var message: Message?
  /// Empty for a provider that is not given any.
  public var addresses: [DeliveryAddress]

  public init(row: ClaimedNotification, message: Message?, addresses: [DeliveryAddress]) {
    self.row = row
    self.message = message
    self.addresses = addresses
  }
}
