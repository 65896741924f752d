public import Foundation
public import VigilAlerts
import VigilModel
import VigilStorage

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
    /// The key of the digests of telephone numbers; nil for none.
    public var numberKey: SecretSource?
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
        "retry_longest_seconds", "lease_seconds",
      ] + Self.messageKeys)
    var settings = ChannelSettings(channel: channel, perRecipientAndDay: limit)
    settings.needsAddress = reader.truth("addresses") ?? false
    if let number = reader.whole("concurrency", in: 1...1024) { settings.concurrency = number }
    settings.perSecond = reader.number("per_second", in: 0.001...100_000)
    if let seconds = reader.number("timeout_seconds", in: 0.1...300) {
      settings.timeout = .milliseconds(Int64(seconds * 1000))
    }
    let numberKey = settings.readMessages(reader)
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
    self.init(settings: settings, provider: provider, numberKey: numberKey)
  }

  /// The keys about text messages.
  fileprivate static let messageKeys = [
    "per_recipient_and_month", "quota_warning_percent", "price_per_segment", "currency",
    "number_key_file",
    "number_key_variable",
  ]
}

extension ChannelSettings {
  /// Reads what is about text messages, and returns the place of the key for numbers.
  fileprivate mutating func readMessages(_ reader: JSONReader) -> SecretSource? {
    if channel != .sms {
      for key in ProvidersFile.Channel.messageKeys where reader.value(key) != nil {
        reader.complain(key, "is about text messages; only sms may have it")
      }
      return nil
    }
    perRecipientAndMonth = reader.whole("per_recipient_and_month", in: 1...100_000)
    if let percent = reader.whole("quota_warning_percent", in: 1...100) {
      quotaWarningPercent = percent
      if reader.value("per_recipient_and_month") == nil {
        reader.complain("quota_warning_percent", "is a share of per_recipient_and_month; give both")
      }
    }
    let price = reader.number("price_per_segment", in: 0...1000)
    let currency = reader.text("currency")
    if let price, let currency {
      messagePrice = MessageCost(
        micros: Int((price * 1_000_000).rounded()), currency: currency)
      if messagePrice == nil { reader.complain("currency", "must be a code such as EUR") }
    } else if reader.value("price_per_segment") != nil, reader.value("currency") == nil {
      reader.complain("currency", "is missing; it is the currency of price_per_segment")
    } else if reader.value("currency") != nil, reader.value("price_per_segment") == nil {
      reader.complain("price_per_segment", "is missing; currency is that of this price")
    }
    return reader.secret("number_key")
  }
}
