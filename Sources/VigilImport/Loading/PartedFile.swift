import Foundation

/// Values of one size in parts, in the order in which they come: the last ones of each part in memory, and those before in
/// a file without a name.
///
/// So millions of values are sorted into parts, each of which fits into memory. A few values stay in memory altogether.
final class PartedFile<Element: BitwiseCopyable> {
  let partCount: Int
  private let name: String
  /// The values of each part that are not in the file.
  private var open: [[Element]]
  /// The blocks of each part in the file.
  private var blocks: [[Int]]
  private var blockCount = 0
  private var descriptor: Int32?
  private let blockLength: Int

  /// - Parameters:
  ///   - name: What the values are, in messages.
  ///   - blockLength: Values of a part that are in memory at most.
  init(of name: String, partCount: Int = 128, blockLength: Int = 512) {
    self.name = name
    self.partCount = partCount
    self.blockLength = blockLength
    open = Array(repeating: [], count: partCount)
    blocks = Array(repeating: [], count: partCount)
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Adds a value behind the others of a part.
  ///
  /// - Parameter hash: Decides the part: the same one for the same hash.
  /// - Throws: `ImportError` where the file cannot be written.
  func append(_ element: Element, hash: UInt64) throws {
    // The lower bits of a product say less.
    let part = Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> 33) % partCount
    open[part].append(element)
    guard open[part].count == blockLength else { return }
    let target = try descriptor ?? FileBytes.unnamedFile(for: name)
    descriptor = target
    try open[part].withUnsafeBytes { try FileBytes.append($0, to: target, of: name) }
    blocks[part].append(blockCount)
    blockCount += 1
    open[part].removeAll(keepingCapacity: true)
  }

  /// Calls `body` with each value of a part, in order.
  ///
  /// - Throws: What `body` throws; `ImportError` where the file cannot be read.
  func forEach(ofPart part: Int, _ body: (Element) throws -> Void) throws {
    if let descriptor {
      let size = blockLength * MemoryLayout<Element>.stride
      let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: size, alignment: MemoryLayout<Element>.alignment)
      defer { buffer.deallocate() }
      for block in blocks[part] {
        try read(block, of: descriptor, into: buffer)
        for element in buffer.bindMemory(to: Element.self) { try body(element) }
      }
    }
    for element in open[part] { try body(element) }
  }

  private func read(
    _ block: Int, of descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws {
    var count = 0
    while count < buffer.count {
      let more = pread(
        descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count,
        off_t(block * buffer.count + count))
      if more > 0 {
        count += more
      } else if more == 0 || errno != EINTR {
        throw ImportError(.badData, "cannot read the copy of \(name): \(lastSystemError())")
      }
    }
  }
}
