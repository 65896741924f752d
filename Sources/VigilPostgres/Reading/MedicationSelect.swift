import Foundation
import VigilModel
import VigilSQL
import VigilStorage

/// The selection of runs from one of the tables of medications, which may be an app's and have
/// other types.
struct MedicationSelect {
  let table: InputTable
  /// The columns' expressions, in the order of `InputTable.columnsOfRuns`.
  let expressions: [SQLExpression]
  private let typeOf: [String: String]

  /// - Throws: `StorageError` with `.unknownColumn` where a column is missing that must be there.
  init(_ table: InputTable, on connection: Connection, database: String) throws {
    self.table = table
    let columns = try connection.columns(of: table.name)
    typeOf = Dictionary(columns.map { ($0.name, $0.type) }) { first, _ in first }
    var expressions: [SQLExpression] = []
    for column in table.columnsOfRuns {
      let type = typeOf[column.name]
      guard type != nil || !column.isRequired else {
        throw StorageError(
          .unknownColumn, "\(table.name) in \(database) has no column \(column.name)",
          remedy: .addColumn)
      }
      expressions.append(Self.expression(for: column, type: type))
    }
    self.expressions = expressions
  }

  private static func expression(for column: InputTable.Column, type: String?) -> SQLExpression {
    let value = type == nil ? .null : SQLExpression.column(column.name)
    switch column.kind {
    case .person, .id: return value.cast(to: "uuid")
    case .plannedDay where !column.isRequired: return value.cast(to: "date").unlessInfinite
    case .day, .observedDay, .plannedDay: return value.cast(to: "date")
    case .boolean: return value.cast(to: "boolean").truth
    case .integer, .score, .weekday, .priority, .minutes, .dayCount: return value.cast(to: "bigint")
    case .real: return value.cast(to: "double precision")
    case .list: return type?.hasSuffix("[]") == true ? value.jsonText : value.cast(to: "text")
    // A time without a zone is taken for UTC.
    case .timestamp:
      return type == "timestamp without time zone"
        ? value.inUTC : value.cast(to: "timestamp with time zone")
    case .text, .word, .timezone, .timeOfDay, .address, .language: return value.cast(to: "text")
    }
  }

  /// The type of a column; nil where the table has no such column.
  func type(of column: String) -> String? { typeOf[column] }

  /// The expression of a column for a run: NULL where the table has no such column.
  func expression(for column: String) -> SQLExpression {
    guard let known = table.column(named: column) else { return .null }
    return Self.expression(for: known, type: typeOf[column])
  }

  /// The fillings of the query for the rows of which a column is one of `$1`.
  func fillings(by column: String) -> SQLFillings {
    ["columns": .expressions(expressions), "table": .name(table.name), "key": .name(column)]
  }
}
