import Foundation

extension JSONEncoder {
  /// Writes the JSON of columns: the same value has the same text.
  static var ofRows: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }
}
