extension ByteSource {
  /// The same bytes, decompressed where they begin as gzip or zstd does.
  ///
  /// The first bytes decide, whatever the file is called.
  ///
  /// - Throws: `ImportError` where the first bytes cannot be read.
  func decompressed() throws -> any ByteSource {
    var start = [UInt8](repeating: 0, count: 4)
    var count = 0
    while count < start.count {
      let more = try start.withUnsafeMutableBytes { bytes in
        try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
      }
      if more == 0 { break }
      count += more
    }
    try rewind()
    if start.starts(with: [0x1F, 0x8B]) { return BoundedContents(of: self) { GzipBytes($0) } }
    if start == [0x28, 0xB5, 0x2F, 0xFD] { return BoundedContents(of: self) { ZstdBytes($0) } }
    return self
  }

  /// The error about compressed bytes that end too early, or are not what was compressed.
  func damage(of kind: String, isTruncated: Bool) -> ImportError {
    ImportError(
      .badData,
      "\(fileName(path)) \(isTruncated ? "ends in the middle of" : "is damaged:") its \(kind) data"
        + "\(isTruncated ? "" : " cannot be decompressed"); nothing was imported; copy it again")
  }
}
