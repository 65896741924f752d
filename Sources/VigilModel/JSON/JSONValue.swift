/// JSON as it stands in a file, so that a wrong type can be reported and not only refused.
package enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// Infinite where no Double holds it, such as 1e999: the reader refuses it at its path.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads a whole text (RFC 8259), strictly: one value, UTF-8, no key twice in an object.
  ///
  /// - Parameter text: The bytes; a byte order mark may stand before them.
  /// - Throws: `JSONFault`.
  /// - Complexity: O(bytes).
  package init(parsing text: some Sequence<UInt8>) throws(JSONFault) {
    let bytes = ContiguousArray(text)
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONFault) in
        var parser = JSONParser(buffer)
        return try parser.readWhole()
      }
    }
    self = try result.get()
  }

  /// The kind of value, as a message names it.
  package var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue {
  /// The text of a string; nil for other kinds.
  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number, where it is whole; nil for other kinds.
  package var whole: Int? {
    guard case .number(let number) = self else { return nil }
    return Int(exactly: number)
  }

  /// The finite number; nil for other kinds.
  package var finite: Double? {
    guard case .number(let number) = self, number.isFinite else { return nil }
    return number
  }

  /// The truth of a boolean; nil for other kinds.
  package var flag: Bool? {
    guard case .boolean(let flag) = self else { return nil }
    return flag
  }

  /// The elements of an array; nil for other kinds.
  package var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }
}

extension JSONValue {
  /// The value as JSON of which there is one text for equal values: keys in order of their bytes, nothing between the
  /// tokens, whole numbers without a fraction, and null for a number that is not finite.
  package var compactText: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let flag): bytes += (flag ? "true" : "false").utf8
    case .number(let number): bytes += Self.text(of: number).utf8
    case .string(let text): JSONString.append(text, to: &bytes)
    case .array(let elements):
      var separator = UInt8(ascii: "[")
      for element in elements {
        bytes.append(separator)
        element.append(to: &bytes)
        separator = UInt8(ascii: ",")
      }
      bytes += (elements.isEmpty ? "[]" : "]").utf8
    case .object(let members):
      var separator = UInt8(ascii: "{")
      for key in members.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        bytes.append(separator)
        JSONString.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        members[key]?.append(to: &bytes)
        separator = UInt8(ascii: ",")
      }
      bytes += (members.isEmpty ? "{}" : "}").utf8
    }
  }

  private static func text(of number: Double) -> String {
    if let whole = Int(exactly: number) { return whole.description }
    return number.isFinite ? number.description : "null"
  }
}
