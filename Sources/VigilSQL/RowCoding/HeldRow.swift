/// The row of a planned notification in `held_notifications`.
enum HeldRow {
  static let key = ["run_id", "dedupe_key"]

  /// Columns that a run fills: those of the queue, and what a decision needs.
  ///
  /// `shard` names the process that planned the row. The same night run again in other shards has another
  /// value there and the same in every other column.
  static let columns = QueueRow.columns + ["shard", "escalation_id"]
}
