public import Foundation
public import VigilModel

/// A message as mail servers pass it on (RFC 5322): plain text, its lines ended by CR and LF.
///
/// Each attempt at a row makes the same bytes.
public struct MailMessage: Hashable, Sendable {
  public let data: Data

  /// - Parameters:
  ///   - message: The words.
  ///   - recipient: An address.
  ///   - server: Names the sender.
  ///   - key: The row's dedupe key, from which the Message-ID is made.
  ///   - date: When the row was due.
  public init(
    _ message: Message, to recipient: String, from server: MailServer, key: String, date: Timestamp
  ) {
    let body = Self.body(message.text)
    let lines = [
      "Date: \(Self.date(date))",
      "From: \(Self.mailbox(server))",
      "To: <\(recipient)>",
      "Subject: \(HeaderWords.subject(message.subject))",
      "Message-ID: <\(Self.digest(key))@\(server.sender.split(separator: "@").last ?? "localhost")>",
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Language: \(message.language)",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: \(body.encoding)",
      "",
      body.text,
    ]
    data = Data(lines.joined(separator: "\r\n").utf8)
  }

  /// Whether an address can stand in a header and in a command: `local@domain` of visible ASCII, without signs that
  /// end it.
  public static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 320
      && text.utf8.allSatisfy {
        $0 > 32 && $0 < 127 && !Array("<>()[]\\,;:\"".utf8).contains($0)
      }
  }

  private static func mailbox(_ server: MailServer) -> String {
    guard let name = server.senderName else { return "<\(server.sender)>" }
    return "\(HeaderWords.name(name)) <\(server.sender)>"
  }

  /// The longest line that servers pass on, in bytes without its end (RFC 5322, section 2.1.1).
  private static let longestLine = 998

  /// The text as it is, where servers pass it on like that; else in base64, whose lines are short.
  ///
  /// Spam filters distrust plain English in base64.
  private static func body(_ text: String) -> (encoding: String, text: String) {
    var lines: [String.UnicodeScalarView] = [String.UnicodeScalarView()]
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where last == "\r": break
      case "\r", "\n": lines.append(String.UnicodeScalarView())
      default: lines[lines.count - 1].append(scalar)
      }
      last = scalar
    }
    let whole = lines.map { String($0) }.joined(separator: "\r\n") + "\r\n"
    let isPlain = lines.allSatisfy { line in
      line.count <= longestLine && line.allSatisfy { (" "..."~").contains($0) || $0 == "\t" }
    }
    if isPlain { return ("7bit", whole) }
    let encoded = Data(whole.utf8).base64EncodedString(options: [
      .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
    ])
    return ("base64", encoded + "\r\n")
  }

  /// A digest, because a key has ids of persons.
  private static func digest(_ key: String) -> String {
    String(SHA256.hexadecimal(of: key.utf8).prefix(32))
  }

  private static func date(_ time: Timestamp) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
    return formatter.string(from: Date(timeIntervalSince1970: Double(time.wholeSeconds)))
  }
}
