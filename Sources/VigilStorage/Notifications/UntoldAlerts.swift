import VigilModel

/// Active alerts of shadow nights in a database that has never sent a notification: its first live night
/// would notify of all of them at once.
enum UntoldAlerts {
  static let count = BoundStatement(
    """
    SELECT count(*) FROM {{schema}}.\(AlertStateRow.table) AS alert
    JOIN {{schema}}.\(RunRow.table) AS run ON run.id = alert.run_id
    WHERE alert.episode_status = 'active' AND run.mode = 'shadow' AND NOT EXISTS (
      SELECT 1 FROM {{schema}}.\(AlertStateRow.table) AS told WHERE told.last_notified_level IS NOT NULL
    )
    """, [], table: AlertStateRow.table, columns: ["count"])

  static func decode(_ row: any RowReader) throws -> Int {
    var row = row
    return try row.int()
  }
}

extension Storage {
  /// Returns the number of active alerts of shadow nights that were never notified; 0 once a live run has
  /// notified of anything, or `golive`, a release or a discard has decided about it.
  public func alertsNeverTold() throws -> Int {
    try rows(UntoldAlerts.count, UntoldAlerts.decode).first ?? 0
  }
}

extension RunTransaction {
  /// The same inside a transaction.
  public func alertsNeverTold() throws -> Int {
    try rows(UntoldAlerts.count, UntoldAlerts.decode).first ?? 0
  }
}
