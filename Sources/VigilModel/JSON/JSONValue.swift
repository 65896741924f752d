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
