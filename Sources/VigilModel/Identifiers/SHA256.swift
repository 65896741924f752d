import CDigests

/// SHA-256 (FIPS 180-4), for digests of files and of rows.
///
/// ```swift
/// print(SHA256.hexadecimal(of: "abc".utf8).prefix(8))  // ba7816bf
/// ```
public struct SHA256 {
  private var state = SIMD8<UInt32>(
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19)
  private var tail = DigestTail()

  public init() {}

  /// Adds bytes to the message.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // A copy, which the closure can change beside the tail.
    var state = state
    tail.add(bytes) { Self.add($0, $1, to: &state) }
    self.state = state
  }

  /// Ends the message, and returns the 32 bytes of its digest.
  public consuming func finalize() -> [UInt8] {
    var state = state
    tail.end { Self.add($0, $1, to: &state) }
    return state.indices.flatMap { index in
      withUnsafeBytes(of: state[index].bigEndian, Array.init)
    }
  }

  /// Returns the 32 bytes of a message's digest.
  public static func digest(of message: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    if message.withContiguousStorageIfAvailable({ hash.update(UnsafeRawBufferPointer($0)) }) == nil
    {
      Array(message).withUnsafeBytes { hash.update($0) }
    }
    return hash.finalize()
  }

  /// Returns a message's digest as 64 lower-case hexadecimal digits.
  public static func hexadecimal(of message: some Sequence<UInt8>) -> String {
    digest(of: message).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func add(
    _ blocks: UnsafePointer<UInt8>, _ count: Int, to state: inout SIMD8<UInt32>
  ) {
    withUnsafeMutableBytes(of: &state) {
      vigil_sha256_add($0.baseAddress?.assumingMemoryBound(to: UInt32.self), blocks, count)
    }
  }
}
