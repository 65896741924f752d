import Foundation
import VigilModel
import VigilSQL
import VigilStorage

/// What runs select of one of the tables of medications, which may be an app's and have other types.
struct MedicationSelect {
  let table: InputTable
  /// The columns' expressions, in the order of `InputTable.columnsOfRuns`.
  let expressions: [String]
  private let typeOf: [String: String]

  /// - Throws: `StorageError` with `.unknownColumn` where a column is missing that must be there.
  init(_ table: InputTable, on connection: Connection, database: String) throws {
    self.table = table
    let columns = try connection.columns(of: table.name)
    typeOf = Dictionary(columns.map { ($0.name, $0.type) }) { first, _ in first }
    var expressions: [String] = []
    for column in table.columnsOfRuns {
      let type = typeOf[column.name]
      guard type != nil || !column.isRequired else {
        throw StorageError(
          .unknownColumn, "\(table.name) in \(database) has no column \(column.name)",
          hint: "add it to the view, or to the table; `vigil doctor` lists what else is missing")
      }
      expressions.append(Self.expression(for: column, type: type))
    }
    self.expressions = expressions
  }

  private static func expression(for column: InputTable.Column, type: String?) -> String {
    let name = type == nil ? "NULL" : column.name.quotedIdentifier
    switch column.kind {
    case .person, .id: return "\(name)::uuid"
    case .day, .plannedDay: return "\(name)::date"
    case .boolean: return "CASE WHEN \(name)::boolean THEN 1 WHEN NOT \(name)::boolean THEN 0 END"
    case .integer, .score: return "\(name)::bigint"
    case .real: return "\(name)::double precision"
    case .list:
      return type?.hasSuffix("[]") == true ? "array_to_json(\(name))::text" : "\(name)::text"
    // A time without a zone is taken for UTC.
    case .timestamp:
      return type == "timestamp without time zone"
        ? "\(name) AT TIME ZONE 'UTC'" : "\(name)::timestamptz"
    case .text, .word, .timezone, .timeOfDay: return "\(name)::text"
    }
  }

  /// The type of a column; nil where the table has no such column.
  func type(of column: String) -> String? { typeOf[column] }

  /// What a column is to a run: NULL where the table has no such column.
  func expression(for column: String) -> String {
    guard let known = table.column(named: column) else { return "NULL" }
    return Self.expression(for: known, type: typeOf[column])
  }

  /// The rows of which a column is one of `$1`.
  func sql(by column: String) -> String {
    """
    SELECT \(expressions.joined(separator: ", ")) FROM {{schema}}.\(table.name)
    WHERE \(column.quotedIdentifier) = ANY ($1)
    """
  }
}
