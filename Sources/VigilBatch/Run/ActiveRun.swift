import Foundation
import Logging
import Synchronization
import VigilAdherence
import VigilDetection
import VigilModel
import VigilStorage

/// A run that holds its lock and is recorded: from its batches to its end.
struct ActiveRun: Sendable {
  let run: RunRecord
  /// When this process began, which is later than the run's beginning where it continues one.
  let startedAt: Timestamp
  let request: RunRequest
  let plan: RunPlan
  let storage: any Storage
  let metrics: MetricCheck
  let surroundings: BatchEngine.Surroundings
  let logger: Logger

  /// Evaluates what is left to do, and records how it ended.
  ///
  /// - Parameter switched: The switch of the profile with which the run began.
  func finish(_ switched: ProfileSwitch? = nil) throws -> RunOutcome {
    var unusable = UnusableRows()
    do {
      try metrics.requireMetrics(of: storage.displayName)
      metrics.warn(logger)
      unusable = try storage.unusableRows(in: plan.scope.loadedDays)
      let persons = try storage.persons(withDataIn: plan.scope.loadedDays)
      try quarantine(unusable, and: medicationSample(of: persons))
      let isInterrupted = try runBatches(of: persons)
      var outcome = try end(isInterrupted ? .interrupted : .succeeded, unusable)
      outcome.switched = switched
      return outcome
    } catch {
      // The first error is the one to report, also where the record cannot be written.
      _ = try? end(.failed, unusable, error: Self.line(about: error))
      throw error
    }
  }

  /// The text of an error in the record of a run; an unforeseen one may quote data.
  private static func line(about error: any Error) -> String {
    switch error {
    case let error as StorageError: error.description
    case let error as BatchError: error.description
    case let fault as ZoneFault: fault.description
    default: "internal error (\(type(of: error)))"
    }
  }

  private func end(
    _ status: ShardRecord.Status, _ unusable: UnusableRows, error: String? = nil
  ) throws -> RunOutcome {
    let now = surroundings.now()
    let shard = ShardRecord(
      run: run.id, index: request.shard.index, status: status, host: request.origin.host,
      startedAt: startedAt, finishedAt: now, error: error,
      dataQuality: request.shard.index == 1 ? metrics.dataQuality + unusable.dataQuality : [])
    let rateLimit = plan.scope.mode == .live ? request.options.rateLimit : nil
    // Notifications that an earlier process has planned, whose run this one continues.
    let overdue =
      rateLimit != nil && status == .succeeded
      ? try OverdueNotifications(
        of: run.id, shard: shard.index, before: startedAt, in: storage,
        zones: surroundings.zones) : nil
    let outcome = try storage.withRuns { runs in
      try overdue?.reschedule(in: runs, at: now)
      let run = try runs.end(shard, rateLimit: rateLimit, at: now)
      let ended = try runs.shards(of: run.id).first { $0.index == shard.index }
      return RunOutcome(run: run, shard: ended ?? shard)
    }
    logger.info(
      "Run finished",
      metadata: [
        "run.status": "\(outcome.shard.status.rawValue)",
        "run.persons": "\(outcome.run.counts.persons)",
      ])
    return outcome
  }

  // MARK: Batches

  /// Works through all persons; true where it was asked to stop before the last of them.
  private func runBatches(of persons: [UUID]) throws -> Bool {
    try plan.requireInput(for: persons, in: storage)
    let own = persons.filter(request.includes)
    let left = try workLeft(of: own)
    let done = Mutex(left.personsDone)
    surroundings.progress(left.personsDone, own.count)
    let queue = BatchQueue(ranges: left.ranges, size: plan.personsPerBatch)
    try work(through: queue) { persons in
      let count = done.withLock { done in
        done += persons
        return done
      }
      surroundings.progress(count, own.count)
    }
    return done.withLock { $0 } < own.count
  }

