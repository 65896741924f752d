/// Rows of one table, each value as the database writes it as text.
public struct ArchivedRows: Sendable, Hashable {
  public var table: String
  public var columns: [Column]
  /// As many values as columns; nil for NULL.
  public var rows: [[String?]]

  public init(table: String, columns: [Column], rows: [[String?]]) {
    self.table = table
    self.columns = columns
    self.rows = rows
  }

  public struct Column: Sendable, Hashable, Codable {
    public var name: String
    /// As the database writes it.
    public var type: String

    public init(name: String, type: String) {
      self.name = name
      self.type = type
    }
  }
}

/// A place that keeps rows which are about to go.
public protocol RowArchive {
  /// Begins anew: what was added before does not count.
  func begin() throws
  func add(_ rows: ArchivedRows) throws
  /// Completes the archive; returns once it is on the disk. Only then the rows go.
  func complete() throws
}

/// The numbers of rows that were to be restored, by their outcome.
public struct RestoredRows: Sendable, Hashable {
  public var inserted = 0
  /// Rows that were there already.
  public var present = 0
  /// Rows that refer to a person, a medication or an alert that is not there any more.
  public var orphaned = 0

  public init() {}

  public static func += (sum: inout RestoredRows, other: RestoredRows) {
    sum.inserted += other.inserted
    sum.present += other.present
    sum.orphaned += other.orphaned
  }
}
