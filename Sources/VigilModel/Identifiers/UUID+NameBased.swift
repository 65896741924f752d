extension UUID {
  /// The namespace of every id that Vigil derives (specification, cli.md).
  public static let vigilNamespace = UUID(
    uuid: (
      0x6f, 0x0b, 0x7c, 0x1e, 0x6f, 0x5c, 0x5a, 0x53,
      0x9d, 0x1c, 0x5e, 0x0f, 0x4b, 0x7a, 0x9c, 0x21
    ))

  /// The version 5 UUID of `name` within `namespace` (RFC 9562, section 5.5).
  ///
  /// The same name gives the same id on every machine and database, which is what lets shadow, live
  /// and replayed rows be compared one by one.
  public init(name: consuming String, namespace: UUID = .vigilNamespace) {
    self = NameStart("", namespace: namespace).id(endingWith: name)
  }

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
}

extension UUID {
  /// Reads the 36-character form in either case; nil for anything else.
  public init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36 else { return nil }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    let isValid = withUnsafeMutableBytes(of: &bytes) { target in
      var position = 0
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          guard text[position] == UInt8(ascii: "-") else { return false }
          position += 1
        }
        guard let high = hexadecimalValue(text[position]),
          let low = hexadecimalValue(text[position + 1])
        else { return false }
        target[index] = high << 4 | low
        position += 2
      }
      return true
    }
    guard isValid else { return nil }
    self.init(uuid: bytes)
  }
}

private func hexadecimalValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
