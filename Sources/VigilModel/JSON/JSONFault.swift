/// The place in a text where it stops being JSON, in words.
package struct JSONFault: Error, Hashable, CustomStringConvertible {
  /// The fault at the place.
  package enum Kind: Hashable, Sendable {
    /// The text ends before its value does.
    case end
    /// A byte that cannot stand there.
    case byte
    /// A key that the object has had before, cut to 40 characters.
    case duplicateKey(String)
    /// A value within more than `JSONParser.mostNested` others.
    case depth
  }

  package let kind: Kind
  /// From 1.
  package let line: Int
  /// From 1, in bytes.
  package let column: Int

  /// - Parameters:
  ///   - kind: What is wrong.
  ///   - offset: The first byte that is.
  ///   - text: The whole text.
  init(_ kind: Kind, at offset: Int, of text: UnsafeBufferPointer<UInt8>) {
    var (line, start) = (1, 0)
    for (index, byte) in text.prefix(offset).enumerated() where byte == UInt8(ascii: "\n") {
      line += 1
      start = index + 1
    }
    self.kind = kind
    self.line = line
    column = offset - start + 1
  }

  package var description: String {
    let place = "line \(line), column \(column)"
    return switch kind {
    case .end: "cut short in line \(line); copy the file again"
    case .byte: "mistyped in \(place); fix the file or copy it again"
    case .duplicateKey(let key):
      "the key \"\(key)\" stands twice in one object, the second time in \(place); remove one"
    case .depth:
      "more than \(JSONParser.mostNested) objects and arrays within each other in \(place)"
    }
  }
}
