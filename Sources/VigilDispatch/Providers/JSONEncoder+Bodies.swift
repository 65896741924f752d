import Foundation

extension JSONEncoder {
  /// Writes the JSON of requests: the same value has the same bytes, which are signed.
  static var ofBodies: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
