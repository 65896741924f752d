import Foundation

/// Text in the header of a mail: as it is where a reader takes it for nothing else, or in encoded words
/// (RFC 2047), none of which splits a character.
///
/// Control characters become spaces, so that no text ends its header.
enum HeaderWords {
  /// The longest plain text, in bytes; with the name of its header it fits into one line.
  private static let longestPlain = 60

  /// Encodes the text of a subject.
  static func subject(_ text: String) -> String {
    let text = cleaned(text)
    let isPlain =
      text.utf8.allSatisfy { (32...126).contains($0) } && !text.contains("=?")
      && text.utf8.count <= longestPlain && text == text.trimmingCharacters(in: .whitespaces)
    return isPlain ? text : encoded(text)
  }

  /// Encodes the name of a mailbox: plain words are letters, digits and a few signs (RFC 5322, section 3.2.3).
  static func name(_ text: String) -> String {
    let text = cleaned(text)
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let isPlain =
      text.utf8.count <= longestPlain && !text.contains("=?")
      && words.allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomText) }
    // The address that follows has a line of its own, because lines with encoded words are short.
    return isPlain ? text : encoded(text) + "\r\n"
  }

  private static func isAtomText(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: Array("!#$%&'*+-/=?^_`{|}~".utf8).contains(byte)
    }
  }

  private static func cleaned(_ text: String) -> String {
    var cleaned = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control
      cleaned.append(isControl || scalar == "\u{2028}" || scalar == "\u{2029}" ? " " : scalar)
    }
    return String(cleaned)
  }

  /// Makes words of at most 75 characters, on lines of at most 76 (section 2), the first of which has the name of
  /// the header.
  private static func encoded(_ text: String) -> String {
    var words: [String] = []
    var part = ""
    for scalar in text.unicodeScalars {
      let most = words.isEmpty ? 39 : 45
      if part.utf8.count + scalar.utf8.count > most {
        words.append(part)
        part = ""
      }
      part.unicodeScalars.append(scalar)
    }
    words.append(part)
    return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }
      .joined(separator: "\r\n ")
  }
}
