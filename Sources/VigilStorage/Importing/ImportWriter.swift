public import Foundation
public import VigilModel

/// Writes input rows inside the transaction of `Storage.importRows`.
public protocol ImportWriter: AnyObject {
  /// Whether `table` has a row with this id, rows of this import included.
  func hasRow(_ id: UUID, in table: InputTable) throws -> Bool

  /// Returns a writer of rows of `table` that have exactly `columns`.
  ///
  /// A row whose key exists is updated in the given columns; its other columns stay unchanged.
  /// Where the table has `created_at` and `updated_at` and they are not among `columns`, they are
  /// `now`; a row that an upsert does not change keeps its `updated_at`.
  func inserter(
    into table: InputTable, columns: [String], now: Timestamp
  ) throws -> any RowInserter

  /// Creates the person unless there is one with this id; returns whether it did.
  @discardableResult
  func ensureUser(_ id: UUID, externalID: String?, now: Timestamp) throws -> Bool

  /// The days of which a person's row of one source has a value, in order; rows of this import may be missing.
  func daysWithMetrics(
    of person: UUID, source: String, in days: ClosedRange<Day>
  ) throws -> [Day]

  func quarantine(_ row: QuarantinedRow, now: Timestamp) throws
}

public protocol RowInserter: AnyObject {
  /// Upserts one row, with a value for each column, in their order.
  func upsert(_ values: [InputValue]) throws
}
