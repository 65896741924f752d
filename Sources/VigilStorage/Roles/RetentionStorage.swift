public import VigilModel

/// A database whose old rows go once they are in an archive, and come back from it.
///
/// All methods throw `StorageError`.
public protocol RetentionStorage: Sendable {
  /// Counts the rows that are old, by table; tables without one are left out.
  func oldRows(_ cutoffs: [RetentionCutoff], at now: Timestamp) throws -> [TableRowCount]

  /// Removes the rows that are old in one transaction, which commits once the archive is complete.
  ///
  /// Rows that are added meanwhile stay, whatever their age. The ids of notifications are remembered, so that none is
  /// sent twice. Where the connection is lost, the archive begins anew.
  ///
  /// - Returns: The number of rows by table, as `oldRows` returns them.
  func removeOldRows(
    _ cutoffs: [RetentionCutoff], at now: Timestamp, into archive: any RowArchive
  ) throws -> [TableRowCount]

  /// Runs `body` in one transaction, with a function that inserts rows of an archive.
  ///
  /// A row whose key is there is left as it is. One that refers to what is not there any more is left out; so are all
  /// rows of persons who were erased.
  ///
  /// - Throws: `StorageError` with `.corrupt` for a table or a column that the database does not have.
  func restoreRows<Result>(
    _ body: (_ insert: (ArchivedRows) throws -> RestoredRows) throws -> Result
  ) throws -> Result
}
