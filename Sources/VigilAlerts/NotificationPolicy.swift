public import VigilModel

/// The form of notifications, the same for every recipient.
public struct NotificationPolicy: Hashable, Sendable {
  public var payloadDetail: PayloadDetail
  /// Whether several alerts of one night for one recipient are merged into one notification.
  public var groupsByRecipient: Bool

  public init(payloadDetail: PayloadDetail = .standard, groupsByRecipient: Bool = false) {
    self.payloadDetail = payloadDetail
    self.groupsByRecipient = groupsByRecipient
  }
}
