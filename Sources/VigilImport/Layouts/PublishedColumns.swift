import Foundation
import VigilModel

/// The columns of a published layout by their name; columns that no import reads are ignored.
struct PublishedColumns {
  private let indices: [String: Int]
  private let parser: FieldParser

  /// - Throws: `ImportError` naming every one of `required` that the header lacks.
  init(of reader: CSVReader, required: [String], parser: FieldParser) throws {
    indices = Dictionary(
      zip(reader.header, reader.header.indices), uniquingKeysWith: { first, _ in first })
    self.parser = parser
    let missing = required.filter { indices[$0] == nil }
    guard missing.isEmpty else {
      let file = fileName(reader.path)
      throw ImportError(
        .badData, "\(file) is not in the published layout; nothing was imported",
        problems: missing.map { "\(file): column '\($0)' is missing" })
    }
  }

  /// A finite number that is not negative, or nil where it is missing.
  func number(_ column: String, of row: CSVRow) throws(RowProblem) -> Double? {
    try optional(column, of: row) { parser, bytes throws(Refusal) in
      let number = try parser.real(bytes)
      if number < 0 { throw Refusal("negative") }
      return number
    }
  }

  func text(_ column: String, of row: CSVRow) throws(RowProblem) -> String? {
    try optional(column, of: row) { parser, bytes throws(Refusal) in try parser.text(bytes) }
  }

  /// A value as `parse` reads it, or nil where it is missing.
  func optional<Value>(
    _ column: String, of row: CSVRow,
    parse: (FieldParser, FieldParser.Bytes) throws(Refusal) -> Value
  ) throws(RowProblem) -> Value? {
    guard let field = field(column, of: row) else { return nil }
    return try refusing(column) { () throws(Refusal) in try parse(parser, field.bytes) }
  }

  /// Like `optional`, but a missing value is a problem.
  func required<Value>(
    _ column: String, of row: CSVRow,
    parse: (FieldParser, FieldParser.Bytes) throws(Refusal) -> Value
  ) throws(RowProblem) -> Value {
    guard let value = try optional(column, of: row, parse: parse) else {
      throw RowProblem(column: column, reason: "missing")
    }
    return value
  }

  /// The person with this id in the source; the UUID is that of `prefix` and the id as a URL.
  func person(_ column: String, of row: CSVRow, prefix: String) throws(RowProblem) -> PersonID {
    let id = try required(column, of: row) { parser, bytes throws(Refusal) in
      try parser.text(bytes)
    }
    return PersonID(id: UUID(name: prefix + id, namespace: .urlNamespace), externalID: id)
  }

  private func field(_ column: String, of row: CSVRow) -> CSVField? {
    guard let index = indices[column], !row[index].bytes.isEmpty else { return nil }
    return row[index]
  }

  private func refusing<Value>(
    _ column: String, _ body: () throws(Refusal) -> Value
  ) throws(RowProblem) -> Value {
    do throws(Refusal) {
      return try body()
    } catch {
      throw RowProblem(column: column, reason: error.reason)
    }
  }
}

extension UUID {
  /// The namespace of URLs (RFC 9562, section 6.6).
  static let urlNamespace = UUID(
    uuid: (
      0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1,
      0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8
    ))
}
