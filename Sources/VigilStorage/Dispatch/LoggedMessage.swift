import VigilAlerts

/// A text message that is to be sent, as `sms_log` records it before its attempt begins.
public struct LoggedMessage: Hashable, Sendable {
  public var row: ClaimedNotification
  /// `NumberKey.digest(of:)` of the telephone number; nil where the sender has no key, or is given no numbers.
  public var numberDigest: String?
  /// `MessageSegments.count(of:)`; nil where the provider writes its own words.
  public var segments: Int?
  /// By the price of the sender's settings; nil where they name none.
  public var cost: MessageCost?

  public init(
    _ row: ClaimedNotification, numberDigest: String? = nil, segments: Int? = nil,
    cost: MessageCost? = nil
  ) {
    self.row = row
    self.numberDigest = numberDigest
    self.segments = segments
    self.cost = cost
  }

  /// The type of a text message, as the log counts them.
  public enum Kind: String, CaseIterable, Sendable {
    /// An alert, several, or the end of one.
    case alert
    /// A check-in that is due soon, or a ping.
    case reminder
    /// A call upon a caregiver because no member has answered.
    case escalation
    /// A person who needs help, or a call upon an emergency contact.
    case emergency
  }

  public var kind: Kind {
    switch row.type {
    case EscalationNotice.caregiverType: .escalation
    case EscalationNotice.contactType, Prompt.Kind.raisedAlert.rawValue: .emergency
    case Prompt.Kind.ping.rawValue, Prompt.Kind.checkInReminder.rawValue: .reminder
    default: .alert
    }
  }
}

/// The price of a text message.
public struct MessageCost: Hashable, Sendable {
  /// Millionths of the currency's unit, such as 79,000 for 0.079 EUR.
  public var micros: Int
  /// Three capital letters (ISO 4217), such as `EUR`.
  public var currency: String

  /// - Parameters:
  ///   - micros: From 0 to a thousand million millions.
  ///   - currency: Three capital letters; another text gives nil.
  public init?(micros: Int, currency: String) {
    guard (0...1_000_000_000_000_000).contains(micros),
      currency.utf8.count == 3,
      currency.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains)
    else { return nil }
    self.micros = micros
    self.currency = currency
  }

  /// The price of several parts at this price each.
  public func times(_ segments: Int) -> MessageCost? {
    let (product, isTooLarge) = micros.multipliedReportingOverflow(by: segments)
    return isTooLarge ? nil : MessageCost(micros: product, currency: currency)
  }
}

/// The particulars of a text message in the answer of its provider, as far as it has them.
public struct MessageReceipt: Hashable, Sendable {
  /// The message, as the provider names it when it reports on the delivery.
  public var id: String?
  public var segments: Int?
  public var cost: MessageCost?

  public init(id: String? = nil, segments: Int? = nil, cost: MessageCost? = nil) {
    self.id = id
    self.segments = segments
    self.cost = cost
  }
}
