/// A hash of some values in their order that is the same in every process, which `Hasher`'s is not.
///
/// Shows whether something has changed; it does not resist an attacker who looks for two values of
/// one hash. Each word is multiplied into the state and both halves of the product kept, as in
/// wyhash (https://github.com/wangyi-fudan/wyhash). Databases hold such values, so that a change of one of its
/// numbers changes what they mean.
public struct StableHash: Hashable, Sendable {
  public var value: UInt64

  /// - Parameter seed: The value of nothing yet.
  @inlinable
  public init(seed: UInt64 = 0xA076_1D64_78BD_642F) {
    value = seed
  }

  /// The value in 32 bits.
  public var short: UInt32 { UInt32(truncatingIfNeeded: value ^ value >> 32) }

  /// Takes a word; another factor gives a hash that has nothing to do with the first.
  @inlinable
  public mutating func combine(_ word: UInt64, by factor: UInt64 = 0x9E37_79B9_7F4A_7C15) {
    value = (value ^ word).folded(by: factor)
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

extension UUID {
  /// The bytes of the id as two numbers.
  @inlinable
  public var words: (UInt64, UInt64) {
    withUnsafeBytes(of: uuid) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }
}
