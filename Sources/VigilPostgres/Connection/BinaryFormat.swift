import VigilModel

/// Values in PostgreSQL's binary format: big-endian, and time counted from 2000-01-01.
enum BinaryFormat {
  /// The first byte of a `jsonb`.
  static let jsonbVersion: UInt8 = 1

  private static let epochDay: Int32 = 10_957
  private static let epochMicroseconds: Int64 = 946_684_800_000_000

  static func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, as type: Integer.Type
  ) -> Integer {
    Integer(bigEndian: bytes.loadUnaligned(as: type))
  }

  static func double(_ bytes: UnsafeRawBufferPointer) -> Double {
    Double(bitPattern: integer(bytes, as: UInt64.self))
  }

  /// Nil for `infinity`.
  static func day(_ bytes: UnsafeRawBufferPointer) -> Day? {
    let (ordinal, isOutside) = integer(bytes, as: Int32.self).addingReportingOverflow(epochDay)
    return isOutside || ordinal < -1_000_000 ? nil : Day(ordinal: ordinal)
  }

  /// Nil for `infinity`.
  static func timestamp(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
    let value = integer(bytes, as: Int64.self)
    let (microseconds, isOutside) = value.addingReportingOverflow(epochMicroseconds)
    return isOutside || value == .min ? nil : Timestamp(microseconds: microseconds)
  }

  static func value(of day: Day) -> Int32 { day.ordinal.subtractingClamped(epochDay) }

  static func value(of timestamp: Timestamp) -> Int64 {
    timestamp.microseconds.subtractingClamped(epochMicroseconds)
  }
}
