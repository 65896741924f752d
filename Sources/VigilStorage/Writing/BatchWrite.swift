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

extension BatchCheckpoint {
  /// The notifications that were inserted with the batch.
  public var enqueued: Int { counts.notificationsEnqueued + counts.notificationsHeld }
}
