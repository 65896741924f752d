public import Foundation
public import VigilModel

/// The output of `vigil dispatch --dry-run`: the decision about each notification that is due.
public struct DispatchPreviewReport: Sendable {
  public let channels: [Channel]

  /// The notifications of one channel.
  public struct Channel: Sendable {
    public var channel: PlannedNotification.Channel
    /// The provider in words, such as `webhook push.example.org`.
    public var provider: String
    /// In the order in which they would be handled.
    public var notifications: [Notification]

    public init(
      channel: PlannedNotification.Channel, provider: String, notifications: [Notification]
    ) {
      self.channel = channel
      self.provider = provider
      self.notifications = notifications
    }
  }

  public struct Notification: Sendable {
    public var id: UUID
    public var decision: Decision
    /// The reason, or the code of an error; nil where it would be sent.
    public var reason: String?
    /// When it would be looked at again.
    public var until: Timestamp?

    public init(
      id: UUID, decision: Decision, reason: String? = nil, until: Timestamp? = nil
    ) {
      self.id = id
      self.decision = decision
      self.reason = reason
      self.until = until
    }
  }

  public enum Decision: String, Sendable {
    case send
    case wait
    case cancel
    case fail
  }

  public init(channels: [Channel]) {
    self.channels = channels
  }
}

extension DispatchPreviewReport: Report {
  /// The notifications that the text names one by one.
  static let shown = 50

  public func text(style: TextStyle) -> String {
    var table = TextTable([
      .init("Channel"), .init("Provider"), .init("Would send"), .init("Would wait"),
      .init("Would cancel"), .init("Would fail"),
    ])
    table.rows = channels.map { channel in
      [
        .init(channel.channel.words), .init(channel.provider),
        .init(NumberText.count(channel.notifications.count { $0.decision == .send })),
        .init(Self.text(channel, .wait)), .init(Self.text(channel, .cancel)),
        .init(Self.text(channel, .fail)),
      ]
    }
    return table.render(style) + details(style)
  }

  /// A number with its reasons, such as `3 (2 quiet_hours, 1 rate_limited)`.
  private static func text(_ channel: Channel, _ decision: Decision) -> String {
    var numbers: [String: Int] = [:]
    for notification in channel.notifications where notification.decision == decision {
      numbers[notification.reason ?? "", default: 0] += 1
    }
    return DispatchReport.text(numbers)
  }

  /// The notifications that would not be sent, one by one.
  private func details(_ style: TextStyle) -> String {
    let others = channels.flatMap { channel in
      channel.notifications.filter { $0.decision != .send }.map { (channel.channel, $0) }
    }
    guard !others.isEmpty else { return "" }
    var table = TextTable([
      .init("Notification"), .init("Channel"), .init("Would"), .init("Reason"), .init("Until"),
    ])
    table.rows = others.prefix(Self.shown).map { channel, notification in
      [
        .init(String(notification.id.lowercased.prefix(8))), .init(channel.words),
        .init(notification.decision.rawValue), .init(notification.reason ?? ""),
        .init(notification.until.map { "\($0.minuteText) UTC" } ?? ""),
      ]
    }
    let rest = others.count - min(others.count, Self.shown)
    let note = rest == 0 ? "" : "\(NumberText.count(rest)) more; --format json has all.\n"
    return "\n" + table.render(style) + note
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = ["dry_run": true, "channels": channels.map(\.fields)]
    try fields.encode(to: encoder)
  }
}

extension DispatchPreviewReport.Channel {
  fileprivate var fields: JSONFields {
    [
      "channel": channel.rawValue,
      "provider": provider,
      "notifications": notifications.map { row -> JSONFields in
        [
          "id": row.id, "decision": row.decision.rawValue, "reason": row.reason, "until": row.until,
        ]
      },
    ]
  }
}
