public import VigilModel
public import VigilStorage

extension BatchWrite {
  /// Where the notifications go with their batch: those for the live queue are held until the run has
  /// planned them all.
  public var notificationTable: String {
    switch queue {
    case .shadow: queue.rawValue
    case .live: NotificationList.held.rawValue
    }
  }

  /// The columns of `notificationTable` that `put` fills, in its order.
  public var notificationColumns: [String] {
    switch queue {
    case .shadow: QueueRow.columns + ["status"]
    case .live: HeldRow.columns
    }
  }

  /// The columns that identify a row in `notificationTable`.
  public var notificationKey: [String] {
    switch queue {
    case .shadow: ["dedupe_key"]
    case .live: ["run_id", "dedupe_key"]
    }
  }

  /// The action for a row that is there already, as SQL writes it after the key.
  ///
  /// A live run replaces what it has planned when it sees newer data, until a person decides.
  public var notificationConflict: String {
    guard queue == .live else { return QueueRow.replacement(in: notificationTable) }
    let updates = notificationColumns.filter { !notificationKey.contains($0) }
      .map { "\($0) = excluded.\($0)" }
    return """
      DO UPDATE SET \(updates.joined(separator: ", ")) WHERE \(notificationTable).outcome IS NULL
      """
  }

  /// The condition for writing a row, as SQL.
  ///
  /// A notification that is or was in the live queue for good is not held again, so that a day that is run
  /// again adds nothing.
  ///
  /// - Parameters:
  ///   - id: The id of the row, as SQL; `dedupeKey` is its key.
  public func notificationCondition(id: String, dedupeKey: String) -> String {
    switch queue {
    case .shadow: "TRUE"
    case .live: "NOT \(HeldRow.wasEnqueued(id: id, dedupeKey: dedupeKey))"
    }
  }

  public func put(_ notification: PlannedNotification, into row: some RowWriter) {
    QueueRow.put(notification, of: self, into: row)
    switch queue {
    case .shadow:
      row.put(notification.status.rawValue)
    case .live:
      row.put(checkpoint?.shard ?? 1)
      row.put(notification.escalationID)
    }
  }

  /// The checkpoint with the notifications that were inserted.
  public func checkpoint(enqueued: Int) -> BatchCheckpoint? {
    guard var checkpoint else { return nil }
    switch queue {
    case .shadow: checkpoint.counts.notificationsEnqueued = enqueued
    case .live: checkpoint.counts.notificationsHeld = enqueued
    }
    return checkpoint
  }
}
