import Foundation

/// The result of a command, for people and for programs.
public protocol Report: Encodable {
  /// Aligned plain text that ends with a line break.
  func text(style: TextStyle) -> String
}

extension Report {
  /// Indented JSON with sorted snake_case keys that ends with a line break.
  ///
  /// Every key is always there; what is not known is null.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}

/// An optional value whose key stays in the JSON: a reader need not ask whether it is there.
struct OrNull<Value: Encodable>: Encodable {
  var value: Value?

  init(_ value: Value?) {
    self.value = value
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}
