import VigilAdherence
import VigilDetection
import VigilModel
import VigilStorage

/// Takes the doses of loaded batches to measures, insights, and days of the detection block; used by one
/// thread.
final class DoseEvaluation {
  private let settings: BatchSettings
  private let window: AdherenceWindow
  private let evaluator: AdherenceEvaluator
  private var result = AdherenceResult()
  private var hasDoses = false

  /// - Parameters:
  ///   - runStartedAt: As of when a dose without a record is missed or pending.
  ///   - zones: Those of the batches.
  init(settings: BatchSettings, runStartedAt: Timestamp, zones: ZoneCatalog) {
    self.settings = settings
    window = settings.adherenceWindow(evaluatedAt: runStartedAt)
    evaluator = AdherenceEvaluator(zones: zones)
  }

  /// Evaluates a batch, and gives the last metric of its block the daily adherence of each person.
  func evaluate(_ batch: LoadedBatch) throws -> AdherenceWrite {
    var write = AdherenceWrite(evaluatedAt: window.evaluatedAt)
    hasDoses = false
    guard let rows = batch.medications, rows.block.medicationCount > 0 else { return write }
    hasDoses = true
    // Whatever the run is narrowed to: what is expected on later days follows from what is seen now.
    write.versions = try rows.takeVersions(evaluatingFrom: settings.days.lowerBound)
    evaluator.evaluate(rows.block, over: window, into: &result)
    if settings.parts.contains(.adherence) { write.analytics = result.analytics }
    if let metric = settings.adherenceMetric, metric == batch.metrics.last {
      fill(batch.block, metric: batch.block.metricCount - 1)
    }
    return write
  }

  /// Streaks of missed doses of the batch that was evaluated last.
  var missedStreaks: [TrendInsight] { hasDoses ? result.missedStreaks.map(\.insight) : [] }

  /// Gives a metric of `block` the daily adherence of each person of the batch that was evaluated last;
  /// without any medication it stays as it is.
  func fill(_ block: ObservationBlock, metric: Int) {
    guard hasDoses else { return }
    let first = block.days.lowerBound - window.days.lowerBound
    for person in 0..<block.personCount {
      let daily = result.dailyAdherence(person: person).dropFirst(first)
      let series = block.series(person: person, metric: metric)
      for (day, value) in zip(series.indices, daily) { series[day] = value }
    }
  }
}
