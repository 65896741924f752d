public import Foundation

/// A hash of some values in their order that is the same in every process, which `Hasher`'s is not.
///
/// Shows whether something has changed; it does not resist an attacker who looks for two values of
/// one hash. Each word is multiplied into the state and both halves of the product kept, as in
/// wyhash (https://github.com/wangyi-fudan/wyhash).
public struct StableHash {
  public var value: UInt64 = 0xA076_1D64_78BD_642F

  @inlinable
  public init() {}

  @inlinable
  public mutating func combine(_ word: UInt64) {
    value = (value ^ word).folded(by: 0x9E37_79B9_7F4A_7C15)
  }

  @inlinable
  public mutating func combine(_ number: Int) {
    combine(UInt64(bitPattern: Int64(number)))
  }

  @inlinable
  public mutating func combine(_ id: UUID) {
    let (first, second) = id.words
    combine(first)
    combine(second)
  }

  public mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(UInt64(byte)) }
    // Texts that follow each other do not run together.
    combine(256)
  }
}

extension UInt64 {
  /// Both halves of a product, one over the other.
  @inlinable
  public func folded(by factor: UInt64) -> UInt64 {
    let (high, low) = multipliedFullWidth(by: factor)
    return high ^ low
  }
}

extension UUID {
  /// The bytes of the id as two numbers.
  @inlinable
  public var words: (UInt64, UInt64) {
    withUnsafeBytes(of: uuid) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }
}
