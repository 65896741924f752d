/// The rows of one table about a person, each value as the database writes it as text.
public struct PersonalRows: Sendable, Hashable {
  public var table: String
  public var columns: [Column]
  /// As many values as columns; nil for NULL.
  public var rows: [[String?]]

  public init(table: String, columns: [Column], rows: [[String?]]) {
    self.table = table
    self.columns = columns
    self.rows = rows
  }

  public struct Column: Sendable, Hashable {
    public var name: String
    public var type: ValueType

    public init(name: String, type: ValueType) {
      self.name = name
      self.type = type
    }
  }

  /// The form of a value in JSON.
  public enum ValueType: String, Sendable {
    case text
    case number
    case boolean
    case json
  }
}

/// The number of rows of one table about a person.
public struct PersonalRowCount: Sendable, Hashable {
  public var table: String
  public var rows: Int
  /// Whether the table is an app's own, or a view: its rows are the app's to remove.
  public var isForeign: Bool

  public init(table: String, rows: Int, isForeign: Bool = false) {
    self.table = table
    self.rows = rows
    self.isForeign = isForeign
  }
}

/// A place that still holds the id of a person.
public enum PersonTrace: Sendable, Hashable {
  /// A table, with the number of rows.
  case table(String, rows: Int)
  /// The file of the database, or one that SQLite keeps beside it: pages that are not in use.
  case file(String)
  /// A copy of the file that Vigil made before a migration.
  case backup(String)
}
