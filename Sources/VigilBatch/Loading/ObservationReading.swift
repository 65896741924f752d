public import Foundation
public import Logging
public import VigilDetection
public import VigilModel
import VigilPipeline
public import VigilStorage

/// Reads the observations of persons as detection sees them, and writes nothing.
///
/// Sources are merged, and values that are not plausible or were not worn are left out, as a run does with
/// the same profile. Memory holds one batch of persons.
public struct ObservationReading: Sendable {
  private let storage: any Storage
  private let thresholds: Thresholds
  private let days: ClosedRange<Day>
  private let logger: Logger
  /// The metrics that are read: those of wearables that the database has a column for.
  public let metrics: [MetricThresholds]
  private let wearColumns: [MetricType]

  /// - Throws: `StorageError`; `BatchError` where the database has none of the profile's metrics.
  public init(
    storage: any Storage, thresholds: Thresholds, days: ClosedRange<Day>, logger: Logger
  ) throws {
    self.storage = storage
    self.thresholds = thresholds
    self.days = days
    self.logger = logger
    let columns = try storage.metricColumns()
    let check = MetricCheck(of: thresholds, parts: [.patterns], in: columns)
    try check.requireMetrics(of: storage.displayName)
    metrics = thresholds.wearableMetrics.filter { !check.leftOut.contains($0.metric) }
    wearColumns = thresholds.wearColumns(beside: metrics, where: columns.numeric.contains)
  }

  /// Calls `body` with one block of persons after the other, in the order of their ids.
  ///
  /// - Parameters:
  ///   - persons: The persons to read; nil for all with data.
  ///   - shouldStop: Asked before each block; once true, no more are read.
  ///   - progress: Called with the persons read and the persons in all.
  ///   - body: Gets a block with the days of the reading and with `metrics`; it may not keep it.
  /// - Throws: `StorageError`, and what `body` throws.
  public func forEachBlock(
    of persons: Set<UUID>?, shouldStop: () -> Bool = { false },
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
    _ body: (ObservationBlock) throws -> Void
  ) throws {
    try forEachBatch(of: persons, shouldStop: shouldStop, progress: progress) { block, _ in
      try body(block)
    }
  }

  /// Calls `body` with one block after the other, and with the persons of the block, in their order.
  ///
  /// - Parameters:
  ///   - persons: The persons to read; nil for all with data.
  ///   - shouldStop: Asked before each block; once true, no more are read.
  ///   - progress: Called with the persons read and the persons in all.
  ///   - body: Gets a block with the days of the reading and with `metrics`; it may not keep it.
  /// - Throws: `StorageError`, and what `body` throws.
  public func forEachBatch(
    of persons: Set<UUID>?, shouldStop: () -> Bool = { false },
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
    _ body: (ObservationBlock, _ persons: [UUID]) throws -> Void
  ) throws {
    let all = try storage.persons(withDataIn: days).filter { persons?.contains($0) ?? true }
    let reader = SharedReader(try storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    let dayCount = days.upperBound - days.lowerBound + 1
    let size = BlockSize.persons(
      values: metrics.count * dayCount, evaluatedDays: dayCount, followsDoses: false)
    let block = ObservationBlock(personCount: 0, metricCount: metrics.count, days: days)
    let builder = ObservationBuilder(
      block: block, metrics: metrics, thresholds: thresholds, wearColumns: wearColumns)
    // The days before say whether a day is a part of a day.
    let reach = thresholds.nonWear?.reachDays ?? 0
    var unusableRows = UnusableRows()
    for first in stride(from: 0, to: all.count, by: size) {
      if shouldStop() { return }
      let batch = Array(all[first..<min(first + size, all.count)])
      unusableRows += try reader.read(isWanted: { !shouldStop() }) { reader in
        block.reset(personCount: batch.count, days: days)
        builder.begin()
        let unusable = try reader.readMetrics(
          of: batch, days: (days.lowerBound - reach)...days.upperBound, metrics: builder.columns,
          reportsWear: thresholds.nonWear != nil, into: builder)
        builder.finish()
        return unusable
      }
      try body(block, batch)
      progress(first + batch.count, all.count)
    }
    if !unusableRows.isEmpty {
      logger.warning(
        "Rows that cannot be used were left out", metadata: ["rows": "\(unusableRows.count)"])
    }
  }
}
