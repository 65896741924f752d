public import Foundation
import VigilAdherence
public import VigilAnalysis
public import VigilDetection
public import VigilModel
import VigilPipeline
import VigilStorage

extension ExplanationReading {
  /// Reads the metrics of one person that a profile follows together.
  ///
  /// - Parameters:
  ///   - person: The person.
  ///   - day: The day to explain.
  ///   - first: The day from which episodes are followed; nil where stored episodes say what was active before.
  /// - Throws: `StorageError`.
  public func readTogether(
    of person: UUID, on day: Day, from first: Day? = nil
  ) throws -> CombinedExplanationInput {
    let scope = RunScope(
      kind: .backfill, days: min(first ?? day, day - 1)...day, mode: .live, parts: [.patterns],
      thresholds: thresholds, vitality: vitality)
    let plan = RunPlan(
      scope, availableMetrics: try storage.metricColumns().numeric, followsAdherence: false)
    let batch = LoadedBatch(plan, runStartedAt: (day + 1).midnight, zones: zones)
    let reader = try SharedReader(storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    try reader.read { try batch.load([person], from: $0) }
    let block = batch.own.input.block
    let metrics = batch.own.metrics
    return CombinedExplanationInput(
      metrics: metrics,
      series: metrics.indices.map { ExplainedSeries(of: 0, metric: $0, in: block) },
      stored: batch.own.stored(ofSeries: metrics.count))
  }
}

/// The metrics of a person that are followed together, with the alerts that are stored of them together.
public struct CombinedExplanationInput {
  public var metrics: [MetricThresholds]
  /// One for each metric.
  public var series: [ExplainedSeries]
  /// By `activeSince`.
  public var stored: [PatternAlertState]

  /// The stored alerts, for a fold to resume.
  public var episodes: [Episode] { stored.map(\.episode) }
}
