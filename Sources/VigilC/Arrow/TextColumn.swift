import CVigil

/// A column of texts in any of Arrow's layouts, with a dictionary or without, or of whole numbers as texts.
struct TextColumn {
  private enum Layout {
    case offsets32(UnsafeRawPointer, bytes: UnsafeRawPointer)
    case offsets64(UnsafeRawPointer, bytes: UnsafeRawPointer)
    case views(UnsafeRawPointer, buffers: Int, sizes: UnsafeRawPointer)
    case integers(IntegerColumn)
  }

  let column: ArrowColumn
  private let validity: UnsafeRawPointer?
  private let layout: Layout

  init(_ column: ArrowColumn) throws(Failure) {
    self.column = column
    validity = try column.validity()
    switch column.format {
    case "u":
      layout = .offsets32(
        try Self.offsets(of: column, Int32.self), bytes: try Self.bytes(of: column))
    case "U":
      layout = .offsets64(
        try Self.offsets(of: column, Int64.self), bytes: try Self.bytes(of: column))
    case "vu":
      // Validity and views come first, the sizes of the other buffers last.
      let buffers = Int(column.array.n_buffers) - 3
      guard buffers >= 0 else {
        throw column.fault("has \(column.array.n_buffers) buffers; views of texts need 3 or more")
      }
      let sizes: UnsafeRawPointer? = column.array.buffers?[buffers + 2]
      guard let known = sizes ?? (buffers == 0 ? UnsafeRawPointer(bitPattern: 64) : nil) else {
        throw column.fault("has views of texts and no sizes of buffers")
      }
      layout = .views(try column.buffer(1), buffers: buffers, sizes: known)
    case _ where IntegerColumn.canRead(column.format):
      layout = .integers(try IntegerColumn(column))
    default:
      throw column.fault(
        "holds \(column.typeWords); give texts, whole numbers or a dictionary of texts")
    }
  }

  /// The offsets of texts, none of which is before the one ahead of it.
  private static func offsets<Offset: FixedWidthInteger & BitwiseCopyable>(
    of column: ArrowColumn, _ type: Offset.Type
  ) throws(Failure) -> UnsafeRawPointer {
    let offsets = try column.buffer(1)
    // An array without rows may have no offsets at all.
    if column.count == 0 { return offsets }
    let size = MemoryLayout<Offset>.size
    var last: Offset = 0
    for row in 0...column.count {
      let offset = offsets.loadUnaligned(
        fromByteOffset: (column.start + row) * size, as: Offset.self)
      guard offset >= last, size == 4 || Int64(offset) < 1 << 40 else {
        throw column.fault("has offsets from \(last) to \(offset) in row \(max(row - 1, 0))")
      }
      last = offset
    }
    return offsets
  }

  /// The bytes of texts, which may be missing where every text is empty.
  private static func bytes(of column: ArrowColumn) throws(Failure) -> UnsafeRawPointer {
    guard column.array.n_buffers > 2, let buffers = column.array.buffers else {
      throw column.fault("has \(column.array.n_buffers) buffers and needs 3")
    }
    return buffers[2] ?? UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped
  }

  /// Calls `body` with the bytes of each row in turn, nil for null.
  func forEach(
    _ body: (Int, UnsafeRawBufferPointer?) throws(Failure) -> Void
  ) throws(Failure) {
    for row in 0..<column.count {
      let index = column.start + row
      if let validity, !ArrowColumn.bit(index, of: validity) {
        try body(row, nil)
        continue
      }
      switch layout {
      case .offsets32(let offsets, let bytes):
        let from = offsets.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
        let to = offsets.loadUnaligned(fromByteOffset: index * 4 + 4, as: Int32.self)
        try body(row, UnsafeRawBufferPointer(start: bytes + Int(from), count: Int(to - from)))
      case .offsets64(let offsets, let bytes):
        let from = offsets.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
        let to = offsets.loadUnaligned(fromByteOffset: index * 8 + 8, as: Int64.self)
        try body(row, UnsafeRawBufferPointer(start: bytes + Int(from), count: Int(to - from)))
      case .views(let views, let buffers, let sizes):
        try body(row, try view(views + index * 16, buffers, sizes, row))
      case .integers(let numbers):
        var text = numbers.value(row).description
        // `text` is decimal digits, so that its UTF-8 is its own.
        let bytes = text.withUTF8 { Array($0) }
        var failure: Failure?
        bytes.withUnsafeBytes { buffer in
          do throws(Failure) { try body(row, buffer) } catch { failure = error }
        }
        if let failure { throw failure }
      }
    }
  }

  /// Arrow's columnar format, section "Variable-size Binary View Layout".
  private func view(
    _ view: UnsafeRawPointer, _ buffers: Int, _ sizes: UnsafeRawPointer, _ row: Int
  ) throws(Failure) -> UnsafeRawBufferPointer {
    let length = view.loadUnaligned(as: Int32.self)
    if (0...12).contains(length) {
      return UnsafeRawBufferPointer(start: view + 4, count: Int(length))
    }
    let buffer = view.loadUnaligned(fromByteOffset: 8, as: Int32.self)
    let offset = view.loadUnaligned(fromByteOffset: 12, as: Int32.self)
    guard length >= 0, offset >= 0, (0..<buffers).contains(Int(buffer)),
      Int64(offset) + Int64(length)
        <= sizes.loadUnaligned(fromByteOffset: Int(buffer) * 8, as: Int64.self),
      let bytes = column.array.buffers?[2 + Int(buffer)]
    else { throw column.fault("has a view outside its buffers in row \(row)") }
    return UnsafeRawBufferPointer(start: bytes + Int(offset), count: Int(length))
  }
}
