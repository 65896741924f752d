/// The one owner of a piece of zeroed memory that begins at a cache line.
public struct AlignedBuffer<Element: BitwiseCopyable>: ~Copyable {
  public let pointer: UnsafeMutablePointer<Element>
  public let count: Int

  /// `count` elements whose bytes are all zero.
  public init(count: Int) {
    let bytes = max(count, 1) * MemoryLayout<Element>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    pointer = memory.assumingMemoryBound(to: Element.self)
    self.count = count
  }

  deinit {
    UnsafeMutableRawPointer(pointer).deallocate()
  }
}
