public import VigilStorage

extension SQLStorage {
  /// Counts the rows of those of some tables that are there and are no views; tables without a row are left out.
  public func rowCounts(of tables: [String]) throws -> [TableRowCount] {
    try withSession { session in
      let own = Set(try session.relations().filter(\.isOwn).map(\.name))
      return try tables.filter(own.contains).compactMap { table in
        let statement = session.statements.statement(
          SchemaStatement.countRows, ["table": .name(table)])
        let rows = try session.rows(statement, []) { try $0.int() }.first ?? 0
        return rows > 0 ? TableRowCount(table: table, rows: rows) : nil
      }
    }
  }
}
