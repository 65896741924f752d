/// The character before the fraction of a number.
public enum DecimalMark: String, Sendable, Hashable, CaseIterable {
  case point
  case comma

  var byte: UInt8 { self == .point ? UInt8(ascii: ".") : UInt8(ascii: ",") }
  /// The mark between groups of three digits, besides spaces and apostrophes.
  var groupByte: UInt8 { self == .point ? UInt8(ascii: ",") : UInt8(ascii: ".") }
}

extension FieldParser {
  /// A number with `mark` before its fraction, where groups of three digits may be set apart.
  func real(_ bytes: Bytes, mark: DecimalMark) throws(Refusal) -> Double {
    var isPlain = true
    for byte in bytes {
      // Digits, point, signs and letters of an exponent are read as they are.
      if byte == mark.groupByte || byte == mark.byte && mark == .comma || byte == 0x20
        || byte == UInt8(ascii: "'") || byte >= 0x80
      {
        isPlain = false
        break
      }
    }
    if isPlain, mark == .point { return try real(bytes) }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var digitsInGroup = 0
    var hasGroups = false
    var hasFraction = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let length = Self.groupMarkLength(bytes, at: index, mark: mark)
      if length > 0 {
        let isFirst = !hasGroups
        guard !hasFraction, isFirst ? (1...3).contains(digitsInGroup) : digitsInGroup == 3 else {
          throw Refusal("not a number")
        }
        hasGroups = true
        digitsInGroup = 0
        index += length
        continue
      }
      if byte == mark.byte {
        guard !hasFraction, !hasGroups || digitsInGroup == 3 else { throw Refusal("not a number") }
        hasFraction = true
        plain.append(UInt8(ascii: "."))
      } else {
        if byte &- UInt8(ascii: "0") < 10, !hasFraction { digitsInGroup += 1 }
        plain.append(byte)
      }
      index += 1
    }
    guard hasFraction || !hasGroups || digitsInGroup == 3 else { throw Refusal("not a number") }
    // A typed throw cannot leave the closure of `withUnsafeBufferPointer`.
    let result = plain.withUnsafeBufferPointer { plain in
      Result<Double, Refusal> { () throws(Refusal) in try real(plain) }
    }
    return try result.get()
  }

  /// The number of bytes of a mark between groups at `index`; 0 where there is none.
  ///
  /// A space, a no-break space (U+00A0, U+202F) and an apostrophe are such marks everywhere.
  private static func groupMarkLength(_ bytes: Bytes, at index: Int, mark: DecimalMark) -> Int {
    switch bytes[index] {
    case mark.groupByte, 0x20, UInt8(ascii: "'"): return 1
    case 0xC2 where index + 1 < bytes.count && bytes[index + 1] == 0xA0: return 2
    case 0xE2
    where index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] == 0xAF:
      return 3
    default: return 0
    }
  }
}
