/// Reads JSON (RFC 8259) without any library, so that settings can be read where there is no Foundation.
struct JSONParser {
  /// Objects and arrays within each other at most, so that no text exhausts the stack.
  static let mostNested = 512

  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  /// Reads one value, after which nothing may follow.
  mutating func readWhole() throws(JSONFault) -> JSONValue {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    skipSpace()
    let value = try readValue()
    skipSpace()
    if position < text.count { throw fault(.byte) }
    return value
  }

  private func fault(_ kind: JSONFault.Kind) -> JSONFault { fault(kind, at: position) }

  private func fault(_ kind: JSONFault.Kind, at offset: Int) -> JSONFault {
    JSONFault(kind == .byte && offset >= text.count ? .end : kind, at: offset, of: text)
  }

  private var next: UInt8? { position < text.count ? text[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func readValue() throws(JSONFault) -> JSONValue {
    switch next {
    case UInt8(ascii: "{"):
      return try nested { parser throws(JSONFault) in try parser.readObject() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONFault) in try parser.readArray() }
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try readWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return .number(try readNumber())
    }
  }

  private mutating func readWord(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONFault) -> JSONValue {
    for index in 0..<word.utf8CodeUnitCount {
      guard take(word.utf8Start[index]) else { throw fault(.byte) }
    }
    return value
  }

  private mutating func nested(
    _ read: (inout JSONParser) throws(JSONFault) -> JSONValue
  ) throws(JSONFault) -> JSONValue {
    guard depth < Self.mostNested else { throw fault(.depth) }
    depth += 1
    position += 1
    skipSpace()
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func readObject() throws(JSONFault) -> JSONValue {
    var fields: [String: JSONValue] = [:]
    if take(UInt8(ascii: "}")) { return .object(fields) }
    while true {
      let start = position
      guard next == UInt8(ascii: "\"") else { throw fault(.byte) }
      let key = try readString()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw fault(.byte) }
      skipSpace()
      guard fields.updateValue(try readValue(), forKey: key) == nil else {
        throw fault(.duplicateKey(String(key.prefix(40))), at: start)
      }
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(fields) }
      guard take(UInt8(ascii: ",")) else { throw fault(.byte) }
      skipSpace()
    }
  }

  private mutating func readArray() throws(JSONFault) -> JSONValue {
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try readValue())
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else { throw fault(.byte) }
      skipSpace()
    }
  }

  private mutating func readNumber() throws(JSONFault) -> Double {
    let start = position
    _ = take(UInt8(ascii: "-"))
    // No digit follows a leading zero.
    if !take(UInt8(ascii: "0")) { try readDigits() }
    if take(UInt8(ascii: ".")) { try readDigits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try readDigits()
    }
    let digits = String(decoding: text[start..<position], as: UTF8.self)
    guard let number = Double(digits) else { throw fault(.byte, at: start) }
    return number
  }

  /// Reads one digit or more.
  private mutating func readDigits() throws(JSONFault) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    if position == start { throw fault(.byte) }
  }

  // MARK: Strings

  private mutating func readString() throws(JSONFault) -> String {
    position += 1
    var bytes: [UInt8] = []
    var start = position
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        bytes += text[start..<position]
        position += 1
        return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"):
        bytes += text[start..<position]
        try readEscape(into: &bytes)
        start = position
      case 0..<0x20: throw fault(.byte)
      case 0x20..<0x80: position += 1
      default: try skipScalar()
      }
    }
    throw fault(.end)
  }

  private mutating func readEscape(into bytes: inout [UInt8]) throws(JSONFault) {
    let start = position
    position += 1
    guard let byte = next else { throw fault(.end) }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"):
      position += 1
      var value = try readFourDigits()
      if (0xD800..<0xDC00).contains(value) {
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
          throw fault(.byte, at: next == nil ? position : start)
        }
        let low = try readFourDigits()
        guard (0xDC00..<0xE000).contains(low) else { throw fault(.byte, at: start) }
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(value) else { throw fault(.byte, at: start) }
      bytes += Array(String(Character(scalar)).utf8)
      return
    default: throw fault(.byte)
    }
    position += 1
  }

  private mutating func readFourDigits() throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
        byte < 0x80
      else { throw fault(.byte) }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// Skips one scalar beyond ASCII (RFC 3629, section 4: no overlong form, no surrogate).
  private mutating func skipScalar() throws(JSONFault) {
    let lead = text[position]
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch lead {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xE1...0xEC, 0xEE...0xEF: (3, 0x80...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: throw fault(.byte)
      }
    for place in 1..<length {
      guard position + place < text.count else { throw fault(.end, at: text.count) }
      guard (place == 1 ? second : 0x80...0xBF).contains(text[position + place]) else {
        throw fault(.byte, at: position + place)
      }
    }
    position += length
  }
}
