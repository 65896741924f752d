public import Foundation
public import VigilModel
public import VigilStorage

/// Carries out an operator's decision about the notifications that a run has held back
/// (specification, runs.md section 3).
public struct HeldRunDecision: Sendable {
  let storage: any Storage
  let zones: ZoneCatalog

  /// - Parameters:
  ///   - storage: The database of the run.
  ///   - zones: By whose rules recipients have their quiet hours.
  public init(storage: any Storage, zones: ZoneCatalog) {
    self.storage = storage
    self.zones = zones
  }

  /// Releases or discards the notifications of a run, and returns the run as it then is.
  ///
  /// A notification that was due while it was held is due now, or when its recipient's quiet hours end.
  ///
  /// - Throws: `StorageError`, with `.locked` while a run is going on; `BatchError` where a clock that was set
  ///   back is to release them; `ZoneFault` where the rules of a recipient's time zone cannot be read.
  public func carryOut(
    _ decision: HeldDecision, run: UUID, at now: Timestamp
  ) throws -> RunRecord {
    try storage.requireRights(for: .live)
    let lock = try storage.acquireRunLock(for: UUID())
    return try withExtendedLifetime(lock) {
      if decision == .release {
        try ClockSetback.requireNone(at: now, in: storage, toBe: "released")
      }
      let overdue =
        decision == .release
        ? try OverdueNotifications(of: run, before: now, in: storage, zones: zones) : nil
      return try storage.withRuns { runs in
        try overdue?.reschedule(in: runs, at: now)
        return try runs.decide(decision, run: run, at: now)
      }
    }
  }
}
