/// The bytes of a message that do not fill a block of 64 yet, and the number of all that were added.
struct DigestTail {
  private var pending = SIMD64<UInt8>()
  private var count = 0

  /// Adds bytes; calls `process` with each run of whole blocks and their number.
  mutating func add(
    _ bytes: UnsafeRawBufferPointer, process: (UnsafePointer<UInt8>, Int) -> Void
  ) {
    var rest = UnsafeRawBufferPointer(rebasing: bytes[...])
    let filled = count % 64
    count += rest.count
    if filled > 0 {
      let taken = min(64 - filled, rest.count)
      withUnsafeMutableBytes(of: &pending) { pending in
        UnsafeMutableRawBufferPointer(rebasing: pending[filled..<(filled + taken)])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<taken]))
      }
      guard filled + taken == 64 else { return }
      processPending(process)
      rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
    }
    let blocks = rest.count / 64
    if blocks > 0, let start = rest.baseAddress {
      process(start.assumingMemoryBound(to: UInt8.self), blocks)
      rest = UnsafeRawBufferPointer(rebasing: rest[(blocks * 64)...])
    }
    withUnsafeMutableBytes(of: &pending) { $0.copyMemory(from: rest) }
  }

  /// Pads the message (section 5.1.1): a bit, zeros and the number of its bits.
  mutating func end(process: (UnsafePointer<UInt8>, Int) -> Void) {
    let filled = count % 64
    withUnsafeMutableBytes(of: &pending) { pending in
      pending[filled] = 0x80
      UnsafeMutableRawBufferPointer(rebasing: pending[(filled + 1)...])
        .initializeMemory(as: UInt8.self, repeating: 0)
    }
    if filled >= 56 {
      processPending(process)
      pending = SIMD64()
    }
    let bits = UInt64(count) * 8
    withUnsafeMutableBytes(of: &pending) {
      $0.storeBytes(of: bits.bigEndian, toByteOffset: 56, as: UInt64.self)
    }
    processPending(process)
  }

  private func processPending(_ process: (UnsafePointer<UInt8>, Int) -> Void) {
    withUnsafeBytes(of: pending) { bytes in
      guard let start = bytes.baseAddress else { return }
      process(start.assumingMemoryBound(to: UInt8.self), 1)
    }
  }
}
