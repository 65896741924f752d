public import Foundation
import Mustache
import VigilModel
import VigilStorage
import VigilTransfers

/// The request that a messenger expects of a webhook, as a JSON file whose texts are Mustache templates.
///
/// ```json
/// {"values": ["topic"], "body": {"topic": "{{topic}}", "title": "{{subject}}", "message": "{{text}}"}}
/// ```
///
/// `values` are named in the providers file. Beside these, templates may name `token`, `subject`, `text`, `language`,
/// `level`, `key` (the idempotency key), `address`, and the truths `low`, `normal`, `high` and `critical`, of which one
/// is true; `url` may name `url`. An object with the one key `$number` becomes a number.
public struct WebhookTemplate: Sendable {
  /// Names of values that the providers file has to give.
  public let values: [String]
  /// The address where the providers file gives none.
  public let defaultURL: String?
  public let needsToken: Bool
  /// Whether the request names an address of the recipient.
  public let needsAddress: Bool
  private let method: Transfer.Method
  /// By sign, the text in its place in values of the body.
  private let escapes: [Character: String]
  private let url: MustacheTemplate
  private let headers: [(name: String, value: MustacheTemplate)]
  private let body: Part

  /// A part of the body with its texts ready to render.
  private indirect enum Part {
    case text(MustacheTemplate)
    case number(MustacheTemplate)
    case object([String: Part])
    case list([Part])
    case plain(JSONValue)
  }

  /// The names of the shipped ones.
  public static let shippedNames = texts.keys.sorted()

  /// By name, the text of a shipped one.
  static let texts = [
    "matrix": PackageResources.matrix_json, "mattermost": PackageResources.mattermost_json,
    "ntfy": PackageResources.ntfy_json, "slack": PackageResources.slack_json,
    "teams": PackageResources.teams_json, "telegram": PackageResources.telegram_json,
  ]

  /// A shipped template; nil for another name.
  public static func shipped(_ name: String) throws -> WebhookTemplate? {
    try texts[name].map { try WebhookTemplate(data: Data($0.utf8), file: "\(name).json") }
  }

  /// - Parameters:
  ///   - data: The bytes of the file.
  ///   - file: Its name in messages.
  /// - Throws: `ProvidersFault`, which names all that is wrong.
  public init(data: Data, file: String) throws {
    do {
      self = try JSONReader.read(data, file: file) { Self($0) }
    } catch let error as ThresholdsError {
      throw ProvidersFault(error)
    }
  }

