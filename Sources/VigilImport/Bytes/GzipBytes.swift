import CZlib

/// The contents of gzip data (RFC 1952): one member or several, each with its checksum.
final class GzipBytes: ByteSource {
  var path: String { compressed.path }

  private let compressed: any ByteSource
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
  /// zlib keeps its address, so it stays where it is.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var state = State.betweenMembers

  private enum State {
    /// At the end of the input this is the end of the contents.
    case betweenMembers
    case inMember
    /// Zeros fill up the last block of a tape.
    case inPadding
    case atEnd
  }

  init(_ compressed: any ByteSource) {
    self.compressed = compressed
    stream.initialize(to: z_stream())
    let code = vigil_inflate_init(stream)
    precondition(code == Z_OK, "zlib has no memory, or is another version")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  func rewind() throws {
    try compressed.rewind()
    inflateReset(stream)
    stream.pointee.avail_in = 0
    state = .betweenMembers
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let start = buffer.baseAddress, state != .atEnd else { return 0 }
    stream.pointee.next_out = start.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
    let room = stream.pointee.avail_out
    while stream.pointee.avail_out == room {
      if stream.pointee.avail_in == 0, try !refill() { return 0 }
      if state == .betweenMembers, stream.pointee.next_in.pointee == 0 { state = .inPadding }
      if state == .inPadding {
        try skipPadding()
        continue
      }
      if state == .betweenMembers {
        inflateReset(stream)
        state = .inMember
      }
      switch inflate(stream, Z_NO_FLUSH) {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END: state = .betweenMembers
      default: throw damage(of: "gzip", isTruncated: false)
      }
    }
    return Int(room - stream.pointee.avail_out)
  }

  /// False at the end of the contents.
  private func refill() throws -> Bool {
    let count = try compressed.read(into: input)
    guard count > 0 else {
      guard state != .inMember else { throw damage(of: "gzip", isTruncated: true) }
      state = .atEnd
      return false
    }
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(count)
    return true
  }

  private func skipPadding() throws {
    while stream.pointee.avail_in > 0 {
      guard stream.pointee.next_in.pointee == 0 else {
        throw damage(of: "gzip", isTruncated: false)
      }
      stream.pointee.next_in += 1
      stream.pointee.avail_in -= 1
    }
  }
}
