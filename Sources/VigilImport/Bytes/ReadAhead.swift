import Foundation

/// Bytes that a thread of its own reads, decompresses or cleans while those before them are used.
///
/// It holds a few chunks, however long the input is. Only the thread touches the source between `init` and the end of
/// the bytes, an error, or `stop()`.
final class ReadAhead: ByteSource {
  let path: String
  private let source: any ByteSource
  private var exchange: Exchange?
  private var chunk: [UInt8] = []
  private var place = 0

  private static let chunkSize = 1 << 18
  private static let mostChunks = 4

  init(_ source: any ByteSource) {
    path = source.path
    self.source = source
  }

  deinit { stop() }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    if exchange == nil { exchange = Exchange(of: source) }
    if place == chunk.count, let exchange {
      exchange.giveBack(chunk)
      (chunk, place) = (try exchange.next(), 0)
    }
    let count = min(chunk.count - place, buffer.count)
    chunk.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<place + count]))
    }
    place += count
    return count
  }

  func rewind() throws {
    stop()
    try source.rewind()
  }

  /// Waits until the thread has left the source.
  func stop() {
    exchange?.stop()
    (exchange, chunk, place) = (nil, [], 0)
  }

  /// The chunks between the thread and the reader.
  ///
  /// Not checked by the compiler: the source is the thread's alone while that runs, and all else is guarded by
  /// `condition`.
  private final class Exchange: @unchecked Sendable {
    private let source: any ByteSource
    private let condition = NSCondition()
    private var full: [[UInt8]] = []
    private var free: [[UInt8]] = []
    /// The end of the bytes, which stays.
    private var end: Result<Void, any Error>?
    private var isStopped = false
    private var isRunning = true

    init(of source: any ByteSource) {
      self.source = source
      let thread = Thread { [self] in fill() }
      thread.stackSize = 1 << 20
      thread.start()
    }

    /// The next chunk; an empty one at the end.
    func next() throws -> [UInt8] {
      condition.lock()
      defer { condition.unlock() }
      while full.isEmpty, end == nil { condition.wait() }
      if !full.isEmpty {
        defer { condition.broadcast() }
        return full.removeFirst()
      }
      try end?.get()
      return []
    }

    /// Lets a chunk that is used up hold others.
    func giveBack(_ chunk: [UInt8]) {
      guard chunk.capacity >= ReadAhead.chunkSize else { return }
      condition.withLock { free.append(chunk) }
    }

    func stop() {
      condition.lock()
      isStopped = true
      condition.broadcast()
      while isRunning { condition.wait() }
      condition.unlock()
    }

    private func fill() {
      var result: Result<Void, any Error> = .success(())
      do {
        while let chunk = try filledChunk(), put(chunk) {}
      } catch {
        result = .failure(error)
      }
      condition.withLock {
        end = result
        isRunning = false
        condition.broadcast()
      }
    }

    /// - Returns: Nil at the end.
    private func filledChunk() throws -> [UInt8]? {
      var chunk = condition.withLock { free.popLast() } ?? []
      chunk.removeAll(keepingCapacity: true)
      if chunk.capacity < ReadAhead.chunkSize { chunk.reserveCapacity(ReadAhead.chunkSize) }
      chunk.append(contentsOf: repeatElement(0, count: ReadAhead.chunkSize))
      let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
      chunk.removeLast(ReadAhead.chunkSize - count)
      return count == 0 ? nil : chunk
    }

    /// - Returns: Whether more is wanted.
    private func put(_ chunk: [UInt8]) -> Bool {
      condition.lock()
      defer { condition.unlock() }
      while full.count >= ReadAhead.mostChunks, !isStopped { condition.wait() }
      full.append(chunk)
      condition.broadcast()
      return !isStopped
    }
  }
}
