/// Strings of JSON: every document that Vigil writes by itself has them from here.
package enum JSONString {
  /// Appends a text between quotes, with an escape for what RFC 8259 demands and for what could steer a
  /// terminal.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    guard !text.utf8.allSatisfy(isPlain) else {
      bytes += text.utf8
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes += "\\\"".utf8
      case "\\": bytes += "\\\\".utf8
      case "\n": bytes += "\\n".utf8
      case "\r": bytes += "\\r".utf8
      case "\t": bytes += "\\t".utf8
      case _ where scalar.steersTerminals:
        for unit in UTF16.encode(scalar) ?? .init() {
          let digits = String(unit, radix: 16)
          bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
        }
      default: bytes += UTF8.encode(scalar) ?? .init()
      }
    }
  }

  /// Whether an ASCII character needs no escape.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// A text between quotes.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 2)
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An array of texts, such as `["a","b"]`.
  package static func array(_ texts: some Sequence<String>) -> String {
    var bytes = [UInt8(ascii: "[")]
    for text in texts {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      append(text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    return String(decoding: bytes, as: UTF8.self)
  }
}
