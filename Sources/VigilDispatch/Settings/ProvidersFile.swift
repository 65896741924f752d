public import Foundation
public import VigilAlerts
import VigilModel

/// The file that says how each channel is delivered.
///
/// ```json
/// {
///   "channels": {
///     "push": {"webhook": {"url": "https://push.example.org/send", "secret_file": "/etc/vigil/push.key"}},
///     "sms": {"command": ["/usr/local/bin/send-sms"], "addresses": true, "per_second": 5}
///   },
///   "per_recipient_and_day": 10
/// }
/// ```
public struct ProvidersFile: Hashable, Sendable {
  /// In the order of `PlannedNotification.Channel`.
  public var channels: [Channel] = []
  /// The language of recipients who have chosen none.
  public var language = "en"
  /// The folder of messages that replace shipped ones; nil for none.
  public var messages: String?
  /// Seconds after which the queue is asked without a sign.
  public var pollSeconds: Int64 = 10
  /// Nil where no calls follow the notifications of a night.
  public var escalation: EscalationPolicy?

  public struct Channel: Hashable, Sendable {
    public var settings: ChannelSettings
    public var provider: Provider
  }

  /// The service that delivers a channel.
  public enum Provider: Hashable, Sendable {
    /// - secret: The key of signatures; nil for none.
    case webhook(url: String, secret: SecretSource?)
    /// - url: Nil for that of the template.
    case messenger(url: SecretText?, MessengerSettings)
    /// - command: An absolute path, and arguments.
    case command([String])
    case mail(MailServer)
    /// Of which there is one at least.
    case push(apns: APNsSettings?, fcm: FCMSettings?)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - data: Its bytes.
  ///   - file: The name of the file in messages.
  /// - Throws: `ProvidersFault`, which names all that is wrong.
  public init(data: Data, file: String) throws {
    do {
      self = try JSONReader.read(data, file: file) { Self($0) }
    } catch let error as ThresholdsError {
      throw ProvidersFault(error)
    }
  }

  private static let sentChannels = PlannedNotification.Channel.list(
    PlannedNotification.Channel.sent)

  private init(_ reader: JSONReader) {
    reader.allowOnly([
      "channels", "escalation", "language", "messages", "per_recipient_and_day", "poll_seconds",
    ])
    language = reader.text("language") ?? language
    messages = reader.text("messages")
    pollSeconds = Int64(reader.whole("poll_seconds", in: 1...3600) ?? 10)
    let limit = reader.whole("per_recipient_and_day", in: 1...10_000)
    let named = reader.object("channels")
    if reader.value("channels") == nil || named?.keys.isEmpty == true {
      reader.complain("channels", "names no channel; give one of \(Self.sentChannels)")
    }
    guard let named else { return }
    var found: [Channel] = []
    for name in named.keys {
      guard let channel = PlannedNotification.Channel(rawValue: name), channel.address != .none
      else {
        named.complain(
          name,
          name == "in_app"
            ? "these notifications are the app's, which reads them itself"
            : "there is no such channel; there are \(Self.sentChannels)")
        continue
      }
      if let own = named.object(name), let read = Channel(channel, limit: limit, own) {
        found.append(read)
      }
    }
    channels = PlannedNotification.Channel.allCases.compactMap { channel in
      found.first { $0.settings.channel == channel }
    }
    escalation = reader.object("escalation").map { own in
      EscalationPolicy(
        own, addressedChannels: channels.filter(\.settings.needsAddress).map(\.settings.channel))
    }
  }
}

/// Everything that is wrong with a file of providers, all at once.
public struct ProvidersFault: Error, Hashable, CustomStringConvertible {
  /// Each as `path: what it must be`.
  public let problems: [String]
  public let description: String

  init(_ error: ThresholdsError) {
    problems = error.problems.map { "\($0.path): \($0.message)" }
    description = error.description
  }
}

extension ProvidersFile.Channel {
  fileprivate init?(
    _ channel: PlannedNotification.Channel, limit: Int?, _ reader: JSONReader
  ) {
    reader.allowOnly(
      ProvidersFile.Provider.keys + [
        "addresses", "concurrency", "per_second", "timeout_seconds", "retry_first_seconds",
        "retry_longest_seconds", "lease_seconds", "per_recipient_and_month",
      ])
    var settings = ChannelSettings(channel: channel, perRecipientAndDay: limit)
    settings.needsAddress = reader.truth("addresses") ?? false
    if let number = reader.whole("concurrency", in: 1...1024) { settings.concurrency = number }
    settings.perSecond = reader.number("per_second", in: 0.001...100_000)
    if let seconds = reader.number("timeout_seconds", in: 0.1...300) {
      settings.timeout = .milliseconds(Int64(seconds * 1000))
    }
    if let number = reader.whole("per_recipient_and_month", in: 1...100_000) {
      settings.perRecipientAndMonth = number
      if channel != .sms {
        reader.complain("per_recipient_and_month", "counts text messages; only sms may have it")
      }
    }
    let least = ChannelSettings.leastLeaseSeconds(timeout: settings.timeout)
    settings.leaseSeconds = max(60, 2 * least)
    if let seconds = reader.number("lease_seconds", in: Double(least)...86_400) {
      settings.leaseSeconds = Int64(seconds.rounded(.up))
    }
    if let seconds = reader.number("retry_first_seconds", in: 0.01...86_400) {
      settings.retry.firstSeconds = seconds
    }
    if let seconds = reader.number("retry_longest_seconds", in: 0.01...86_400) {
      settings.retry.longestSeconds = seconds
    }
    guard let provider = ProvidersFile.Provider(of: channel, reader) else { return nil }
    switch provider {
    case .mail, .push: settings.needsAddress = true
    case .webhook, .messenger, .command: break
    }
    self.init(settings: settings, provider: provider)
  }
}
