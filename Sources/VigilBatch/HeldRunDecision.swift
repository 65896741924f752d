public import Foundation
public import VigilModel
import VigilNotifications
public import VigilStorage

/// Carries out what somebody decides about the notifications that a run has held back
/// (specification, runs.md section 3).
public struct HeldRunDecision: Sendable {
  let storage: any Storage

  public init(storage: any Storage) {
    self.storage = storage
  }

  /// Lets the notifications of a run go, or gives them up; gives the run as it then is.
  ///
  /// What was due while it was held is due now, or when its recipient may be told.
  ///
  /// - Throws: `StorageError`, with `.locked` while a run is going on.
  public func carryOut(
    _ decision: HeldNotifications.Decision, run: UUID, at now: Timestamp
  ) throws -> RunRecord {
    let lock = try storage.acquireRunLock(for: UUID())
    return try withExtendedLifetime(lock) {
      let overdue =
        decision == .release ? try storage.withRuns { try $0.overdue(of: run, at: now) } : []
      let profiles = try storage.makeReader()
        .profiles(of: Array(Set(overdue.map(\.recipient))))
      return try storage.withRuns { runs in
        for notification in overdue {
          let due = DeliveryPreferences(profiles[notification.recipient]).dueTime(
            on: notification.channel, priority: notification.priority, readyAt: now)
          try runs.reschedule(
            notification, of: run, for: due,
            until: due.adding(seconds: PatternAlertNotification.lifetimeSeconds),
            isQuiet: due != now)
        }
        return try runs.decide(decision, run: run, at: now)
      }
    }
  }
}
