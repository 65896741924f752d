extension UUID {
  /// The id in lower case, the spelling used in both databases and in every output.
  public var lowercased: String {
    String(unsafeUninitializedCapacity: 36) { text in
      writeLowercased(to: text)
      return 36
    }
  }

  /// Writes the 36 ASCII characters of `lowercased` to the start of `text`.
  ///
  /// - Precondition: `text` has room for 36 bytes.
  public func writeLowercased(to text: UnsafeMutableBufferPointer<UInt8>) {
    let digits: StaticString = "0123456789abcdef"
    withUnsafeBytes(of: uuid) { bytes in
      var position = 0
      for (index, byte) in bytes.enumerated() {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          text[position] = UInt8(ascii: "-")
          position += 1
        }
        text[position] = digits.utf8Start[Int(byte >> 4)]
        text[position + 1] = digits.utf8Start[Int(byte & 15)]
        position += 2
      }
    }
  }

  /// Reads the 36-character form in either case; nil for anything else.
  public init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    let dash = UInt8(ascii: "-")
    guard text.count == 36, text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash
    else { return nil }
    // A night of SQLite reads some millions of ids.
    let bytes = UnsafeRawBufferPointer(text)
    func word(_ first: Int, _ second: Int) -> UInt64 {
      let low = bytes.loadUnaligned(fromByteOffset: first, as: UInt32.self).littleEndian
      let high = bytes.loadUnaligned(fromByteOffset: second, as: UInt32.self).littleEndian
      return UInt64(high) << 32 | UInt64(low)
    }
    guard let first = number(ofDigits: word(0, 4)), let second = number(ofDigits: word(9, 14)),
      let third = number(ofDigits: word(19, 24)), let fourth = number(ofDigits: word(28, 32))
    else { return nil }
    let halves = (UInt64(second) << 32 | UInt64(first), UInt64(fourth) << 32 | UInt64(third))
    self.init(
      uuid: unsafeBitCast((halves.0.littleEndian, halves.1.littleEndian), to: uuid_t.self))
  }
}

/// The four bytes that eight hexadecimal digits spell, the first of them lowest in both; nil where one is no digit.
///
/// Looks at all digits at once. No addition carries from one into the next.
private func number(ofDigits text: UInt64) -> UInt32? {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let tops = 0x80 * ones
  guard text & tops == 0 else { return nil }
  let lower = text | 0x20 * ones
  let areDecimal = (text &+ (0x80 - 0x30) * ones) & ~(text &+ (0x80 - 0x3A) * ones)
  let areLetters = (lower &+ (0x80 - 0x61) * ones) & ~(lower &+ (0x80 - 0x67) * ones)
  guard (areDecimal | areLetters) & tops == tops else { return nil }
  let values = (text & (0x0F * ones)) &+ (text >> 6 & ones) &* 9
  let bytes = (values << 4 | values >> 8) & 0x00FF_00FF_00FF_00FF
  let pairs = (bytes | bytes >> 8) & 0x0000_FFFF_0000_FFFF
  return UInt32(truncatingIfNeeded: pairs | pairs >> 16)
}
