extension FieldParser {
  /// A decimal number: digits, optionally a sign before and a fraction and an exponent behind them.
  ///
  /// Exact: the nearest double, in every locale.
  func real(_ bytes: Bytes) throws(Refusal) -> Double {
    var cursor = 0
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { cursor = 1 }
    let wholeStart = cursor
    var mantissa: UInt64 = 0
    var fractionDigits = 0
    while cursor < bytes.count, let digit = decimalDigit(bytes[cursor]) {
      mantissa = mantissa &* 10 &+ UInt64(digit)
      cursor += 1
    }
    guard cursor > wholeStart else { throw notANumber(bytes) }
    if cursor < bytes.count, bytes[cursor] == UInt8(ascii: ".") {
      cursor += 1
      let fractionStart = cursor
      while cursor < bytes.count, let digit = decimalDigit(bytes[cursor]) {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        cursor += 1
      }
      fractionDigits = cursor - fractionStart
      guard fractionDigits > 0 else { throw notANumber(bytes) }
    }
    // Up to 15 digits and a power of ten up to 10^22 are exact doubles, so one division rounds once
    // (Clinger, How to read floating point numbers accurately, 1990).
    if cursor == bytes.count, cursor - wholeStart <= 15 {
      let magnitude = Double(mantissa) / powersOfTen[fractionDigits]
      return isNegative && magnitude > 0 ? -magnitude : magnitude
    }
    if cursor < bytes.count { try checkExponent(bytes, at: cursor) }
    guard let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite else {
      throw Refusal("not a finite number")
    }
    return number == 0 ? 0 : number
  }

  /// A whole number of at most 32 bits, which is what the tables hold.
  func integer(_ bytes: Bytes) throws(Refusal) -> Int64 {
    guard bytes.first != UInt8(ascii: "+"),
      let number = Int64(String(decoding: bytes, as: UTF8.self))
    else { throw Refusal("not a whole number") }
    guard Int32(exactly: number) != nil else { throw Refusal("too large a number") }
    return number
  }

  func score(_ bytes: Bytes) throws(Refusal) -> Int64 {
    let score = try integer(bytes)
    guard (0...100).contains(score) else { throw Refusal("not from 0 to 100") }
    return score
  }

  func minutes(_ bytes: Bytes, in range: ClosedRange<Int>) throws(Refusal) -> Int64 {
    let minutes = try integer(bytes)
    guard range.contains(Int(minutes)) else {
      throw Refusal("not from \(range.lowerBound) to \(range.upperBound) minutes")
    }
    return minutes
  }

  func dayCount(_ bytes: Bytes, in range: ClosedRange<Int>) throws(Refusal) -> Int64 {
    let days = try integer(bytes)
    guard range.contains(Int(days)) else {
      throw Refusal("not from \(range.lowerBound) to \(range.upperBound) days")
    }
    return days
  }

  private func checkExponent(_ bytes: Bytes, at start: Int) throws(Refusal) {
    var cursor = start
    guard bytes[cursor] | 0x20 == UInt8(ascii: "e") else { throw notANumber(bytes) }
    cursor += 1
    if cursor < bytes.count,
      bytes[cursor] == UInt8(ascii: "+") || bytes[cursor] == UInt8(ascii: "-")
    {
      cursor += 1
    }
    let digits = bytes[cursor...]
    guard !digits.isEmpty, digits.allSatisfy({ decimalDigit($0) != nil }) else {
      throw notANumber(bytes)
    }
  }

  private func notANumber(_ bytes: Bytes) -> Refusal {
    let word = String(decoding: bytes, as: UTF8.self).lowercased().drop { $0 == "+" || $0 == "-" }
    return ["nan", "inf", "infinity"].contains(word)
      ? Refusal("not a finite number") : Refusal("not a number")
  }

  private func decimalDigit(_ byte: UInt8) -> UInt8? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? digit : nil
  }
}

private let powersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]
