public import Foundation
import VigilDelivery
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
  public var channels: [Channel]
  /// The language of recipients who have chosen none.
  public var language: String
  /// The folder of messages that replace shipped ones; nil for none.
  public var messages: String?
  /// Seconds after which the queue is asked without a sign.
  public var pollSeconds: Int64

  public struct Channel: Hashable, Sendable {
    public var settings: ChannelSettings
    public var provider: Provider
  }

  /// The service that delivers a channel.
  public enum Provider: Hashable, Sendable {
    /// - secretFile: The file of the key of signatures; nil for none.
    case webhook(url: String, secretFile: String?)
    /// - command: An absolute path, and arguments.
    case command([String])
  }

  /// Reads the text of a file.
  ///
  /// - Throws: `ProvidersFault`, which names all that is wrong.
  public init(data: Data) throws {
    guard let value = try? JSONDecoder().decode(ForeignJSON.self, from: data),
      case .object(let fields) = value
    else { throw ProvidersFault(problems: ["the file is no JSON object"]) }
    var reader = FieldReader(fields, at: "")
    var problems: [String] = []
    language = reader.string("language") ?? "en"
    messages = reader.string("messages")
    pollSeconds = Int64(reader.number("poll_seconds", 1...3600) ?? 10)
    let limit = reader.number("per_recipient_and_day", 1...10_000).map { Int($0) }
    var found: [Channel] = []
    let named = reader.object("channels") ?? [:]
    for (name, value) in named.sorted(by: { $0.key < $1.key }) {
      guard let channel = PlannedNotification.Channel(rawValue: name), channel != .inApp else {
        problems.append(
          name == "in_app"
            ? "channels.in_app: these notifications are the app's, which reads them itself"
            : "channels.\(name): there is no such channel; there are push, whatsapp, sms and email")
        continue
      }
      guard case .object(let fields) = value else {
        problems.append("channels.\(name): has to be an object")
        continue
      }
      var reader = FieldReader(fields, at: "channels.\(name).")
      if let own = Channel(channel, limit: limit, &reader) { found.append(own) }
      problems += reader.problems
    }
    if named.isEmpty { problems.append("channels: names no channel") }
    channels = PlannedNotification.Channel.allCases.compactMap { channel in
      found.first { $0.settings.channel == channel }
    }
    reader.finish()
    problems = reader.problems + problems
    guard problems.isEmpty else { throw ProvidersFault(problems: problems) }
  }
}

/// All that is wrong with a file of providers, each as `place: what it has to be`.
public struct ProvidersFault: Error, Hashable {
  public let problems: [String]
}

extension ProvidersFile.Channel {
  fileprivate init?(
    _ channel: PlannedNotification.Channel, limit: Int?, _ reader: inout FieldReader
  ) {
    var settings = ChannelSettings(channel: channel, perRecipientAndDay: limit)
    if let number = reader.number("concurrency", 1...1024) { settings.concurrency = Int(number) }
    settings.perSecond = reader.number("per_second", 0.001...100_000)
    if let seconds = reader.number("timeout_seconds", 0.1...300) {
      settings.timeout = .milliseconds(Int64(seconds * 1000))
    }
    settings.needsAddress = reader.boolean("addresses") ?? false
    let least = ChannelSettings.leastLeaseSeconds(timeout: settings.timeout)
    settings.leaseSeconds = max(60, 2 * least)
    if let seconds = reader.number("lease_seconds", Double(least)...86_400) {
      settings.leaseSeconds = Int64(seconds.rounded(.up))
    }
    if let seconds = reader.number("retry_first_seconds", 0.01...86_400) {
      settings.retry.firstSeconds = seconds
    }
    if let seconds = reader.number("retry_longest_seconds", 0.01...86_400) {
      settings.retry.longestSeconds = seconds
    }
    let webhook = reader.object("webhook")
    let command = reader.strings("command")
    var provider: ProvidersFile.Provider?
    switch (webhook, command) {
    case (let fields?, nil):
      var own = FieldReader(fields, at: reader.place + "webhook.")
      let secretFile = own.string("secret_file")
      if let url = own.string("url") {
        if Self.isHTTP(url) {
          provider = .webhook(url: url, secretFile: secretFile)
        } else {
          own.report("url", "has to be a URL with https:// or http://")
        }
      } else {
        own.report("url", "is missing")
      }
      reader.take(own)
    case (nil, let words?):
      if let path = words.first, path.hasPrefix("/") {
        provider = .command(words)
      } else {
        reader.report("command", "has to begin with an absolute path")
      }
    case (nil, nil): reader.report("webhook", "is missing; a channel has a webhook or a command")
    case (_?, _?): reader.report("command", "excludes webhook; a channel has one of them")
    }
    reader.finish()
    guard let provider else { return nil }
    self.init(settings: settings, provider: provider)
  }

  private static func isHTTP(_ text: String) -> Bool {
    guard let url = URL(string: text), let host = url.host, !host.isEmpty else { return false }
    return url.scheme == "https" || url.scheme == "http"
  }
}
