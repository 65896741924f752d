/// A column of `user_profiles` by which a person switches a channel on or off.
public enum ChannelSwitch: String, Sendable, CaseIterable {
  case inApp = "notify_in_app"
  case push = "notify_push"
  case email = "notify_email"
  case call = "notify_call"
  case emailOfChampions = "champion_notify_email"
  case smsOfChampions = "champion_notify_sms"

  public var channel: PlannedNotification.Channel {
    switch self {
    case .inApp: .inApp
    case .push: .push
    case .email, .emailOfChampions: .email
    case .smsOfChampions: .sms
    case .call: .call
    }
  }

  /// Whether the channel is on where the column is empty.
  public var isOnByDefault: Bool {
    switch self {
    case .inApp, .emailOfChampions: true
    case .push, .email, .call, .smsOfChampions: false
    }
  }

  /// Whether it counts for champions of a family alone.
  public var isOfChampions: Bool {
    switch self {
    case .emailOfChampions, .smsOfChampions: true
    case .inApp, .push, .email, .call: false
    }
  }
}
