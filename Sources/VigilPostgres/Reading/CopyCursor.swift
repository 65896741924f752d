import Foundation
import VigilModel

/// Goes through the fields of a row of a binary COPY.
struct CopyCursor {
  private let message: UnsafeRawBufferPointer
  private(set) var position: Int

  /// The message ends within a row.
  struct TruncatedRow: Error {}

  /// The length of the header of the first message of a COPY: a signature, flags, and an extension
  /// of a length of its own.
  static func headerLength(of message: UnsafeRawBufferPointer) throws -> Int {
    let extensionStart = 11 + 8
    guard message.count >= extensionStart else { throw TruncatedRow() }
    let length = BinaryFormat.integer(
      UnsafeRawBufferPointer(rebasing: message[(extensionStart - 4)...]), as: Int32.self)
    return extensionStart + Int(length)
  }

  init(_ message: UnsafeRawBufferPointer, _ position: Int) {
    self.message = message
    self.position = position
  }

  @inline(__always)
  private mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, position + count <= message.count else { throw TruncatedRow() }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: message[position..<position + count])
  }

  @inline(__always)
  mutating func columnCount() throws -> Int {
    Int(BinaryFormat.integer(try take(2), as: Int16.self))
  }

  /// Empty for NULL.
  @inline(__always)
  mutating func field() throws -> UnsafeRawBufferPointer {
    let length = Int(BinaryFormat.integer(try take(4), as: Int32.self))
    return try take(max(0, length))
  }

  /// NaN for NULL; a stored NaN is a value, though none that is finite.
  mutating func double() throws -> Double {
    let bytes = try field()
    guard bytes.count == 8 else { return .nan }
    let value = BinaryFormat.double(bytes)
    return value.isNaN ? .infinity : value
  }

  /// Nil for NULL and `infinity`.
  @inline(__always)
  mutating func timestamp() throws -> Timestamp? {
    let bytes = try field()
    return bytes.count == 8 ? BinaryFormat.timestamp(bytes) : nil
  }

  /// Nil for NULL, and for what is no UUID.
  @inline(__always)
  mutating func id() throws -> UUID? {
    let bytes = try field()
    return bytes.count == 16 ? bytes.load(as: UUID.self) : nil
  }
}
