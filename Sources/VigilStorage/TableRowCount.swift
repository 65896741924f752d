/// A number of rows of one table.
public struct TableRowCount: Sendable, Hashable {
  public var table: String
  public var rows: Int

  public init(table: String, rows: Int) {
    self.table = table
    self.rows = rows
  }
}
