import Foundation
import VigilModel

extension ProvidersFile.Provider {
  /// The keys of a channel that name its provider, of which there is one, or both services of push messages.
  static let keys = ["webhook", "command", "smtp", "apns", "fcm"]

  /// Reads the provider of a channel, and complains about what is wrong with it; nil where there is none that can be
  /// used.
  init?(of channel: PlannedNotification.Channel, _ reader: JSONReader) {
    let given = Self.keys.filter { reader.value($0) != nil }
    if Set(given).isSubset(of: ["apns", "fcm"]), !given.isEmpty {
      self.init(pushOf: channel, reader)
      return
    }
    guard let key = given.first, given.count == 1 else {
      reader.complain(
        nil,
        given.isEmpty
          ? "has no provider; give one of \(Self.keys.joined(separator: ", "))"
          : "has \(given.joined(separator: " and ")); give one of them")
      return nil
    }
    switch key {
    case "webhook":
      guard let own = reader.object(key), let webhook = Self.webhook(own) else { return nil }
      if channel == .call { webhook.checkSecurity(own) }
      self = webhook
    case "command":
      guard let words = reader.texts(key) else { return nil }
      if !words[0].hasPrefix("/") { reader.complain(key, "must begin with an absolute path") }
      self = .command(words)
    default:
      guard let server = reader.object(key).flatMap(MailServer.init) else { return nil }
      if channel != .email { reader.complain(key, "delivers email only") }
      self = .mail(server)
    }
  }

  private init?(pushOf channel: PlannedNotification.Channel, _ reader: JSONReader) {
    let apns = reader.object("apns").flatMap(APNsSettings.init)
    let fcm = reader.object("fcm").flatMap(FCMSettings.init)
    if channel != .push {
      reader.complain(reader.value("apns") == nil ? "fcm" : "apns", "delivers push only")
    }
    if apns == nil, fcm == nil { return nil }
    self = .push(apns: apns, fcm: fcm)
  }

  private static func webhook(_ reader: JSONReader) -> Self? {
    if reader.value("template") != nil { return messenger(reader) }
    reader.allowOnly(["url", "secret_file", "secret_variable", "template"])
    let secret = reader.secret("secret")
    guard let url = reader.text("url", needed: "the address that gets the notifications") else {
      return nil
    }
    check(url, reader)
    return .webhook(url: url, secret: secret)
  }

  /// Whether a text is the address of a server that a webhook can have.
  public static func isAddress(_ url: String) -> Bool {
    ["https", "http"].contains(URLComponents(serverAt: url)?.scheme)
  }

  private static func check(_ url: String, _ reader: JSONReader) {
    if !isAddress(url) {
      reader.complain(
        "url", "must be a URL with https:// or http://; a port is a number from 1 to 65535")
    }
  }

  /// Complains about a webhook by which others could have persons called, or hear that they are.
  private func checkSecurity(_ reader: JSONReader) {
    guard case .webhook(let url, let secret) = self else { return }
    let parts = URLComponents(serverAt: url)
    let isOwnHost = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(parts?.host)
    if parts?.scheme == "http", !isOwnHost {
      reader.complain("url", "must begin with https:// for calls, or name this host")
    }
    if secret == nil {
      reader.complain("secret_file", "is missing; calls are made for signed requests only")
    }
  }

  private static func messenger(_ reader: JSONReader) -> Self? {
    reader.allowOnly([
      "template", "url", "url_file", "url_variable", "token_file", "token_variable", "values",
      "recipients",
    ])
    guard let template = reader.text("template") else { return nil }
    var settings = MessengerSettings(template: template, token: reader.secret("token"))
    if let values = reader.object("values") { settings.values = texts(values) }
    if let recipients = reader.object("recipients") {
      for key in recipients.keys {
        guard let recipient = UUID(uuidString: key) else {
          recipients.complain(key, "is no id of a person; give the UUID of a recipient")
          continue
        }
        if let own = recipients.object(key) { settings.recipients[recipient] = texts(own) }
      }
    }
    let secret = reader.secret("url")
    let text = reader.text("url")
    if let text {
      check(text, reader)
      if secret != nil { reader.complain("url", "excludes url_file and url_variable; give one") }
    }
    let url = text.map { SecretText.text($0) } ?? secret.map { .secret($0) }
    if let shipped = try? WebhookTemplate.shipped(template) {
      if let problem = shipped.problem(with: settings, hasURL: url != nil) {
        reader.complain(problem.key, problem.message)
      }
    } else if !template.contains("/") {
      reader.complain(
        "template",
        "is none of \(WebhookTemplate.shippedNames.joined(separator: ", ")), and no path with a /")
    }
    return .messenger(url: url, settings)
  }

  private static func texts(_ reader: JSONReader) -> [String: String] {
    var texts: [String: String] = [:]
    for key in reader.keys { texts[key] = reader.text(key) }
    return texts
  }
}
