public import Foundation
public import VigilModel

/// The rows of one batch of persons.
public struct BatchWrite: Sendable {
  /// Rows that are new or differ from what is stored.
  public var alertStates: [PatternAlertState]
  /// No two of the same key.
  public var notifications: [PlannedNotification]
  public var queue: DeliveryQueue
  public var runID: UUID
  /// Goes to `created_at` and `updated_at` of queue rows.
  public var writtenAt: Timestamp
  /// Says that the persons of this batch are done; without their notifications, which are counted here.
  public var checkpoint: BatchCheckpoint?
  /// What was found out about doses; nil where the run does not follow them.
  public var adherence: AdherenceWrite?
  /// What was found out about scores; nil where the run does not evaluate them.
  public var vitality: VitalityWrite?
  /// What stands out in doses and scores; nil where the run does not look for it.
  public var insights: InsightWrite?

  public init(
    alertStates: [PatternAlertState], notifications: [PlannedNotification],
    queue: DeliveryQueue, runID: UUID, writtenAt: Timestamp, checkpoint: BatchCheckpoint? = nil,
    adherence: AdherenceWrite? = nil, vitality: VitalityWrite? = nil,
    insights: InsightWrite? = nil
  ) {
    self.vitality = vitality
    self.insights = insights
    self.adherence = adherence
    self.alertStates = alertStates
    self.notifications = notifications
    self.queue = queue
    self.runID = runID
    self.writtenAt = writtenAt
    self.checkpoint = checkpoint
  }
}

extension BatchWrite {
  /// Where the notifications go with their batch: those for the live queue are held until the run has
  /// planned them all.
  public var notificationTable: String {
    switch queue {
    case .shadow: queue.rawValue
    case .live: HeldNotifications.table
    }
  }

  /// The columns of `notificationTable` that `put` fills, in its order.
  public var notificationColumns: [String] {
    switch queue {
    case .shadow: QueueRow.columns + ["status"]
    case .live: HeldNotifications.columns
    }
  }

  /// What of a row can be in `notificationTable` only once.
  public var notificationKey: [String] {
    switch queue {
    case .shadow: ["dedupe_key"]
    case .live: ["run_id", "dedupe_key"]
    }
  }

  /// What becomes of a row that is there already, as SQL writes it after the key: what a live run has
  /// planned gives way to what it plans when it sees newer data, until somebody decides.
  public var notificationConflict: String {
    guard queue == .live else { return QueueRow.replacement(in: notificationTable) }
    let updates = notificationColumns.filter { !notificationKey.contains($0) }
      .map { "\($0) = excluded.\($0)" }
    return """
      DO UPDATE SET \(updates.joined(separator: ", ")) WHERE \(notificationTable).outcome IS NULL
      """
  }

  /// What has to be true of a row for it to be written, as SQL: what is or was in the live queue for good
  /// is not held again, so that a day that is run again adds nothing.
  ///
  /// - Parameters:
  ///   - id: The id of the row, as SQL; `dedupeKey` is its key.
  public func notificationCondition(id: String, dedupeKey: String) -> String {
    switch queue {
    case .shadow: "TRUE"
    case .live: "NOT \(HeldNotifications.wasEnqueued(id: id, dedupeKey: dedupeKey))"
    }
  }

  public func put(_ notification: PlannedNotification, into row: some RowWriter) {
    QueueRow.put(notification, of: self, into: row)
    switch queue {
    case .shadow:
      row.put(notification.status.rawValue)
    case .live:
      row.put(notification.level.rawValue)
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

extension BatchCheckpoint {
  /// The notifications that were inserted with the batch.
  public var enqueued: Int { counts.notificationsEnqueued + counts.notificationsHeld }
}

/// Where planned notifications go.
public enum DeliveryQueue: String, Sendable {
  case live = "notification_queue"
  case shadow = "shadow_notification_queue"

  /// Cancels what was to be told later of alerts that have ended meanwhile.
  static func resolve(at now: Timestamp) -> BoundStatement {
    BoundStatement(
      """
      UPDATE {{schema}}.notification_queue
      SET status = 'cancelled', status_reason = 'resolved', updated_at = $1
      WHERE status = 'pending' AND scheduled_for > $1 AND notification_type = 'pattern_alert'
        AND EXISTS (
          SELECT 1 FROM {{schema}}.pattern_alert_state AS alert
          WHERE alert.id = notification_queue.alert_state_id AND alert.episode_status = 'resolved'
        )
      """, [.timestamp(now)], table: live.rawValue)
  }

  /// Cancels what nobody has sent in time.
  static func expire(at now: Timestamp) -> BoundStatement {
    // What has expired was due before; that is what the index of pending rows is ordered by.
    BoundStatement(
      """
      UPDATE {{schema}}.notification_queue
      SET status = 'cancelled', status_reason = 'expired', updated_at = $1
      WHERE status = 'pending' AND scheduled_for <= $1 AND expires_at <= $1
      """, [.timestamp(now)], table: live.rawValue)
  }
}

public struct BatchWriteResult: Sendable {
  /// Notifications to be sent that entered the shadow queue, those that were there already left out; or
  /// those that are held for the live queue, with those that gave way to them.
  public var enqueued: Int

  public init(enqueued: Int) {
    self.enqueued = enqueued
  }
}
