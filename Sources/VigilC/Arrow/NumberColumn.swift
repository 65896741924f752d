import CVigil

/// A column whose values are numbers of any width, or booleans.
struct NumberColumn {
  let column: ArrowColumn
  /// The letter of Arrow's type.
  private let format: UInt8
  private let validity: UnsafeRawPointer?
  private let values: UnsafeRawPointer

  /// Whether a format is one of numbers.
  static func canRead(_ format: String) -> Bool {
    // The search for a text in a text would link the parser of regular expressions, 1 MB.
    format.utf8.count == 1 && format.utf8.allSatisfy("bcCsSiIlLefgn".utf8.contains)
  }

  init(_ column: ArrowColumn) throws(Failure) {
    self.column = column
    format = column.format.utf8.first ?? 0
    if column.format == "n" {
      (validity, values) = (nil, UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped)
    } else {
      validity = try column.validity()
      values = try column.buffer(1)
    }
  }

  /// Writes the values of some rows as doubles, NaN for null, to every `stride`th element of `target`.
  func write(_ rows: Range<Int>, to target: UnsafeMutablePointer<Double>, stride: Int) {
    switch format {
    case UInt8(ascii: "g"): copy(rows, Double.self, to: target, stride) { $0 }
    case UInt8(ascii: "f"): copy(rows, Float.self, to: target, stride) { Double($0) }
    case UInt8(ascii: "e"): copy(rows, UInt16.self, to: target, stride) { Self.half($0) }
    case UInt8(ascii: "l"): copy(rows, Int64.self, to: target, stride) { Double($0) }
    case UInt8(ascii: "L"): copy(rows, UInt64.self, to: target, stride) { Double($0) }
    case UInt8(ascii: "i"): copy(rows, Int32.self, to: target, stride) { Double($0) }
    case UInt8(ascii: "I"): copy(rows, UInt32.self, to: target, stride) { Double($0) }
    case UInt8(ascii: "s"): copy(rows, Int16.self, to: target, stride) { Double($0) }
    case UInt8(ascii: "S"): copy(rows, UInt16.self, to: target, stride) { Double($0) }
    case UInt8(ascii: "c"): copy(rows, Int8.self, to: target, stride) { Double($0) }
    case UInt8(ascii: "C"): copy(rows, UInt8.self, to: target, stride) { Double($0) }
    case UInt8(ascii: "b"):
      for (place, row) in rows.enumerated() {
        target[place * stride] = ArrowColumn.bit(column.start + row, of: values) ? 1 : 0
      }
    default: for place in 0..<rows.count { target[place * stride] = .nan }
    }
    guard let validity else { return }
    for (place, row) in rows.enumerated()
    where !ArrowColumn.bit(column.start + row, of: validity) {
      target[place * stride] = .nan
    }
  }

  @inline(__always)
  private func copy<Value: BitwiseCopyable>(
    _ rows: Range<Int>, _ type: Value.Type, to target: UnsafeMutablePointer<Double>,
    _ stride: Int, _ convert: (Value) -> Double
  ) {
    let size = MemoryLayout<Value>.size
    let first = values + (column.start + rows.lowerBound) * size
    for place in 0..<rows.count {
      target[place * stride] = convert(
        first.loadUnaligned(fromByteOffset: place * size, as: Value.self))
    }
  }

  /// A number of IEEE 754 binary16.
  private static func half(_ bits: UInt16) -> Double {
    let sign = bits >> 15 == 1 ? -1.0 : 1.0
    let (exponent, fraction) = (Int(bits >> 10 & 31), Double(bits & 1023))
    if exponent == 31 { return fraction == 0 ? sign * .infinity : .nan }
    if exponent == 0 { return sign * fraction * 0x1p-24 }
    return sign * (1 + fraction / 1024)
      * Double(sign: .plus, exponent: exponent - 15, significand: 1)
  }
}
