import Foundation
import GRDB
import PostgresTestServer
import Synchronization

extension TestDatabase {
  /// The rows of a query, columns joined by `|`, NULL empty; values have one form in every kind of
  /// database.
  public func rows(_ sql: String) throws -> [String] {
    try result(of: sql).rows.map { $0.map { $0 ?? "" }.joined(separator: "|") }
  }

  public func count(_ table: String) throws -> Int {
    try rows("SELECT count(*) FROM \(table)").first.flatMap { Int($0) } ?? 0
  }

  /// Every row of a table as `column=value ...`, by id and in an order of columns that does not depend
  /// on the database.
  ///
  /// - Parameter left: Columns that do not count.
  public func dump(_ table: String, without left: Set<String> = []) throws -> [String] {
    let result = try result(of: "SELECT * FROM \(table) ORDER BY id")
    let columns = result.columns.indices.filter { !left.contains(result.columns[$0]) }
      .sorted { result.columns[$0] < result.columns[$1] }
    return result.rows.map { row in
      columns.map { "\(result.columns[$0])=\(row[$0] ?? "NULL")" }.joined(separator: " ")
    }
  }

  /// Column names and values of a query.
  public func result(of sql: String) throws -> (columns: [String], rows: [[String?]]) {
    switch self {
    case .sqlite(let path):
      try Self.file(path).read { db in
        let statement = try db.makeStatement(sql: sql)
        let names = statement.columnNames
        let rows = try Row.fetchAll(statement).map { row in
          zip(names, row.databaseValues).map { CanonicalText.of($1, in: $0) }
        }
        return (names, rows)
      }
    case .postgres(let schema):
      try {
        let found = try schema.withSession { try $0.rows(sql) }
        let rows = found.values.map { row in
          zip(found.columns, row).map { CanonicalText.of($1, in: $0) }
        }
        return (found.columns.map(\.name), rows)
      }()
    }
  }
}

/// One text for one value, whichever database it comes from: booleans are 1 and 0, times as Vigil
/// writes them on SQLite, JSON has sorted keys.
private enum CanonicalText {
  static func of(_ value: DatabaseValue, in column: String) -> String? {
    switch value.storage {
    case .null: nil
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): ["payload", "data_quality"].contains(column) ? json(text) : text
    case .blob(let bytes): bytes.map { String($0, radix: 16) }.joined()
    }
  }

  static func of(_ text: String?, in column: PostgresRows.Column) -> String? {
    guard let text else { return nil }
    switch column.type {
    case 16: return text == "t" ? "1" : "0"
    case 700, 701: return Double(text).map { "\($0)" } ?? text
    case 114, 3802: return json(text)
    case 1083: return text.hasSuffix(":00") ? String(text.dropLast(3)) : text
    case 1184: return instant(text)
    default: return text
    }
  }

  /// `2026-01-31 02:00:00.5+00`, as PostgreSQL writes it in UTC, with six decimals and a Z.
  private static func instant(_ text: String) -> String {
    var bytes = Array(text.utf8)
    if bytes.suffix(3).elementsEqual("+00".utf8) { bytes.removeLast(3) }
    if let space = bytes.firstIndex(of: UInt8(ascii: " ")) { bytes[space] = UInt8(ascii: "T") }
    let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
    if point == bytes.endIndex { bytes.append(UInt8(ascii: ".")) }
    while bytes.count < point + 7 { bytes.append(UInt8(ascii: "0")) }
    return String(decoding: bytes, as: UTF8.self) + "Z"
  }

  /// Tests dump the same rows night after night; the texts found before are known.
  private static let jsonForms = Mutex<[String: String]>([:])
  private static let mostForms = 10_000

  private static func json(_ text: String) -> String {
    if let known = jsonForms.withLock({ $0[text] }) { return known }
    let form = sortedJSON(text)
    jsonForms.withLock {
      if $0.count >= mostForms { $0.removeAll() }
      $0[text] = form
    }
    return form
  }

  private static func sortedJSON(_ text: String) -> String {
    guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
      let data = try? JSONSerialization.data(
        withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
    else { return text }
    return String(decoding: data, as: UTF8.self)
  }
}
