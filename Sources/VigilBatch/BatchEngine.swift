import Foundation
public import Logging
import VigilDetection
public import VigilModel
public import VigilStorage

/// Runs the nightly job and backfills: blocks of persons from storage through the pure core and back
/// (specification, runs.md sections 1 and 2).
///
/// For each worker there are two threads: one reads batches of persons ahead, the other folds them and
/// writes the outcome of each in one transaction. Any worker takes the batch that was loaded first, so
/// none is idle while one waits; whatever the number of persons, memory holds two blocks a worker. A
/// run and a backfill differ only in their days.
public struct BatchEngine: Sendable {
  /// What the engine asks of its surroundings; the core itself has no clock and no signals.
  public struct Surroundings: Sendable {
    /// The time now.
    public var now: @Sendable () -> Timestamp
    /// Whether to stop after the batch in hand.
    public var shouldStop: @Sendable () -> Bool
    /// Persons done and persons in all; called from any thread.
    public var progress: @Sendable (_ done: Int, _ total: Int) -> Void

    public init(
      now: @escaping @Sendable () -> Timestamp,
      shouldStop: @escaping @Sendable () -> Bool = { false },
      progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) {
      self.now = now
      self.shouldStop = shouldStop
      self.progress = progress
    }
  }

  let storage: any Storage
  let settings: BatchSettings
  let surroundings: Surroundings
  let logger: Logger

  public init(
    storage: any Storage, settings: BatchSettings, surroundings: Surroundings, logger: Logger
  ) {
    self.storage = storage
    self.settings = settings
    self.surroundings = surroundings
    var logger = logger
    logger[metadataKey: "run.id"] = "\(settings.runID.lowercased)"
    self.logger = logger
  }

  /// Does the run and gives its record as it stands in `batch_runs`.
  ///
  /// A run that was asked to stop ends with status `interrupted` and returns; batches that were
  /// written stay written, and the same run again ends like an undisturbed one.
  ///
  /// - Throws: `StorageError`; the run is then recorded as failed where the database still allows it.
  public func run() throws -> RunRecord {
    try storage.requireCurrentSchema()
    let lock = try storage.acquireRunLock(for: settings.runID)
    return try withExtendedLifetime(lock) {
      var record = RunRecord(
        id: settings.runID, kind: settings.kind, days: settings.days, mode: settings.mode,
        thresholdsVersion: settings.thresholds.version,
        thresholdsDigest: settings.thresholds.digest, engineVersion: settings.engineVersion,
        host: settings.host, startedAt: surroundings.now(), status: .running)
      try closeAbandonedRuns()
      try storage.record(record)
      logger.info("Run started", metadata: ["run.kind": "\(settings.kind.rawValue)"])
      let totals = SharedTotals(settings.thresholds.wearableMetrics)
      do {
        let isInterrupted = try runBatches(startedAt: record.startedAt, into: totals)
        record.status = isInterrupted ? .interrupted : .succeeded
        totals.put(into: &record)
      } catch {
        // Batches that were written before the error stay written, and are counted.
        totals.put(into: &record)
        record.status = .failed
        record.error = String(describing: error)
        record.finishedAt = surroundings.now()
        // The first error is the one to report, whatever becomes of this row.
        try? storage.record(record)
        throw error
      }
      record.finishedAt = surroundings.now()
      try storage.record(record)
      logger.info(
        "Run finished",
        metadata: [
          "run.status": "\(record.status.rawValue)", "run.persons": "\(record.counts.persons)",
        ])
      return record
    }
  }

  /// Runs that are still `running` while this one holds the lock belong to processes that are gone.
  ///
  /// When they ended nobody knows, so `finishedAt` stays nil.
  private func closeAbandonedRuns() throws {
    for var run in try storage.runs(limit: 100) where run.status == .running {
      run.status = .interrupted
      run.error = "its process ended without a word; this was noticed by the next run"
      try storage.record(run)
      logger.notice(
        "An earlier run never ended; it counts as interrupted",
        metadata: ["run.earlier": "\(run.id.lowercased)"])
    }
  }

  /// Works through all persons; true where it was asked to stop before the last of them.
  private func runBatches(startedAt: Timestamp, into totals: SharedTotals) throws -> Bool {
    let window = settings.window
    let persons = try storage.persons(withDataIn: window.loaded)
      .filter { settings.persons?.contains($0) ?? true }
    surroundings.progress(0, persons.count)
    let queue = BatchQueue(persons: persons, size: settings.personsPerBatch)
    let workers = min(max(1, settings.workers), queue.batchCount)
    let readers = try storage.makeReaders(count: workers).map {
      SharedReader($0, of: storage, logger: logger)
    }
    // A thread may hold what it was made with for a moment after it has ended.
    defer { for reader in readers { reader.close() } }
    let handover = Handover(
      (0..<2 * workers).map { _ in LoadedBatch(settings) }, fillingThreads: readers.count)
    var threads: [@Sendable () throws -> Void] = []
    for reader in readers {
      let loader = BatchLoader(
        reader: reader, queue: queue, handover: handover, shouldStop: surroundings.shouldStop)
      threads.append(loader.run)
      threads.append {
        let worker = BatchWorker(
          reader: reader, settings: settings, startedAt: startedAt, logger: logger)
        try work(worker, on: handover, of: persons.count, into: totals)
      }
    }
    try WorkerThreads.run(threads)
    return totals.persons < persons.count
  }

  /// What one worker thread does: computes and writes loaded batches until there are no more, or until
  /// the run is asked to stop.
  private func work(
    _ worker: BatchWorker, on handover: Handover<LoadedBatch>, of personCount: Int,
    into totals: SharedTotals
  ) throws {
    // The other workers end with the batch in hand.
    defer { handover.close() }
    while let batch = handover.takeFilled(), !surroundings.shouldStop() {
      let outcome = try worker.process(batch)
      handover.putEmpty(batch)
      var counts = outcome.counts
      counts.notificationsEnqueued = try storage.write(outcome.write).enqueued
      let done = totals.add(counts, outcome.quality)
      surroundings.progress(done, personCount)
    }
  }
}
