/// SHA-256 (FIPS 180-4), for the C library, in which swift-crypto would take more room than all of Vigil.
///
/// A test compares it with swift-crypto.
package enum Digests {
  /// The 32 bytes of SHA-256.
  package static func sha256(_ message: some Sequence<UInt8>) -> [UInt8] {
    var state: [UInt32] = primes(8).map { fraction(of: $0.squareRoot()) }
    let constants: [UInt32] = primes(64).map(cubeRootFraction)
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      forEachBlock(of: message, into: words) {
        for index in 16..<64 {
          let (early, late) = (words[index - 15], words[index - 2])
          let low = rotate(early, right: 7) ^ rotate(early, right: 18) ^ early >> 3
          let high = rotate(late, right: 17) ^ rotate(late, right: 19) ^ late >> 10
          words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
        }
        var v = state
        for index in 0..<64 {
          let high = rotate(v[4], right: 6) ^ rotate(v[4], right: 11) ^ rotate(v[4], right: 25)
          let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
          let first = v[7] &+ high &+ choice &+ constants[index] &+ words[index]
          let low = rotate(v[0], right: 2) ^ rotate(v[0], right: 13) ^ rotate(v[0], right: 22)
          let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
          v = [first &+ low &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
        }
        for index in 0..<8 { state[index] &+= v[index] }
      }
    }
    return bytes(of: state)
  }

  /// Calls `body` with the 16 words of each block of the padded message at the start of `words`.
  private static func forEachBlock(
    of message: some Sequence<UInt8>, into words: UnsafeMutableBufferPointer<UInt32>,
    _ body: () -> Void
  ) {
    var padded = Array(message)
    let bits = UInt64(padded.count) * 8
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    padded.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 64) {
        for word in 0..<16 {
          words[word] = UInt32(
            bigEndian: bytes.loadUnaligned(fromByteOffset: start + word * 4, as: UInt32.self))
        }
        body()
      }
    }
  }

  private static func rotate(_ word: UInt32, right count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static func bytes(of words: [UInt32]) -> [UInt8] {
    words.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  // MARK: Constants of SHA-256: the first 32 bits of the fractions of roots of primes

  private static func primes(_ count: Int) -> [Double] {
    var found: [Int] = []
    var number = 2
    while found.count < count {
      if found.allSatisfy({ number % $0 != 0 }) { found.append(number) }
      number += 1
    }
    return found.map(Double.init)
  }

  private static func fraction(of root: Double) -> UInt32 {
    UInt32((root - root.rounded(.down)) * 0x1p32)
  }

  private static func cubeRootFraction(_ prime: Double) -> UInt32 {
    // Newton's method ends within a unit of the 52nd bit; 32 and the few before the point are used.
    var root = 1.0
    for _ in 0..<100 { root = (2 * root + prime / (root * root)) / 3 }
    return fraction(of: root)
  }
}
