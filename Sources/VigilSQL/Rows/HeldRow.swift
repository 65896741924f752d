/// The row of a planned notification in `held_notifications`.
enum HeldRow {
  /// Columns that a run fills: those of the queue, and what a decision needs.
  ///
  /// `shard` names the process that planned the row. The same night run again in other shards has another
  /// value there and the same in every other column.
  static let columns = QueueRow.columns + ["shard", "escalation_id"]

  /// Whether the queue has, or had, a notification that nothing takes the place of, as SQL.
  static func wasEnqueued(id: String, dedupeKey: String) -> String {
    """
    (EXISTS (
      SELECT 1 FROM {{schema}}.notification_queue AS queued
      WHERE queued.dedupe_key = \(dedupeKey) AND NOT \(QueueRow.canBeReplaced("queued"))
    ) OR EXISTS (SELECT 1 FROM {{schema}}.spent_notifications AS spent WHERE spent.id = \(id)))
    """
  }
}
