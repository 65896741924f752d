public import Foundation
public import Logging
public import VigilDetection
public import VigilModel
import VigilPipeline
public import VigilStorage
public import VigilVitality

/// Reads the signs of life and the doses of persons as detection sees them, and writes nothing.
///
/// Memory holds one batch of persons.
public struct HabitReading {
  private let storage: any Storage
  private let plan: RunPlan
  private let days: ClosedRange<Day>
  private let evaluatedAt: Timestamp
  private let brokenDoseDays: Set<Day>
  private let zones: ZoneCatalog
  private let logger: Logger
  /// The days with a broken feed.
  public let brokenFeed: Set<Day>

  /// The habits of some persons.
  public struct Batch {
    public let persons: Int
    /// Their signs of life, of more than the days of the reading; nil where the profile does not follow silence.
    public let signs: SignsOfLife?
    /// By person, the doses of the days of the reading; empty where the profile does not weigh missed doses, or there
    /// are no medications.
    public let doses: [DoseSeries]
  }

  /// - Parameters:
  ///   - storage: The database.
  ///   - thresholds: The profile by which a day is worn and a dose is rare.
  ///   - vitality: The settings of scores, of which none is read.
  ///   - days: The days to read.
  ///   - zones: The rules of time zones.
  ///   - logger: Receives lost connections, and rows that cannot be used.
  /// - Throws: `StorageError`.
  public init(
    storage: any Storage, thresholds: Thresholds, vitality: VitalitySettings,
    days: ClosedRange<Day>, zones: ZoneCatalog, logger: Logger
  ) throws {
    self.storage = storage
    self.days = days
    self.zones = zones
    self.logger = logger
    evaluatedAt = (days.upperBound + 1).midnight
    let scope = RunScope(
      kind: .backfill, days: days, mode: .shadow, parts: [.patterns], thresholds: thresholds,
      vitality: vitality)
    plan = RunPlan(
      scope, availableMetrics: try storage.metricColumns().numeric,
      followsAdherence: try storage.hasMedications(),
      followsCheckIns: try scope.followsSilence && storage.hasCheckIns())
    brokenFeed = Set(try FeedRecord(of: scope, in: storage)?.brokenDays ?? [])
    brokenDoseDays = Set(try FeedRecord(ofDosesFor: scope, in: storage)?.brokenDays ?? [])
  }

  /// Calls `body` with one batch of persons after the other, in the order of their ids.
  ///
  /// - Parameters:
  ///   - persons: The persons to read; nil for all with data.
  ///   - shouldStop: Asked before each batch; once true, no more are read.
  ///   - progress: Called with the persons read and the persons in all.
  ///   - body: Gets a batch, which it may not keep.
  /// - Throws: `StorageError`; `ZoneFault` where the rules of a time zone cannot be read; what `body` throws.
  public func forEachBatch(
    of persons: Set<UUID>?, shouldStop: () -> Bool = { false },
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }, _ body: (Batch) throws -> Void
  ) throws {
    let all = try storage.persons(withDataIn: days).filter { persons?.contains($0) ?? true }
    let reader = SharedReader(try storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    let loaded = LoadedBatch(
      plan, runStartedAt: evaluatedAt, zones: zones, readsStoredStates: false)
    loaded.own.input.readsAllDoses = true
    var unusableRows = UnusableRows()
    for first in stride(from: 0, to: all.count, by: plan.personsPerBatch) {
      if shouldStop() { return }
      let batch = Array(all[first..<min(first + plan.personsPerBatch, all.count)])
      try reader.read(isWanted: { !shouldStop() }) { try loaded.load(batch, from: $0) }
      unusableRows += loaded.unusableRows
      try body(
        Batch(persons: batch.count, signs: loaded.own.input.signs, doses: try doses(of: loaded)))
      progress(first + batch.count, all.count)
    }
    if !unusableRows.isEmpty {
      logger.warning(
        "Rows that cannot be used were left out", metadata: ["rows": "\(unusableRows.count)"])
    }
  }

  private func doses(of batch: LoadedBatch) throws -> [DoseSeries] {
    let found = try batch.dailyAdherence(plan, evaluatedAt: evaluatedAt, zones: zones)
    guard let block = found?.doses(for: plan.adherenceMetric) else { return [] }
    let unrecorded = batch.own.input.unrecordedDays(of: block, broken: brokenDoseDays)
    let first = days.lowerBound - block.days.lowerBound
    return batch.persons.indices.map { person in
      DoseSeries(
        UnsafeBufferPointer(rebasing: block.days(ofPerson: person)[first...]),
        from: days.lowerBound, withoutRecord: unrecorded[person])
    }
  }
}