  private func workLeft(of persons: [UUID]) throws -> WorkLeft {
    let checkpoints = try storage.withRuns { try $0.checkpoints(of: run.id) }
      .filter { $0.shard == request.shard.index }
    guard !checkpoints.isEmpty else { return WorkLeft(all: persons) }
    let reader = try SharedReader(storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    let medications = plan.followsAdherence ? MedicationRows(zones: surroundings.zones) : nil
    let window = plan.adherenceWindow(evaluatedAt: run.startedAt)
    let left = try WorkLeft(persons: persons, checkpoints: checkpoints) { persons in
      try reader.read {
        let persons = Array(persons)
        var found = try $0.inputFingerprint(of: persons, days: plan.scope.loadedDays)
        if let medications {
          medications.begin(persons, evaluatedAt: run.startedAt)
          try $0.readMedications(of: persons, doses: window.recordTimes, into: medications)
          found.medicationDigest = medications.digest
        }
        if plan.followsCheckIns {
          let checkIns = try LoadedCheckIns(
            of: persons, on: plan.scope.loadedDays, zones: surroundings.zones, from: $0)
          found.medicationDigest = (found.medicationDigest ?? 0) &+ checkIns.digest
        }
        if plan.scope.parts.contains(.patterns) {
          found.sensitivityDigest =
            try LoadedSensitivities(of: persons, from: $0).digest
            &+ LoadedLimits(of: persons, followed: [], from: $0).digest
        }
        if plan.scope.scoresVitality {
          found.vitalityDigest = try LoadedVitality.digest(
            of: persons, scoredDays: plan.scope.scoredDays, from: $0)
        }
        return found
      }
    }
    if !left.outdated.isEmpty {
      try storage.withRuns { try $0.forget(left.outdated, of: run.id) }
    }
    logger.notice(
      "This run was cut off before, and is continued",
      metadata: [
        "run.persons.done": "\(left.personsDone)",
        "run.batches.outdated": "\(left.outdated.count)",
      ])
    return left
  }

  private func work(
    through queue: BatchQueue, batchDone: @escaping @Sendable (_ persons: Int) -> Void
  ) throws {
    let earlierWatermark = try earlierWatermark()
    let zones = surroundings.zones
    let threads = BatchThreads(
      storage: storage, queue: queue, workers: request.options.workers,
      shouldStop: surroundings.shouldStop, isUrgent: surroundings.isUrgent, logger: logger)
    try threads.run {
      LoadedBatch(
        plan, runStartedAt: run.startedAt, zones: zones, earlierWatermark: earlierWatermark)
    } evaluating: { handover, reader in
      let worker = BatchWorker(
        plan, run: run, startedAt: startedAt, zones: zones, reader: reader)
      try write(with: worker, from: handover, batchDone: batchDone)
    }
  }

  /// The newest watermark of the recent runs of all persons that have succeeded.
  private func earlierWatermark() throws -> Timestamp? {
    try storage.runs(limit: 50)
      .filter { $0.status == .succeeded && $0.selection == nil && $0.id != run.id }
      .compactMap(\.watermark).filter { $0 <= startedAt }.max()
  }

  /// Evaluates and writes loaded batches until there are no more, or until the run is asked to stop.
  private func write(
    with worker: BatchWorker, from handover: Handover<LoadedBatch>,
    batchDone: (_ persons: Int) -> Void
  ) throws {
    // The other workers end with the batch in hand.
    defer { handover.close() }
    while let batch = handover.takeFilled(), !surroundings.shouldStop() {
      let (write, unusable) = try evaluate(batch, with: worker)
      if handover.isAbandoned { return }
      let persons = batch.persons
      handover.putEmpty(batch)
      var isWritten = try !storage.write(write).isOvertaken
      // A person was evaluated since: what the readers of this run see is older than that.
      while !isWritten {
        let newer = LoadedBatch(
          plan, runStartedAt: run.startedAt, zones: surroundings.zones,
          earlierWatermark: batch.earlierWatermark)
        try newer.load(persons, from: storage.makeReader())
        isWritten = try !storage.write(evaluate(newer, with: worker).write).isOvertaken
      }
      try quarantine(unusable)
      batchDone(persons.count)
    }
  }

  private func evaluate(
    _ batch: LoadedBatch, with worker: BatchWorker
  ) throws -> (write: BatchWrite, unusable: UnusableRows) {
    let found = try worker.evaluate(batch)
    try surroundings.zones.requireNoFault()
    batch.logDataQuality(to: logger)
    batch.logHistory(to: logger)
    let write = BatchWrite(
      found, of: batch, plan: plan, run: run, shard: request.shard, startedAt: startedAt)
    return (write, batch.unusableRows)
  }
}
