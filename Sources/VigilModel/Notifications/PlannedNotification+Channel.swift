extension PlannedNotification {
  /// The way by which a notification reaches its recipient.
  ///
  /// A channel is added here; its switch is added as a `ChannelSwitch`. The checks of the tables are made of the cases.
  public enum Channel: String, Sendable, Codable, CaseIterable {
    case push
    case sms
    /// A telephone call, in which a provider speaks the text.
    case call
    case email
    case inApp = "in_app"

    /// The place where a sender finds the recipient on a channel.
    public enum Address: Hashable, Sendable {
      /// The devices of `push_tokens`.
      case devices
      /// The address of `contact_points`.
      case contactPoint
      /// None: the app shows the row itself, and no sender takes it.
      case none
    }

    public var address: Address {
      switch self {
      case .push: .devices
      case .sms, .call, .email: .contactPoint
      case .inApp: .none
      }
    }

    /// Whether people outside of the family can be called upon by it.
    public var reachesEmergencyContacts: Bool {
      switch self {
      case .sms, .call, .email: true
      case .push, .inApp: false
      }
    }

    /// Whether its addresses are telephone numbers in the form of E.164, such as +34600000000.
    public var isTelephone: Bool {
      switch self {
      case .sms, .call: true
      case .push, .email, .inApp: false
      }
    }

    /// Whether it is for what cannot wait alone: a critical notification, or a call upon a caregiver.
    public var isForUrgentOnly: Bool { self == .call }

    /// The channel in a sentence, such as `e-mail`.
    public var words: String {
      switch self {
      case .push: "push"
      case .sms: "SMS"
      case .call: "telephone"
      case .email: "e-mail"
      case .inApp: "in the app"
      }
    }

    /// The channels that a sender delivers.
    public static let sent = allCases.filter { $0.address != .none }

    /// The values of channels as a sentence lists them, such as `push, sms and email`.
    public static func list(_ channels: [Channel], last word: String = "and") -> String {
      let names = channels.map(\.rawValue)
      return names.count < 2
        ? names.joined()
        : names.dropLast().joined(separator: ", ") + " \(word) \(names[names.count - 1])"
    }
  }
}
