public import Foundation
public import VigilAnalysis
public import VigilDetection
public import VigilModel
import VigilPipeline
import VigilStorage

extension ExplanationReading {
  /// Reads the silence of one person.
  ///
  /// - Parameters:
  ///   - metric: The name of a series of silence.
  ///   - person: The person.
  ///   - day: The day to explain.
  ///   - first: The day from which episodes are followed; nil where stored episodes say what was active before.
  /// - Returns: Nil where the profile does not follow such a series.
  /// - Throws: `StorageError`; `ZoneFault` where the rules of a time zone cannot be read.
  public func readSilence(
    _ metric: MetricType, of person: UUID, on day: Day, from first: Day? = nil
  ) throws -> SilenceExplanationInput? {
    let scope = RunScope(
      kind: .backfill, days: min(first ?? day, day - 1)...day, mode: .live, parts: [.patterns],
      thresholds: thresholds, vitality: vitality)
    let plan = RunPlan(
      scope, availableMetrics: try storage.metricColumns().numeric,
      followsAdherence: try storage.hasMedications(),
      followsCheckIns: try storage.hasCheckIns() || metric == .checkInOverdue)
    guard let place = plan.own.silences.firstIndex(where: { $0.metric == metric }) else {
      return nil
    }
    let batch = LoadedBatch(plan, runStartedAt: (day + 1).midnight, zones: zones)
    batch.own.input.readsAllDoses = true
    let reader = try SharedReader(storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    try reader.read { try batch.load([person], from: $0) }
    try zones.requireNoFault()
    let (series, input) = (plan.own.silences[place], batch.own.input)
    return SilenceExplanationInput(
      series: series,
      days: SilenceDays(
        of: series, signs: input.signs, checkIns: input.checkIns, folded: plan.own.window.folded),
      stored: batch.own.stored[input.key(ofSilence: place)] ?? [])
  }
}

/// The silence of one person, with the alerts that are stored of it.
public struct SilenceExplanationInput {
  public var series: SilenceSeries
  public var days: SilenceDays
  /// By `activeSince`.
  public var stored: [PatternAlertState]

  /// The stored alerts, for a fold to resume.
  public var episodes: [Episode] { stored.map(\.episode) }
}
