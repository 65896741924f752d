import Foundation

/// The location that `--database` names.
enum DatabaseLocation: Hashable, Sendable {
  case sqlite(path: String)
  /// A connection URL, which may hold a password and is never printed unchanged.
  case postgres(url: String)

  /// Nil for anything but `sqlite:PATH` and `postgres://...`.
  init?(_ text: String) {
    if text.hasPrefix("sqlite:") {
      let path = String(text.dropFirst("sqlite:".count))
      guard !path.isEmpty, !path.contains("\0") else { return nil }
      self = .sqlite(path: path)
    } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      self = .postgres(url: text)
    } else {
      return nil
    }
  }

  /// `text` with every password of a URL replaced by `***`, whether or not it is a valid location.
  static func redacted(_ text: String) -> String {
    guard let schemeEnd = text.range(of: "://") else { return text }
    var rest = String(text[schemeEnd.upperBound...])
    // Up to the last @, since a password may hold an unescaped one; this hides too much rather than
    // too little.
    if let at = rest.lastIndex(of: "@"), let colon = rest[..<at].firstIndex(of: ":") {
      rest.replaceSubrange(rest.index(after: colon)..<at, with: "***")
    }
    let query = /(?i)([?&](?:[a-z]*password|passfile|sslkey)=)[^&#]*/
    return String(text[..<schemeEnd.upperBound])
      + rest.replacing(query) { "\($0.output.1)***" }
  }
}
