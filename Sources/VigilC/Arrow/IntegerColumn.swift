import CVigil

/// A column of whole numbers of any width.
struct IntegerColumn {
  let column: ArrowColumn
  private let validity: UnsafeRawPointer?
  private let values: UnsafeRawPointer

  static func canRead(_ format: String) -> Bool {
    // The search for a text in a text would link the parser of regular expressions, 1 MB.
    format.utf8.count == 1 && format.utf8.allSatisfy("cCsSiIlL".utf8.contains)
  }

  init(_ column: ArrowColumn) throws(Failure) {
    self.column = column
    validity = try column.validity()
    values = try column.buffer(1)
  }

  func isNull(_ row: Int) -> Bool {
    guard let validity else { return false }
    return !ArrowColumn.bit(column.start + row, of: validity)
  }

  /// The number of a row that is not null; one above `Int64.max` is that.
  func value(_ row: Int) -> Int64 {
    let index = column.start + row
    func load<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) -> Int64 {
      Int64(
        clamping: values.loadUnaligned(
          fromByteOffset: index * MemoryLayout<Value>.size, as: Value.self))
    }
    return switch column.format {
    case "c": load(Int8.self)
    case "C": load(UInt8.self)
    case "s": load(Int16.self)
    case "S": load(UInt16.self)
    case "i": load(Int32.self)
    case "I": load(UInt32.self)
    case "l": load(Int64.self)
    default: load(UInt64.self)
    }
  }
}
