import CVigil

/// A record batch of the caller, checked so far as the C data interface allows: sizes of buffers are not in it.
struct RecordBatch {
  /// Rows.
  let count: Int
  let columns: [ArrowColumn]

  /// - Throws: `Failure` where schema and batch are no struct array with columns that fit each other.
  init(_ schema: ArrowSchema, _ batch: ArrowArray) throws(Failure) {
    guard schema.release != nil, batch.release != nil else {
      throw .argument("the schema or the batch was released before")
    }
    guard schema.format.map({ String(cString: $0) }) == "+s" else {
      throw .data("the batch is one column; give a record batch, which is a struct of columns")
    }
    guard schema.n_children == batch.n_children, schema.n_children >= 0 else {
      throw .data(
        "the schema has \(schema.n_children) columns and the batch \(batch.n_children)")
    }
    let (offset, count) = try ArrowColumn.extent(of: batch, "the batch")
    if batch.n_buffers > 0, let buffers = batch.buffers, let validity = buffers[0] {
      for row in offset..<offset + count where !ArrowColumn.bit(row, of: validity) {
        throw .data("row \(row - offset) of the batch is null; leave it out")
      }
    }
    var columns: [ArrowColumn] = []
    for index in 0..<Int(schema.n_children) {
      guard let schema = schema.children?[index], let array = batch.children?[index] else {
        throw .data("column \(index) of the batch is a null pointer")
      }
      columns.append(
        try ArrowColumn(schema.pointee, array.pointee, place: index, from: offset, count: count))
    }
    self.count = count
    self.columns = columns
  }

  /// The column with the first of some names.
  ///
  /// - Throws: `Failure` where two columns have it.
  func column(_ names: [String]) throws(Failure) -> ArrowColumn? {
    for name in names {
      let found = columns.filter { $0.name == name }
      if found.count > 1 { throw .data("there are \(found.count) columns \"\(name)\"; give one") }
      if let column = found.first { return column }
    }
    return nil
  }

  func requiredColumn(_ names: [String], _ what: String) throws(Failure) -> ArrowColumn {
    if let column = try column(names) { return column }
    let present = columns.map(\.name).joined(separator: ", ")
    throw .data(
      "there is no column \"\(names[0])\", \(what); the columns are "
        + (present.isEmpty ? "none" : present))
  }
}
