public import Foundation
public import VigilModel

/// Writes input rows inside the transaction of `Storage.importRows`.
public protocol ImportWriter: AnyObject {
  /// Whether `table` has a row with this id, be it one of this import.
  func hasRow(_ id: UUID, in table: InputTable) throws -> Bool

  /// A writer of rows of `table` that hold exactly `columns`.
  ///
  /// A row whose key exists is updated in the given columns, others keep what they had. Where the
  /// table has `created_at` and `updated_at` and they are not among `columns`, they are `now`; a
  /// row that an upsert does not change keeps its `updated_at`.
  func inserter(
    into table: InputTable, columns: [String], now: Timestamp
  ) throws -> any RowInserter

  /// Creates the person unless there is one with this id, and says whether it did.
  @discardableResult
  func ensureUser(_ id: UUID, externalID: String?, now: Timestamp) throws -> Bool

  func quarantine(_ row: QuarantinedRow, now: Timestamp) throws
}

public protocol RowInserter: AnyObject {
  /// Upserts one row; as many values as columns, in their order.
  func upsert(_ values: [InputValue]) throws
}
