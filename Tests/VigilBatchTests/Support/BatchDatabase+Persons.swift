import Foundation
import Logging
import StorageConformance
import Synchronization
import TestDatabases
import TestSupport
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Evaluations of single persons.
extension BatchDatabase {
  @discardableResult
  func evaluate(
    _ person: UUID, on day: Day, thresholds: Thresholds, mode: RunRecord.Mode = .shadow,
    rateLimit: NotificationRateLimit = .count(.max), waitingFor time: Duration = .zero,
    through wrapper: (any Storage)? = nil, at now: Timestamp = BatchDatabase.now
  ) throws -> PersonOutcome {
    var options = RunOptions()
    options.rateLimit = rateLimit
    return try BatchEngine(
      storage: wrapper ?? storage,
      request: RunRequest(
        RunScope(
          kind: .run, days: day...day, mode: mode, thresholds: thresholds,
          vitality: try Self.vitality("v1")),
        options: options, origin: .test),
      surroundings: .init(now: { now }, zones: .system),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    ).evaluate(person: person, on: day, waitingFor: time)
  }

  /// The ids of provisional alerts and notifications; none after a night.
  func marks() throws -> [String] {
    try database.rows("SELECT alert_state_id FROM provisional_alerts")
      + database.rows("SELECT id FROM provisional_notifications")
  }

  /// The kinds of the events of the outbox, in their order.
  func events() throws -> [OutboxEvent.Kind] {
    try storage.outboxEvents(after: 0, limit: .max >> 1).map(\.kind)
  }

  /// The keys of notifications that were sent or wait to be sent.
  func planned(_ queue: DeliveryQueue) throws -> [String] {
    try database.rows(
      """
      SELECT dedupe_key FROM \(queue.rawValue)
      WHERE status IN ('pending', 'processing', 'sent') OR status_reason = 'grouped'
      """
    ).sorted()
  }
}

/// A database in which something happens just before a batch is written.
final class InterruptedStorage: ForwardingStorage {
  let base: any Storage
  private let interruption: Mutex<(@Sendable () throws -> Void)?>

  /// - Parameter interruption: Happens once.
  init(_ base: any Storage, _ interruption: @escaping @Sendable () throws -> Void) {
    self.base = base
    self.interruption = Mutex(interruption)
  }

  func write(_ batch: BatchWrite) throws -> BatchWriteResult {
    let waiting = interruption.withLock { interruption in
      defer { interruption = nil }
      return interruption
    }
    try waiting?()
    return try base.write(batch)
  }
}
