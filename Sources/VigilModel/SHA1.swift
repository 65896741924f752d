/// SHA-1 (FIPS 180-4), which only names need, for the C library: swift-crypto would take more room than all of Vigil.
///
/// A copy goes on from what was added before, so that the common beginning of many names is added once. A test
/// compares it with swift-crypto.
package struct SHA1 {
  private var state = State()
  /// The bytes that do not fill a block yet.
  private var pending = SIMD64<UInt8>()
  /// The number of all bytes.
  private var count = 0

  package init() {}

  package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let filled = count % 64
      let taken = rest.prefix(64 - filled)
      withUnsafeMutableBytes(of: &pending) { pending in
        UnsafeMutableRawBufferPointer(rebasing: pending[filled...]).copyBytes(from: taken)
      }
      count += taken.count
      rest = rest.dropFirst(taken.count)
      if count % 64 == 0 { state.add(pending) }
    }
  }

  package consuming func finalize() -> Digest {
    let bits = UInt64(count) * 8
    let filled = count % 64
    withUnsafeMutableBytes(of: &pending) { pending in
      pending[filled] = 0x80
      UnsafeMutableRawBufferPointer(rebasing: pending[(filled + 1)...]).initializeMemory(
        as: UInt8.self, repeating: 0)
    }
    if filled >= 56 {
      state.add(pending)
      pending = SIMD64()
    }
    withUnsafeMutableBytes(of: &pending) {
      $0.storeBytes(of: bits.bigEndian, toByteOffset: 56, as: UInt64.self)
    }
    state.add(pending)
    return state.digest
  }

  /// The 20 bytes.
  package struct Digest {
    fileprivate let words: (UInt32, UInt32, UInt32, UInt32, UInt32)

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
      Swift.withUnsafeBytes(of: words, body)
    }
  }
}

extension SHA1 {
  private struct State {
    private var a: UInt32 = 0x6745_2301
    private var b: UInt32 = 0xEFCD_AB89
    private var c: UInt32 = 0x98BA_DCFE
    private var d: UInt32 = 0x1032_5476
    private var e: UInt32 = 0xC3D2_E1F0

    mutating func add(_ block: SIMD64<UInt8>) {
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
        withUnsafeBytes(of: block) { block in
          for place in 0..<16 {
            words[place] = UInt32(
              bigEndian: block.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self))
          }
        }
        for place in 16..<80 {
          words[place] = Self.rotate(
            words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16], by: 1)
        }
        let before = self
        // A loop for each function, so that no round asks for its number.
        for place in 0..<20 { turn((b & c) | (~b & d), 0x5A82_7999, words[place]) }
        for place in 20..<40 { turn(b ^ c ^ d, 0x6ED9_EBA1, words[place]) }
        for place in 40..<60 { turn((b & c) | (b & d) | (c & d), 0x8F1B_BCDC, words[place]) }
        for place in 60..<80 { turn(b ^ c ^ d, 0xCA62_C1D6, words[place]) }
        a &+= before.a
        b &+= before.b
        c &+= before.c
        d &+= before.d
        e &+= before.e
      }
    }

    var digest: Digest {
      Digest(words: (a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian, e.bigEndian))
    }

    @inline(__always)
    private mutating func turn(_ function: UInt32, _ constant: UInt32, _ word: UInt32) {
      let next = Self.rotate(a, by: 5) &+ function &+ e &+ constant &+ word
      (e, d, c, b, a) = (d, c, Self.rotate(b, by: 30), a, next)
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 {
      word &<< count | word &>> (32 &- count)
    }
  }
}
