public import VigilModel
public import VigilStorage

/// The row of a `QuarantinedRow` in `quarantined_rows`.
public enum QuarantineRow {
  /// Puts the parameters of `InputStatement.quarantineRow`.
  public static func put(_ found: QuarantinedRow, at now: Timestamp, into row: some RowWriter) {
    row.put(found.runID)
    row.put(found.table)
    row.put(found.file)
    row.put(found.line)
    row.put(found.column)
    row.put(found.reason)
    row.put(found.key)
    row.put(now)
  }
}

extension SQLSession {
  /// Adds a row to `quarantined_rows`; one that is there already gets the run of this one.
  public func quarantine(_ found: QuarantinedRow, at now: Timestamp) throws {
    try write(InputStatement.quarantineRow) { QuarantineRow.put(found, at: now, into: $0) }
  }
}
