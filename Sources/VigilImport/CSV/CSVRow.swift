/// One row of a CSV file; its fields can be read until the reader goes on to the next row.
struct CSVRow {
  /// The line on which the row begins; the first line of the file is 1.
  let line: Int
  /// The reason why the row cannot be used; its fields have no meaning then.
  let problem: CSVProblem?
  fileprivate let base: UnsafePointer<UInt8>
  fileprivate let ranges: UnsafeBufferPointer<CSVFieldRange>

  init(
    line: Int, problem: CSVProblem?, base: UnsafePointer<UInt8>,
    ranges: UnsafeBufferPointer<CSVFieldRange>
  ) {
    self.line = line
    self.problem = problem
    self.base = base
    self.ranges = ranges
  }

  var count: Int { ranges.count }

  subscript(index: Int) -> CSVField {
    let range = ranges[index]
    return CSVField(
      bytes: UnsafeBufferPointer(
        start: base + Int(range.start), count: Int(range.end - range.start)),
      isQuoted: range.isQuoted)
  }
}

/// One field, without its quotes and with doubled quotes made single.
struct CSVField {
  let bytes: UnsafeBufferPointer<UInt8>
  let isQuoted: Bool

  /// Whether nothing at all stands between the commas.
  ///
  /// `""` is not missing: it is an empty text, the only way to write one.
  var isMissing: Bool { bytes.isEmpty && !isQuoted }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// The place of a field in the reader's buffer.
struct CSVFieldRange {
  var start: Int32
  var end: Int32
  var isQuoted: Bool
}

/// The ways in which the form of a row can be wrong.
enum CSVProblem: Hashable, CustomStringConvertible {
  case unterminatedQuote
  case textAfterQuote
  case quoteInsideField
  case tooLong(limit: Int)
  case invalidUTF8
  case fieldCount(Int, expected: Int)

  var description: String {
    switch self {
    case .unterminatedQuote: "a quote is opened and never closed"
    case .textAfterQuote: "text after a closing quote"
    case .quoteInsideField: "a quote inside an unquoted field"
    case .tooLong(let limit): "longer than \(limit) bytes (a quote left open?)"
    case .invalidUTF8: "not UTF-8; save the file as CSV UTF-8"
    case .fieldCount(let count, let expected):
      "\(count) \(count == 1 ? "field" : "fields") where the header has \(expected)"
    }
  }
}
