import VigilModel

/// A form of exported rows.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// RFC 4180: a header, commas, quotes where they are needed, and CRLF after every line.
  case csv
  /// One JSON object a line, with LF after every line.
  case jsonl
}

/// Writes rows of one table as CSV or as JSON Lines, in UTF-8.
///
/// In CSV a missing value is an empty cell. A text that a spreadsheet might take for a formula gets an
/// apostrophe in front: one that begins with `=`, `+`, `-`, `@`, the same in full width, a tab or a line break.
/// So does a text that begins with an apostrophe, so that a reader who takes one away has every text as it was.
/// Numbers get none.
public struct RowEncoder<Row>: Sendable {
  private let columns: [ExportColumn<Row>]
  private let keys: [String]
  private let format: ExportFormat

  public init(_ columns: [ExportColumn<Row>], as format: ExportFormat) {
    self.columns = columns
    self.format = format
    keys = columns.map { JSONString.quoted($0.name) + ":" }
  }

  /// Appends the names of the columns in CSV, and nothing in JSON Lines.
  public func appendHeader(to bytes: inout [UInt8]) {
    guard format == .csv else { return }
    bytes += columns.map(\.name).joined(separator: ",").utf8
    bytes += CSVText.lineEnd
  }

  /// - Complexity: O(length of the row).
  public func append(_ row: Row, to bytes: inout [UInt8]) {
    switch format {
    case .csv:
      for (index, column) in columns.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        let value = column.value(row)
        switch value {
        case .plain(let text): bytes += text.utf8
        case .text(let text): CSVText.append(text, to: &bytes)
        case .missing, .boolean, .integer, .number: bytes += (value.literal ?? "").utf8
        }
      }
      bytes += CSVText.lineEnd
    case .jsonl:
      bytes.append(UInt8(ascii: "{"))
      for (index, column) in columns.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += keys[index].utf8
        let value = column.value(row)
        switch value {
        case .plain(let text), .text(let text): JSONString.append(text, to: &bytes)
        case .missing, .boolean, .integer, .number: bytes += (value.literal ?? "null").utf8
        }
      }
      bytes += "}\n".utf8
    }
  }

  /// The whole of a table that is in memory.
  func text(of rows: some Sequence<Row>) -> String {
    var bytes: [UInt8] = []
    appendHeader(to: &bytes)
    for row in rows { append(row, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Cells of CSV.
private enum CSVText {
  static let lineEnd: [UInt8] = [13, 10]

  /// The first characters that a spreadsheet may take for the beginning of a formula, and the apostrophe.
  private static let guarded: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "'", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]
  private static let special: Set<UInt8> = [
    UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\""), UInt8(ascii: "\t"), 10, 13,
  ]

  static func append(_ text: String, to bytes: inout [UInt8]) {
    // An empty text is no missing value.
    guard let first = text.unicodeScalars.first else {
      bytes += "\"\"".utf8
      return
    }
    let isGuarded = guarded.contains(first)
    guard
      isGuarded || first == " " || text.utf8.last == UInt8(ascii: " ")
        || text.utf8.contains(where: special.contains)
    else {
      bytes += text.utf8
      return
    }
    bytes.append(UInt8(ascii: "\""))
    if isGuarded { bytes.append(UInt8(ascii: "'")) }
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
