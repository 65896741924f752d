public import VigilModel

/// The numbers of rows that an import read and wrote.
public struct ImportSummary: Sendable, Hashable, Codable {
  /// In the order in which the tables were filled.
  public var tables: [Table]
  /// Names of files in the folder that belong to no input table, in alphabetical order.
  public var ignoredFiles: [String]
  /// Files that have the contents of another one, and are not read.
  public var repeatedFiles: [String]
  /// Stored days of the same person and source, within the days of an export, that the export does not have.
  public var missingDays: [Day] = []
  /// Whether the values of these days were removed.
  public var removesMissingDays = false
  /// The places of the first unusable rows with their reasons, as `file:line: column: reason`.
  public var firstProblems: [String]

  public var rowsRead: Int { tables.reduce(0) { $0 + $1.rowsRead } }
  public var rowsLeftOut: Int { tables.reduce(0) { $0 + $1.rowsLeftOut } }
  public var rowsQuarantined: Int { tables.reduce(0) { $0 + $1.rowsQuarantined } }

  /// The figures of one table.
  ///
  /// `rowsRead` is the sum of the four counts of rows that follow it.
  public struct Table: Sendable, Hashable, Codable {
    public var name: String
    /// The name of the file the rows came from.
    public var file: String
    /// Rows after the header.
    public var rowsRead = 0
    /// Rows inserted, or updated where their key existed.
    public var rowsWritten = 0
    /// Rows that cannot be used.
    public var rowsQuarantined = 0
    /// Rows that repeat an earlier one of the same file, add to one, or have nothing for this table.
    public var rowsMerged = 0
    /// Rows of persons who were erased.
    public var rowsLeftOut = 0
    /// Persons created because a row names them, and neither the database nor `users.csv` has them.
    public var personsAdded = 0
  }
}
