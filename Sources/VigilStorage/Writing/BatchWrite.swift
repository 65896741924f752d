public import Foundation
public import VigilModel

/// The rows of one batch of persons.
public struct BatchWrite: Sendable {
  /// Rows that are new or differ from what is stored.
  public var alertStates: [PatternAlertState]
  /// No two rows have the same key.
  public var notifications: [PlannedNotification]
  public var queue: DeliveryQueue
  public var runID: UUID
  /// The value of `created_at` and `updated_at` of queue rows.
  public var writtenAt: Timestamp
  /// The record that the batch is written; its count of notifications is made here.
  public var checkpoint: BatchCheckpoint?
  /// The results about doses; nil where the run does not follow them.
  public var adherence: AdherenceWrite?
  /// The results about scores; nil where the run does not evaluate them.
  public var vitality: VitalityWrite?
  /// The insights into doses and scores; nil where the run does not look for them.
  public var insights: InsightWrite?
  /// The events of the alerts that a night writes, by their ids; empty for what is no night.
  public var events: [UUID: OutboxEvent.Kind]
  /// The evaluations of single persons that the batch settles, or is; nil where it evaluates no patterns.
  public var settlement: Settlement?
  /// The copies of rows that the batch has made.
  public var history: [HistoryWrite]
  /// The persons whom the next night need not judge again; nil where the run keeps nothing of it.
  public var calm: CalmWrite?

  public init(
    alertStates: [PatternAlertState], notifications: [PlannedNotification],
    queue: DeliveryQueue, runID: UUID, writtenAt: Timestamp, checkpoint: BatchCheckpoint? = nil,
    adherence: AdherenceWrite? = nil, vitality: VitalityWrite? = nil,
    insights: InsightWrite? = nil, events: [UUID: OutboxEvent.Kind] = [:],
    settlement: Settlement? = nil, history: [HistoryWrite] = [], calm: CalmWrite? = nil
  ) {
    self.events = events
    self.settlement = settlement
    self.history = history
    self.calm = calm
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
