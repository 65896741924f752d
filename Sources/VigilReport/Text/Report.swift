import Foundation
import VigilModel

/// The result of a command, for people and for programs.
public protocol Report: Encodable {
  /// Aligned plain text that ends with a line break.
  func text(style: TextStyle) -> String
}

/// A report whose result is a list of rows.
public protocol ListReport: Report {
  /// The rows as CSV, with the columns of an export (docs/export.md).
  func csv() -> String
}

extension Report {
  /// Indented JSON with sorted snake_case keys that ends with a line break.
  ///
  /// Every key is always present; a value that is not known is null. Values are exact: characters
  /// that could steer a terminal are escaped.
  public func json() throws -> String { try JSONDocument.text(of: self) }
}

/// The form of all JSON documents that a person may read: reports, and the manifests of archives.
enum JSONDocument {
  /// Indented JSON with sorted keys that ends with a line break.
  static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self).escapingTerminalControls
      + "\n"
  }
}

extension String {
  /// This JSON with a `\u` escape in place of every character that could steer a terminal.
  ///
  /// The encoder escapes what RFC 8259 demands, which ends before DEL. Outside of strings JSON has no
  /// such character but the line breaks.
  fileprivate var escapingTerminalControls: String {
    guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == UInt8(ascii: "\n") }) else {
      return self
    }
    var escaped = ""
    escaped.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      guard scalar.steersTerminals, scalar != "\n" else {
        escaped.unicodeScalars.append(scalar)
        continue
      }
      for unit in scalar.utf16 {
        let digits = String(unit, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return escaped
  }
}
