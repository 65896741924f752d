import VigilStorage

/// Rows in the format of a binary COPY.
final class CopyRows {
  private let buffer: BinaryBuffer
  private let columnCount: Int
  private(set) var count = 0

  /// - Parameter columnCount: Values that `append`'s body puts, without the ordinal.
  init(columnCount: Int) {
    self.columnCount = columnCount
    buffer = BinaryBuffer(capacity: 1 << 16)
    removeAll()
  }

  var byteCount: Int { buffer.count }

  func removeAll() {
    buffer.removeAll()
    count = 0
    Array("PGCOPY\n\u{ff}\r\n\0".unicodeScalars.map { UInt8($0.value) })
      .withUnsafeBytes { buffer.append($0) }
    buffer.append(Int32(0))  // flags
    buffer.append(Int32(0))  // length of the header's extension
  }

  func append(_ put: (BinaryBuffer) throws -> Void) rethrows {
    count += 1
    buffer.append(Int16(columnCount + 1))
    buffer.put(count)
    try put(buffer)
  }

  /// The rows with what ends them; nothing can be appended after it.
  func finished() -> UnsafeRawBufferPointer {
    buffer.append(Int16(-1))
    return buffer.contents
  }
}
