public import Foundation
public import Logging
import Synchronization
public import VigilAnalysis
public import VigilDetection
public import VigilModel
public import VigilStorage
public import VigilVitality

/// Evaluates two profiles over the same days and persons, in one reading, and writes nothing.
///
/// The findings of each are those that a backfill of a database without alerts would write. The stages, the
/// threads and the memory are those of `BatchEngine`, with a comparison at the end.
public struct ComparisonEngine: Sendable {
  private let storage: any Storage
  private let scope: RunScope
  private let persons: Set<UUID>?
  private let workers: Int
  private let surroundings: BatchEngine.Surroundings
  private let logger: Logger

  /// - Parameters:
  ///   - storage: The database.
  ///   - thresholds: The profiles.
  ///   - vitality: The settings of scores, of which a comparison computes none.
  ///   - days: The days to compare.
  ///   - persons: Only these; nil for all with data.
  ///   - workers: Threads that compute, and as many that read ahead of them.
  ///   - surroundings: The clock, zones and signals of the process.
  ///   - logger: Where metrics without a column and rows that cannot be used are named.
  public init(
    storage: any Storage, thresholds: ByProfile<Thresholds>, vitality: VitalitySettings,
    days: ClosedRange<Day>, persons: Set<UUID>? = nil, workers: Int = 2,
    surroundings: BatchEngine.Surroundings, logger: Logger
  ) {
    self.storage = storage
    scope = RunScope(
      kind: .backfill, days: days, mode: .shadow, parts: [.patterns],
      thresholds: thresholds.first, candidate: thresholds.second, vitality: vitality)
    self.persons = persons
    self.workers = workers
    self.surroundings = surroundings
    self.logger = logger
  }

  /// Returns the comparison; nil where it was asked to stop before its end.
  ///
  /// - Throws: `StorageError`; `BatchError` where the database has no data on the days, or none of the
  ///   metrics of a profile; `ZoneFault` where the rules of a time zone cannot be read.
  public func compare() throws -> ProfileComparison? {
    let columns = try storage.metricColumns()
    for thresholds in scope.profiles {
      let check = MetricCheck(of: thresholds, parts: scope.parts, in: columns)
      try check.requireMetrics(of: storage.displayName)
      check.warn(logger)
    }
    let plan = RunPlan(
      scope, availableMetrics: columns.numeric, followsAdherence: try storage.hasMedications(),
      followsCheckIns: try scope.followsSilence && storage.hasCheckIns())
    let all = try storage.persons(withDataIn: scope.loadedDays)
    guard !all.isEmpty else {
      throw BatchError.noInput(in: scope.loadedDays, of: storage.displayName)
    }
    try plan.requireInput(for: all, in: storage)
    let own = all.filter(isWanted)
    let compared = try storage.persons(withDataIn: scope.days).count(where: isWanted)
    return try compare(
      own, by: plan, into: ProfileComparison(of: scope.days, persons: compared))
  }

  private func isWanted(_ person: UUID) -> Bool { persons?.contains(person) ?? true }

  private func compare(
    _ persons: [UUID], by plan: RunPlan, into empty: ProfileComparison
  ) throws -> ProfileComparison? {
    guard let second = plan.candidate, !persons.isEmpty else { return empty }
    let queue = BatchQueue(ranges: [persons[...]], size: plan.personsPerBatch)
    let (startedAt, zones) = (surroundings.now(), surroundings.zones)
    let brokenFeed = Set(try FeedRecord(of: scope, in: storage)?.brokenDays ?? [])
    let brokenDoseDays = Set(
      try FeedRecord(ofDosesFor: scope, in: storage)?.brokenDays ?? [])
    let progress = Mutex(Progress(comparison: empty))
    surroundings.progress(0, persons.count)
    let threads = BatchThreads(
      storage: storage, queue: queue, workers: workers, shouldStop: surroundings.shouldStop,
      logger: logger)
    try threads.run {
      LoadedBatch(plan, runStartedAt: startedAt, zones: zones, readsStoredStates: false)
    } evaluating: { handover, reader in
      let worker = ComparisonWorker(
        plan, and: second, startedAt: startedAt, brokenFeed: brokenFeed,
        brokenDoseDays: brokenDoseDays, zones: zones, reader: reader)
      try add(to: progress, from: handover, by: worker, of: persons.count)
    }
    let end = progress.withLock { $0 }
    guard end.persons == persons.count else { return nil }
    if !end.unusableRows.isEmpty {
      logger.warning(
        "Rows that cannot be used were left out", metadata: ["rows": "\(end.unusableRows.count)"])
    }
    return end.comparison
  }

  /// The comparison of the batches so far.
  private struct Progress {
    var comparison: ProfileComparison
    var persons = 0
    var unusableRows = UnusableRows()
  }

  private func add(
    to progress: borrowing Mutex<Progress>, from handover: Handover<LoadedBatch>,
    by worker: ComparisonWorker, of total: Int
  ) throws {
    // The other workers end with the batch in hand.
    defer { handover.close() }
    while let batch = handover.takeFilled(), !surroundings.shouldStop() {
      let found = try worker.evaluate(batch)
      try surroundings.zones.requireNoFault()
      let (persons, unusable) = (batch.persons.count, batch.unusableRows)
      handover.putEmpty(batch)
      guard let found else { continue }
      let done = progress.withLock { progress in
        progress.comparison.add(found.first, found.second)
        progress.persons += persons
        progress.unusableRows += unusable
        return progress.persons
      }
      surroundings.progress(done, total)
    }
  }
}
