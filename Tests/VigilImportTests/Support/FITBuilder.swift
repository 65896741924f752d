import Foundation
import VigilModel

@testable import VigilImport

/// A FIT file that a test makes, byte by byte.
struct FITBuilder {
  /// A field of a definition.
  struct Field {
    var number: UInt8
    var size: UInt8
    var type: UInt8

    static func uint8(_ number: UInt8) -> Field { Field(number: number, size: 1, type: 0x02) }
    static func uint16(_ number: UInt8) -> Field { Field(number: number, size: 2, type: 0x84) }
    static func uint32(_ number: UInt8) -> Field { Field(number: number, size: 4, type: 0x86) }
    static func enumeration(_ number: UInt8) -> Field {
      Field(number: number, size: 1, type: 0x00)
    }
    static func byte(_ number: UInt8) -> Field { Field(number: number, size: 1, type: 0x0D) }
    static func serial(_ number: UInt8) -> Field { Field(number: number, size: 4, type: 0x8C) }
    static let time = uint32(253)
  }

  private(set) var records: [UInt8] = []

  /// Seconds since the end of 1989 of an instant such as `2026-06-01T07:00:00Z`.
  static func time(_ text: String) -> UInt32 {
    guard let instant = Timestamp(text) else { preconditionFailure("\(text) is no instant") }
    return UInt32(instant.microseconds / 1_000_000 - 631_065_600)
  }

  static func bytes(_ number: some FixedWidthInteger, isBigEndian: Bool = false) -> [UInt8] {
    withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { Array($0) }
  }

  mutating func define(
    _ local: UInt8, as number: UInt16, _ fields: [Field], isBigEndian: Bool = false,
    developerFields: [UInt8] = []
  ) {
    records += [0x40 | (developerFields.isEmpty ? 0 : 0x20) | local, 0, isBigEndian ? 1 : 0]
    records += Self.bytes(number, isBigEndian: isBigEndian) + [UInt8(fields.count)]
    for field in fields { records += [field.number, field.size, field.type] }
    guard !developerFields.isEmpty else { return }
    records.append(UInt8(developerFields.count))
    for (number, size) in developerFields.enumerated() { records += [UInt8(number), size, 0] }
  }

  mutating func add(_ local: UInt8, _ values: [UInt8]...) {
    records += [local] + values.joined()
  }

  /// Adds a message whose header has the lower five bits of its time.
  mutating func add(_ local: UInt8, lowTime: UInt8, _ values: [UInt8]...) {
    records += [0x80 | local << 5 | lowTime & 0x1F] + values.joined()
  }

  mutating func append(_ bytes: [UInt8]) { records += bytes }

  /// The file with its header and checksums.
  func file(headerSize: UInt8 = 14, version: UInt8 = 0x20, size: UInt32? = nil) -> [UInt8] {
    var bytes = [headerSize, version] + Self.bytes(UInt16(21_205))
    bytes += Self.bytes(size ?? UInt32(records.count)) + Array(".FIT".utf8)
    if headerSize >= 14 { bytes += Self.bytes(FITFile.checksum(of: bytes[...])) }
    bytes += [UInt8](repeating: 0, count: max(0, Int(headerSize) - bytes.count))
    bytes += records
    return bytes + Self.bytes(FITFile.checksum(of: bytes[...]))
  }

  /// Adds the message that names the file.
  mutating func addFileID(manufacturer: UInt16 = 1, serial: UInt32 = 77) {
    define(0, as: 0, [.enumeration(0), .uint16(1), .serial(3)])
    add(0, [32], Self.bytes(manufacturer), Self.bytes(serial))
  }
}
