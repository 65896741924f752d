/// Memory that a structure of Arrow's refers to and that goes with it.
final class Memory {
  private var blocks: [UnsafeMutableRawPointer] = []
  /// Memory that goes no earlier.
  private let other: Memory?

  init(with other: Memory? = nil) {
    self.other = other
  }

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// A copy of some values; at least one byte, so that there is an address.
  func copy<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeRawPointer {
    let size = values.count * MemoryLayout<Value>.stride
    let block = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 64)
    values.withUnsafeBytes {
      if let start = $0.baseAddress { block.copyMemory(from: start, byteCount: size) }
    }
    blocks.append(block)
    return UnsafeRawPointer(block)
  }

  func text(_ text: String) -> UnsafePointer<CChar> {
    copy(Array(text.utf8CString)).assumingMemoryBound(to: CChar.self)
  }

  func list(_ buffers: [UnsafeRawPointer?]) -> UnsafeMutablePointer<UnsafeRawPointer?> {
    UnsafeMutableRawPointer(mutating: copy(buffers)).assumingMemoryBound(
      to: UnsafeRawPointer?.self)
  }

  /// Pointers to copies of some structures; nil for none.
  func pointers<Structure: BitwiseCopyable>(
    to structures: [Structure]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Structure>?>? {
    if structures.isEmpty { return nil }
    let start = UnsafeMutableRawPointer(mutating: copy(structures)).assumingMemoryBound(
      to: Structure.self)
    let pointers = structures.indices.map { Optional(start + $0) }
    return UnsafeMutableRawPointer(mutating: copy(pointers)).assumingMemoryBound(
      to: UnsafeMutablePointer<Structure>?.self)
  }
}
