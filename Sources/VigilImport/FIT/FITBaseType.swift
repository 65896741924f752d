/// A type of the fields of FIT messages, by the lower five bits of its number.
enum FITBaseType: UInt8 {
  case enumeration = 0x00
  case int8 = 0x01
  case uint8 = 0x02
  case int16 = 0x03
  case uint16 = 0x04
  case int32 = 0x05
  case uint32 = 0x06
  case string = 0x07
  case float32 = 0x08
  case float64 = 0x09
  case uint8z = 0x0A
  case uint16z = 0x0B
  case uint32z = 0x0C
  case byte = 0x0D
  case int64 = 0x0E
  case uint64 = 0x0F
  case uint64z = 0x10

  /// - Parameter number: As a definition has it, with the bit that says whether the order of bytes matters.
  init?(number: UInt8) { self.init(rawValue: number & 0x1F) }

  /// Bytes of a value.
  var size: Int {
    switch self {
    case .enumeration, .int8, .uint8, .uint8z, .byte, .string: 1
    case .int16, .uint16, .uint16z: 2
    case .int32, .uint32, .uint32z, .float32: 4
    case .float64, .int64, .uint64, .uint64z: 8
    }
  }

  /// The number that `bits` stand for; nil where they say that there is none, and for text.
  func value(_ bits: UInt64) -> Double? {
    switch self {
    case .enumeration, .uint8, .byte: bits == 0xFF ? nil : Double(bits)
    case .uint16: bits == 0xFFFF ? nil : Double(bits)
    case .uint32: bits == 0xFFFF_FFFF ? nil : Double(bits)
    case .uint64: bits == .max ? nil : Double(bits)
    case .uint8z, .uint16z, .uint32z, .uint64z: bits == 0 ? nil : Double(bits)
    case .int8: bits == 0x7F ? nil : Double(Int8(truncatingIfNeeded: bits))
    case .int16: bits == 0x7FFF ? nil : Double(Int16(truncatingIfNeeded: bits))
    case .int32: bits == 0x7FFF_FFFF ? nil : Double(Int32(truncatingIfNeeded: bits))
    case .int64: bits == 0x7FFF_FFFF_FFFF_FFFF ? nil : Double(Int64(bitPattern: bits))
    case .float32: Self.finite(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case .float64: Self.finite(Double(bitPattern: bits))
    case .string: nil
    }
  }

  private static func finite(_ number: Double) -> Double? { number.isFinite ? number : nil }
}
