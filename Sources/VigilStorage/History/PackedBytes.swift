import VigilModel

/// The bytes of packed rows: numbers and texts of any length, and a digest at the end.
enum PackedBytes {
  // MARK: Packing

  /// Adds a number: seven bits a byte, the lowest first.
  static func append(_ number: UInt64, into bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Adds a number that is mostly near 0, of either sign.
  static func append(signed number: Int64, into bytes: inout [UInt8]) {
    append(UInt64(bitPattern: number << 1 ^ number >> 63), into: &bytes)
  }

  /// Adds a text with its length.
  static func append(_ text: String, into bytes: inout [UInt8]) {
    append(UInt64(text.utf8.count), into: &bytes)
    bytes.append(contentsOf: text.utf8)
  }

  static func append(word: UInt64, into bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Adds the digest of all bytes before.
  static func close(_ bytes: inout [UInt8]) {
    let digest = bytes.withUnsafeBytes { Self.digest(of: $0) }
    append(word: digest, into: &bytes)
  }

  // MARK: Unpacking

  /// The bytes before the digest; nil where they are damaged.
  static func body(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard bytes.count >= 8 else { return nil }
    let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(8))
    let stored = UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: body.count, as: UInt64.self))
    return stored == digest(of: body) ? body : nil
  }

  /// Reads a number; nil where there is none.
  @inline(__always)
  static func number(in bytes: UnsafeRawBufferPointer, at position: inout Int) -> UInt64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
    return nil
  }

  /// Reads a number of either sign.
  static func signed(in bytes: UnsafeRawBufferPointer, at position: inout Int) -> Int64? {
    number(in: bytes, at: &position).map { Int64(bitPattern: $0 >> 1) ^ -Int64($0 & 1) }
  }

  /// Reads how many of something follow, each of which takes a byte or more, or is the same as all others.
  static func count(in bytes: UnsafeRawBufferPointer, at position: inout Int) -> Int? {
    number(in: bytes, at: &position).flatMap { $0 < 1 << 20 ? Int($0) : nil }
  }

  /// Reads the bytes of a text.
  static func text(
    in bytes: UnsafeRawBufferPointer, at position: inout Int
  ) -> UnsafeRawBufferPointer? {
    guard let length = count(in: bytes, at: &position), length <= bytes.count - position else {
      return nil
    }
    defer { position += length }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + length])
  }

  /// A number that damaged bytes hardly have.
  private static func digest(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var digest = UInt64(bytes.count)
    var position = 0
    while position + 8 <= bytes.count {
      let word = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      digest = (digest ^ word) &* 0x9E37_79B9_7F4A_7C15
      digest ^= digest >> 29
      position += 8
    }
    for byte in bytes[position...] { digest = (digest ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 }
    return digest
  }
}
