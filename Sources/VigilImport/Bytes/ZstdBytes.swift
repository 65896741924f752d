import CZstd

/// The contents of zstd data (RFC 8878): one frame or several, with their checksums where they have any.
///
/// Frames that need a window of more than 128 MiB are refused, which is what the program `zstd` does too.
final class ZstdBytes: ByteSource {
  var path: String { compressed.path }

  private let compressed: any ByteSource
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ZSTD_DStreamInSize(), alignment: 16)
  private let stream: OpaquePointer
  private var input = ZSTD_inBuffer()
  /// Whether a frame has begun and not ended.
  private var isInFrame = false

  init(_ compressed: any ByteSource) {
    self.compressed = compressed
    guard let stream = ZSTD_createDStream() else { preconditionFailure("zstd has no memory") }
    self.stream = stream
  }

  deinit {
    ZSTD_freeDStream(stream)
    buffer.deallocate()
  }

  func rewind() throws {
    try compressed.rewind()
    ZSTD_DCtx_reset(stream, ZSTD_reset_session_only)
    input = ZSTD_inBuffer()
    isInFrame = false
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
    guard !target.isEmpty else { return 0 }
    var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
    while output.pos == 0 {
      if input.pos == input.size {
        let count = try compressed.read(into: buffer)
        input = ZSTD_inBuffer(src: buffer.baseAddress, size: count, pos: 0)
        if count == 0 {
          // The decompressor may still hold bytes for which there was no room.
          guard isInFrame else { return 0 }
          let rest = ZSTD_decompressStream(stream, &output, &input)
          if ZSTD_isError(rest) == 0, output.pos > 0 {
            isInFrame = rest != 0
            return output.pos
          }
          throw damage(of: "zstd", isTruncated: true)
        }
      }
      let rest = ZSTD_decompressStream(stream, &output, &input)
      guard ZSTD_isError(rest) == 0 else { throw damage(of: "zstd", isTruncated: false) }
      isInFrame = rest != 0
    }
    return output.pos
  }
}