  /// The names in the tags of a Mustache text.
  private static func names(in text: String) -> [String] {
    text.matches(of: /\{\{\{?\s*[#^\/&]?\s*([A-Za-z0-9_.]+)\s*\}?\}\}/).map { String($0.1) }
  }

  /// In place of one that cannot be read.
  private static let empty: MustacheTemplate = {
    guard let template = try? MustacheTemplate(string: "") else {
      preconditionFailure("an empty text is Mustache")
    }
    return template
  }()

  private init(_ reader: JSONReader) {
    reader.allowOnly([
      "body", "default_url", "escapes", "headers", "method", "needs_token", "url", "values",
    ])
    values = reader.texts("values") ?? []
    defaultURL = reader.text("default_url")
    needsToken = reader.truth("needs_token") ?? false
    let method = reader.text("method") ?? "POST"
    self.method = Transfer.Method(rawValue: method) ?? .post
    if ![.post, .put].contains(Transfer.Method(rawValue: method)) {
      reader.complain("method", "must be POST or PUT")
    }
    var escapes: [Character: String] = [:]
    if let own = reader.object("escapes") {
      for sign in own.keys {
        if sign.count != 1 { own.complain(sign, "is not one sign") }
        if let first = sign.first { escapes[first] = own.string(sign) }
      }
    }
    self.escapes = escapes
    var isAddressed = false
    let known = Set(
      values + [
        "token", "subject", "text", "language", "level", "key", "address", "low", "normal", "high",
        "critical",
      ])
    func template(_ text: String, _ key: String) -> MustacheTemplate {
      for name in Self.names(in: text)
      where !known.contains(name) && !(name == "url" && key == "url") {
        reader.complain(
          key,
          "names \(name), which there is not; there are values, \(known.sorted().joined(separator: ", "))"
        )
      }
      isAddressed = isAddressed || Self.names(in: text).contains("address")
      do {
        // No HTML: nothing is escaped.
        return try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}" + text)
      } catch {
        reader.complain(key, "has a text that is no Mustache")
        return Self.empty
      }
    }
    func part(_ json: JSONValue) -> Part {
      switch json {
      case .string(let text): return .text(template(text, "body"))
      case .array(let parts): return .list(parts.map(part))
      case .object(let members):
        if members.count == 1, case .string(let text)? = members["$number"] {
          return .number(template(text, "body"))
        }
        return .object(members.mapValues(part))
      case .number(let number) where !number.isFinite:
        reader.complain("body", "holds a number that is too large")
        return .plain(.null)
      case .null, .boolean, .number: return .plain(json)
      }
    }
    url = template(reader.text("url") ?? "{{url}}", "url")
    let named = reader.object("headers")
    headers = (named?.keys ?? []).map { name in
      (name, template(named?.string(name) ?? "", "headers"))
    }
    if reader.value("body") == nil { reader.complain("body", "is missing; it is what is sent") }
    body = part(reader.value("body") ?? .null)
    needsAddress = isAddressed
  }

  /// The key of a webhook with this template that is missing or unknown, and what is wrong; nil where all is there.
  public func problem(
    with settings: MessengerSettings, hasURL: Bool
  ) -> (key: String, message: String)? {
    if !hasURL, defaultURL == nil {
      return ("url", "is missing; it is the address of the messenger (or url_file, url_variable)")
    }
    if needsToken, settings.token == nil {
      return (
        "token_file", "is missing; it has the token that the messenger asks for (or token_variable)"
      )
    }
    for (name, given) in [("values", settings.values)]
      + settings.recipients.map({ ("recipients.\($0.key.lowercased)", $0.value) })
    {
      if let unknown = given.keys.sorted().first(where: { !values.contains($0) }) {
        let known = values.isEmpty ? "none" : values.joined(separator: ", ")
        return (name, "has \(unknown), and the template takes \(known)")
      }
    }
    if let missing = values.first(where: { name in
      settings.values[name] == nil && !settings.recipients.values.contains { $0[name] != nil }
    }) {
      return ("values", "lacks \(missing); give it here for all recipients, or in recipients")
    }
    return nil
  }

  // MARK: Requests

  /// A request, ready to send.
  struct Request {
    var method: Transfer.Method
    var url: String
    var headers: [(name: String, value: String)]
    var body: Data
  }

  /// The request for one address of a recipient, or without one.
  func request(
    for row: ClaimedNotification, _ message: Message, url: String, token: String?,
    values own: [String: String], address: String?
  ) -> Request {
    var texts = own
    texts["subject"] = message.subject
    texts["text"] = message.text
    texts["language"] = message.language
    texts["level"] = row.level.map { "\($0.rawValue)" }
    texts["key"] = row.dedupeKey
    texts["address"] = address
    texts["token"] = token
    func values(_ change: (String) -> String) -> [String: any Sendable] {
      var values: [String: any Sendable] = texts.mapValues(change)
      values[row.priority.rawValue] = true
      return values
    }
    var ofURL = values(Self.encoded)
    ofURL["url"] = url
    let ofBody = values { text in
      escapes.isEmpty ? text : text.map { escapes[$0] ?? String($0) }.joined()
    }
    let plain = values { $0.replacing(/[\r\n]+/, with: " ") }
    var headers = [(name: "Content-Type", value: "application/json"), ("User-Agent", "vigil")]
    for header in self.headers {
      let value = header.value.render(plain)
      if !value.isEmpty { headers.append((header.name, value)) }
    }
    guard let encoded = try? JSONEncoder.ofBodies.encode(Self.rendered(body, ofBody)) else {
      preconditionFailure("texts and finite numbers are JSON")
    }
    return Request(
      method: method, url: self.url.render(ofURL), headers: headers, body: encoded)
  }

  private static func rendered(_ part: Part, _ values: [String: any Sendable]) -> JSONValue {
    switch part {
    case .text(let template): .string(template.render(values))
    case .number(let template):
      Double(template.render(values)).flatMap { $0.isFinite ? .number($0) : nil } ?? .null
    case .list(let parts): .array(parts.map { rendered($0, values) })
    case .object(let members): .object(members.mapValues { rendered($0, values) })
    case .plain(let json): json
    }
  }

  /// A text as a segment of a URL's path.
  private static func encoded(_ text: String) -> String {
    let kept = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!:@$,")
    return text.addingPercentEncoding(withAllowedCharacters: kept) ?? ""
  }
}
