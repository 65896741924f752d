extension ByteSource {
  /// The same bytes, decompressed where they begin as gzip or zstd does.
  ///
  /// The first bytes decide, whatever the file is called.
  ///
  /// - Throws: `ImportError` where the first bytes cannot be read, or are those of a ZIP archive.
  func decompressed() throws -> any ByteSource {
    let start = try firstBytes(4)
    if start.starts(with: [0x1F, 0x8B]) { return BoundedContents(of: self) { GzipBytes($0) } }
    if start == [0x28, 0xB5, 0x2F, 0xFD] { return BoundedContents(of: self) { ZstdBytes($0) } }
    if start == [0x50, 0x4B, 0x03, 0x04] {
      throw ImportError(
        .badData,
        "\(fileName(path)) is a ZIP archive; nothing was imported; unpack it, and give the file in it"
      )
    }
    return self
  }

  /// The same text in UTF-8, where its byte order mark says that it is in UTF-16.
  ///
  /// - Throws: `ImportError` where the first bytes cannot be read.
  func inUTF8() throws -> any ByteSource {
    let start = try firstBytes(2)
    if start == [0xFF, 0xFE] { return UTF16Bytes(self, isLittleEndian: true) }
    if start == [0xFE, 0xFF] { return UTF16Bytes(self, isLittleEndian: false) }
    return self
  }

  private func firstBytes(_ most: Int) throws -> [UInt8] {
    var start = [UInt8](repeating: 0, count: most)
    var count = 0
    while count < most {
      let more = try start.withUnsafeMutableBytes { bytes in
        try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
      }
      if more == 0 { break }
      count += more
    }
    try rewind()
    return Array(start[..<count])
  }

  /// The error about compressed bytes that end too early, or are not what was compressed.
  func damage(of kind: String, isTruncated: Bool) -> ImportError {
    ImportError(
      .badData,
      "\(fileName(path)) \(isTruncated ? "ends in the middle of" : "is damaged:") its \(kind) data"
        + "\(isTruncated ? "" : " cannot be decompressed"); nothing was imported; copy it again")
  }
}
