import CVigil

/// One column of a record batch of the caller; its memory is the caller's.
struct ArrowColumn {
  let name: String
  /// The format string of Arrow, such as `g` or `tdD`.
  let format: String
  let array: ArrowArray
  let schema: ArrowSchema
  /// Index of the first row in the buffers.
  let start: Int
  /// Rows.
  let count: Int

  /// - Parameters:
  ///   - place: The index of the column in its batch.
  ///   - offset: Rows of the batch that are skipped.
  ///   - count: Rows of the batch.
  init(
    _ schema: ArrowSchema, _ array: ArrowArray, place: Int, from offset: Int, count: Int
  ) throws(Failure) {
    let given = schema.name.map { String(cString: $0) } ?? ""
    name = given.isEmpty ? "column \(place)" : given
    format = schema.format.map { String(cString: $0) } ?? ""
    let what = "column \"\(name)\""
    guard schema.release != nil, array.release != nil else {
      throw .data("\(what) was released before")
    }
    let (own, length) = try Self.extent(of: array, what)
    guard length >= offset + count else {
      throw .data("\(what) has \(length) rows, and its batch \(offset + count)")
    }
    self.array = array
    self.schema = schema
    start = own + offset
    self.count = count
  }

  /// Offset and length of an array, below 2^40 so that no later sum overflows.
  static func extent(
    of array: ArrowArray, _ what: String
  ) throws(Failure) -> (offset: Int, length: Int) {
    let limit: Int64 = 1 << 40
    guard (0..<limit).contains(array.length), (0..<limit).contains(array.offset) else {
      throw .data("\(what) has length \(array.length) and offset \(array.offset)")
    }
    return (Int(array.offset), Int(array.length))
  }

  static func bit(_ index: Int, of buffer: UnsafeRawPointer) -> Bool {
    buffer.load(fromByteOffset: index >> 3, as: UInt8.self) >> (index & 7) & 1 == 1
  }

  /// A buffer of the array.
  ///
  /// - Throws: `Failure` where it is missing although there are rows.
  func buffer(_ index: Int) throws(Failure) -> UnsafeRawPointer {
    guard array.n_buffers > index, let buffers = array.buffers else {
      throw fault("has \(array.n_buffers) buffers and needs \(index + 1)")
    }
    if let buffer = buffers[index] { return buffer }
    if count > 0 { throw fault("has no buffer \(index)") }
    return UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped
  }

  /// The bits that say which rows are not null; nil where none is.
  func validity() throws(Failure) -> UnsafeRawPointer? {
    if array.null_count == 0 { return nil }
    guard array.n_buffers > 0, let buffers = array.buffers else {
      throw fault("has no buffers")
    }
    return buffers[0]
  }

  /// The same column with the values behind its dictionary as rows.
  func dictionary() throws(Failure) -> ArrowColumn? {
    switch (schema.dictionary, array.dictionary) {
    case (nil, nil): return nil
    case (let schema?, let array?):
      let (_, length) = try Self.extent(of: array.pointee, "the dictionary of column \"\(name)\"")
      var column = try ArrowColumn(
        schema.pointee, array.pointee, place: 0, from: 0, count: length)
      column = ArrowColumn(renaming: column, to: name)
      guard schema.pointee.dictionary == nil else {
        throw fault("has a dictionary of dictionaries")
      }
      return column
    default: throw fault("has a dictionary in its schema or in its batch, and not in both")
    }
  }

  private init(renaming column: ArrowColumn, to name: String) {
    self.name = name
    (format, array, schema) = (column.format, column.array, column.schema)
    (start, count) = (column.start, column.count)
  }

  func fault(_ message: String) -> Failure { .data("column \"\(name)\" \(message)") }
}
