import Foundation
import GRDB
import VigilModel
public import VigilSQL
import VigilStorage

/// One connection of a file, in or outside of a transaction.
public struct SQLiteSession: SQLSession {
  let db: Database
  let file: DatabaseFile

  /// Attached files and temporary tables are never meant.
  static let library = StatementLibrary(schema: "main", dialect: .sqlite)

  public var statements: StatementLibrary { Self.library }

  public func execute(_ statement: RenderedStatement, _ values: [SQLValue]) throws -> Int {
    try file.mappingErrors(table: statement.table) { try prepared(statement, values).run() }
  }

  public func rows<Result>(
    _ statement: RenderedStatement, _ values: [SQLValue],
    _ decode: (inout RowDecoder) throws -> Result
  ) throws -> [Result] {
    var results: [Result] = []
    try prepared(statement, values).forEachRow { row in
      var row = RowDecoder(row, of: statement.table, in: file)
      try results.append(decode(&row))
    }
    return results
  }

  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    var result: Swift.Result<Result, any Error>?
    try db.inSavepoint {
      result = .success(try body())
      return .commit
    }
    guard let result else { preconditionFailure("a savepoint runs its body") }
    return try result.get()
  }

  private func prepared(_ statement: RenderedStatement, _ values: [SQLValue]) throws -> RawStatement
  {
    let prepared = try RawStatement(rendered: statement.sql, on: db)
    for (index, value) in values.enumerated() { prepared.bind(value, at: index + 1) }
    return prepared
  }
}
