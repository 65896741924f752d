/// The answer of a service of push messages about one device.
public struct DeviceReport: Hashable, Sendable, Comparable {
  /// `apns` or `fcm`.
  public var platform: String
  /// The device, as its service names it.
  public var token: String
  public var state: State

  public init(_ platform: String, _ token: String, _ state: State) {
    self.platform = platform
    self.token = token
    self.state = state
  }

  /// A device that its service has refused so many times in a row is left out.
  public static let mostRefusals = 10

  public enum State: Hashable, Sendable {
    /// The service has accepted a message for it.
    case reached
    /// The service does not take the token: it may be wrong, or of another app.
    case refused
    /// The device does not receive messages any more.
    case gone
  }

  /// In the order of platform and token.
  public static func < (left: Self, right: Self) -> Bool {
    (left.platform, left.token) < (right.platform, right.token)
  }
}
