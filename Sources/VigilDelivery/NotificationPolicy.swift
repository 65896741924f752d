public import VigilModel

/// How notifications are written, the same for everybody.
public struct NotificationPolicy: Hashable, Sendable {
  public var payloadDetail: PayloadDetail
  /// Whether several alerts of one night for one recipient are told together.
  public var groupsByRecipient: Bool

  public init(payloadDetail: PayloadDetail = .standard, groupsByRecipient: Bool = false) {
    self.payloadDetail = payloadDetail
    self.groupsByRecipient = groupsByRecipient
  }
}
