import CDigests

/// SHA-1 (FIPS 180-4), which only names need.
///
/// A copy goes on from what was added before, so that the common beginning of many names is added once.
package struct SHA1 {
  private var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
  )
  private var tail = DigestTail()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // A copy, which the closure can change beside the tail.
    var state = state
    tail.add(bytes) { Self.add($0, $1, to: &state) }
    self.state = state
  }

  /// Ends the message, and lends the 20 bytes of its digest.
  package consuming func finalize<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var state = state
    tail.end { Self.add($0, $1, to: &state) }
    let words = (
      state.0.bigEndian, state.1.bigEndian, state.2.bigEndian, state.3.bigEndian, state.4.bigEndian
    )
    return withUnsafeBytes(of: words, body)
  }

  private static func add(
    _ blocks: UnsafePointer<UInt8>, _ count: Int,
    to state: inout (UInt32, UInt32, UInt32, UInt32, UInt32)
  ) {
    withUnsafeMutableBytes(of: &state) {
      vigil_sha1_add($0.baseAddress?.assumingMemoryBound(to: UInt32.self), blocks, count)
    }
  }
}
