public import VigilModel
public import VigilStorage

extension BatchWrite {
  /// The table for the notifications of a batch: those for the live queue are held until the run
  /// has planned them all.
  public var notificationTable: String {
    switch queue {
    case .shadow: queue.rawValue
    case .live: NotificationList.held.rawValue
    }
  }

  /// The columns of `notificationTable` that `put` fills, in its order.
  public var notificationColumns: [String] {
    switch queue {
    case .shadow: QueueRow.shadowColumns
    case .live: HeldRow.columns
    }
  }

  /// The statement that writes a notification, or staged notifications, into `notificationTable`.
  public var notificationStatement: WriteStatement {
    switch queue {
    case .shadow: .putShadowNotifications
    case .live: .putHeldNotifications
    }
  }

  public func put(_ notification: PlannedNotification, into row: some RowWriter) {
    QueueRow.put(notification, of: self, into: row)
    switch queue {
    case .shadow:
      row.put(notification.status.rawValue)
    case .live:
      row.put(settlement?.evaluation?.number ?? checkpoint?.shard ?? 1)
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
