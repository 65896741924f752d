public import VigilModel

/// The output of `vigil dispatch`: numbers by channel.
public struct DispatchReport: Sendable {
  public let channels: [Channel]
  /// Rows of the app that are not to be shown any more, by reason.
  public let cancelledInApp: [String: Int]

  /// The numbers of one channel.
  public struct Channel: Sendable {
    public var channel: PlannedNotification.Channel
    public var sent: Int
    public var retried: Int
    public var failed: Int
    public var uncertain: Int
    /// By reason.
    public var cancelled: [String: Int]
    /// By reason.
    public var postponed: [String: Int]

    public init(
      channel: PlannedNotification.Channel, sent: Int, retried: Int = 0, failed: Int = 0,
      uncertain: Int = 0, cancelled: [String: Int] = [:], postponed: [String: Int] = [:]
    ) {
      self.channel = channel
      self.sent = sent
      self.retried = retried
      self.failed = failed
      self.uncertain = uncertain
      self.cancelled = cancelled
      self.postponed = postponed
    }
  }

  public init(channels: [Channel], cancelledInApp: [String: Int] = [:]) {
    self.channels = channels
    self.cancelledInApp = cancelledInApp
  }
}

extension DispatchReport: Report {
  public func text(style: TextStyle) -> String {
    var table = TextTable([
      .init("Channel"), .init("Sent"), .init("To retry"),
      .init("Failed"), .init("Cancelled"), .init("Postponed"),
    ])
    table.rows = channels.map { channel in
      [
        .init(channel.channel.words), .init(NumberText.count(channel.sent)),
        .init(NumberText.count(channel.retried)), .init(NumberText.count(channel.failed)),
        .init(Self.text(channel.cancelled)), .init(Self.text(channel.postponed)),
      ]
    }
    let uncertain = channels.map(\.uncertain).reduce(0, +)
    let note =
      uncertain == 0
      ? ""
      : "\(NumberText.count(uncertain, "attempt", "attempts")) had no answer, or none to the end:"
        + " a provider may have delivered these all the same.\n"
    let inApp =
      cancelledInApp.isEmpty
      ? "" : "No longer shown in the app: \(Self.text(cancelledInApp)).\n"
    return table.render(style) + inApp + note
  }

  /// A number with its reasons, such as `3 (2 snoozed, 1 expired)`.
  static func text(_ numbers: [String: Int]) -> String {
    let total = numbers.values.reduce(0, +)
    guard total > 0 else { return "0" }
    let reasons = numbers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\(NumberText.count($0.value)) \($0.key)" }.joined(separator: ", ")
    return "\(NumberText.count(total)) (\(reasons))"
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "dry_run": false, "channels": channels.map(\.fields), "cancelled_in_app": cancelledInApp,
    ]
    try fields.encode(to: encoder)
  }
}

extension DispatchReport.Channel {
  fileprivate var fields: JSONFields {
    [
      "channel": channel.rawValue,
      "sent": sent,
      "retried": retried,
      "failed": failed,
      "uncertain": uncertain,
      "cancelled": cancelled,
      "postponed": postponed,
    ]
  }
}
