/// Takes the secrets out of text in which a connection stands, whether it is well written or mistyped.
///
/// It hides too much rather than too little: up to the last `@`, since a password may hold an unescaped one.
enum ConnectionSecrets {
  /// A value that may be a connection, with `***` in place of its secrets.
  ///
  /// `postgres//bob:s3cr3t@h/x` becomes `postgres//bob:***@h/x`, and `host=h password=s3cr3t` becomes
  /// `host=h password=***`.
  static func hidden(inValue text: String) -> String {
    hidingPairs(hidingUser(text).replacing(queryPair) { "\($0.output.1)***" })
  }

  /// A line of a message, which may quote such a value or have one among its words.
  static func hidden(inLine line: String) -> String {
    // Most lines have neither.
    guard line.contains(where: { $0 == "@" || $0 == "=" || $0 == "/" }) else { return line }
    let quoted = line.replacing(/'(.*?)'(?=[\s;,.:)\]]|$)/) {
      "'\(hidden(inValue: String($0.output.1)))'"
    }
    let words = quoted.replacing(/(["'(<\[]*)(\S+)/) {
      "\($0.output.1)\(hidingUser(String($0.output.2)))"
    }
    return hidingPairs(words.replacing(queryPair) { "\($0.output.1)***" })
  }

  /// A secret in the query of a URL, up to the next parameter.
  private nonisolated(unsafe) static let queryPair =
    #/
    (?i) ([?&] (?:[a-z_]* (?:password|passwd|passphrase|pwd) | passfile | sslkey) =)
    [^&\#\s]*? (?= ['"]? (?:[&\#\s] | $))
    /#

  /// Hides the values of `password=...` among words, with the quotes and escapes that libpq knows.
  private static func hidingPairs(_ text: String) -> String {
    let pair =
      #/
      (?i) (^ | [\s'"(,;{])
      ([a-z_]* (?:password|passwd|passphrase|pwd) | passfile | sslkey) (\s*=\s*)
      (?: ' (?:\\. | [^'\\])* (?:' | $) | " [^"]* (?:" | $)
        | (?:\\. | [^\s\\] | \\$)+? (?= ['"]? (?:\s | $)))
      /#
    return text.replacing(pair) { "\($0.output.1)\($0.output.2)\($0.output.3)***" }
  }

  /// Hides what follows the first colon before the last `@`, and a word in the place of a port.
  private static func hidingUser(_ text: String) -> String {
    let scheme = text.prefixMatch(
      of: /(?i)(?:sqlite:)?(?:[a-z][a-z0-9+.\-]*:?\/+|postgres[a-z]*:|\/+)?/)
    let start = scheme?.range.upperBound ?? text.startIndex
    let rest = text[start...]
    if let at = rest.lastIndex(of: "@") {
      guard let colon = rest[..<at].firstIndex(of: ":") else { return text }
      return "\(text[...colon])***\(text[at...])"
    }
    // Without a host, libpq takes the user for one and the password for its port.
    guard text[..<start].lowercased().hasPrefix("postgres") else { return text }
    let authority = rest.prefix { !"/?#'\"".contains($0) }
    guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return text }
    let port = authority[authority.index(after: colon)...]
    guard !port.allSatisfy({ ("0"..."9").contains($0) || $0 == "," }) else { return text }
    return "\(text[...colon])***\(text[authority.endIndex...])"
  }
}
