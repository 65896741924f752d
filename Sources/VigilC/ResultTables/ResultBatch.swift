/// Rows whose columns are complete, in memory that all streams of them share.
struct ResultBatch {
  struct Column {
    let nullCount: Int
    /// In the order of Arrow's layout; the first, of validity, is nil where there is no null.
    let buffers: [UnsafeRawPointer?]
  }

  /// Rows.
  let count: Int
  let columns: [Column]
  let memory: Memory

  /// - Parameter columns: At least one.
  init(_ columns: [ResultColumn]) {
    let memory = Memory()
    count = columns[0].count
    self.memory = memory
    self.columns = columns.map { column in
      let validity = column.nullCount == 0 ? nil : memory.copy(column.validity)
      let values: [UnsafeRawPointer?] =
        switch column.kind {
        case .text: [memory.copy(column.integers), memory.copy(column.bytes)]
        case .date, .integer: [memory.copy(column.integers)]
        case .number: [memory.copy(column.numbers)]
        case .boolean: [memory.copy(column.bytes)]
        }
      return Column(nullCount: column.nullCount, buffers: [validity] + values)
    }
  }
}
