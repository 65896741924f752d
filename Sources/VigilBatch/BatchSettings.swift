public import Foundation
public import VigilDetection
public import VigilModel
public import VigilStorage

/// What a run or a backfill is to do.
public struct BatchSettings: Sendable {
  public var kind: RunRecord.Kind
  /// Evaluation days; one for a nightly run.
  public var days: ClosedRange<Day>
  public var mode: RunRecord.Mode
  public var thresholds: Thresholds
  /// Only these persons; nil for everybody who has data.
  public var persons: Set<UUID>?
  /// Threads that compute, and as many that read ahead of them; one batch is written at a time.
  public var workers: Int
  /// Persons of one batch and transaction; nil for as many as fit the memory of a block.
  public var batchSize: Int?
  public var runID: UUID
  public var host: String
  public var engineVersion: String

  public init(
    kind: RunRecord.Kind, days: ClosedRange<Day>, mode: RunRecord.Mode, thresholds: Thresholds,
    persons: Set<UUID>? = nil, workers: Int = 2, batchSize: Int? = nil, runID: UUID, host: String,
    engineVersion: String
  ) {
    self.kind = kind
    self.days = days
    self.mode = mode
    self.thresholds = thresholds
    self.persons = persons
    self.workers = workers
    self.batchSize = batchSize
    self.runID = runID
    self.host = host
    self.engineVersion = engineVersion
  }

  /// A live backfill enqueues at most the notifications of its last day.
  var window: FoldWindow {
    FoldWindow(
      evaluating: days, thresholds: thresholds,
      notifiesOnlyOnLast: kind == .backfill && mode == .live)
  }

  /// Doubles that a block holds at most, 4 MiB; there are two blocks a worker.
  static let blockElements = 512 * 1024

  var personsPerBatch: Int {
    if let batchSize { return max(1, batchSize) }
    let days = window.loaded.upperBound - window.loaded.lowerBound + 1
    let perPerson = max(1, days * thresholds.wearableMetrics.count)
    return min(1024, max(1, Self.blockElements / perPerson))
  }
}
