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
  private let earlier: EarlierNights
  private var result = AdherenceResult()
  private var hasDoses = false
  private var earlierNights = EarlierNights.Correction()

  /// - Parameters:
  ///   - runStartedAt: As of when a dose without a record is missed or pending.
  ///   - zones: Those of the batches.
  ///   - earlier: What is asked about nights before.
  init(
    settings: BatchSettings, runStartedAt: Timestamp, zones: ZoneCatalog, earlier: EarlierNights
  ) {
    self.settings = settings
    self.earlier = earlier
    window = settings.adherenceWindow(evaluatedAt: runStartedAt)
    evaluator = AdherenceEvaluator(zones: zones)
  }

  /// Evaluates a batch, and gives the last metric of its block the daily adherence of each person.
  func evaluate(_ batch: LoadedBatch) throws -> AdherenceWrite {
    var write = AdherenceWrite(evaluatedAt: window.evaluatedAt)
    hasDoses = false
    earlierNights = .init()
    guard let rows = batch.medications, rows.block.medicationCount > 0 else { return write }
    hasDoses = true
    // Whatever the run is narrowed to: what is expected on later days follows from what is seen now.
    write.versions = try rows.takeVersions(evaluatingFrom: settings.days.lowerBound)
    evaluator.evaluate(rows.block, over: window, into: &result)
    if settings.parts.contains(.adherence) {
      // A period before anything began says nothing, and a backfill may have thousands of them.
      let firstDays = rows.block.firstDays
      write.analytics = result.analytics.filter { row in
        row.period != settings.dayBefore
          && firstDays[row.medication ?? row.user].map { $0 <= row.period.days.upperBound } ?? true
      }
      earlierNights = try correction(rows)
      write.analytics += earlierNights.analytics
    }
    if let metric = settings.adherenceMetric, metric == batch.metrics.last {
      fill(batch.block, metric: batch.block.metricCount - 1)
    }
    return write
  }

  private func correction(_ rows: MedicationRows) throws -> EarlierNights.Correction {
    guard let dayBefore = settings.dayBefore else { return .init() }
    let totals = result.analytics.filter { $0.medication == nil && $0.period == dayBefore }
    return try earlier.correction(
      totals: Dictionary(totals.map { ($0.user, $0) }) { $1 },
      lastEvaluated: rows.lastEvaluatedDay(of:),
      written: Set(window.periods).subtracting([dayBefore]))
  }

  /// Adds the streaks of missed doses of the batch that was evaluated last.
  func addMissedStreaks(to insights: inout InsightWrite) {
    insights.evaluated([.missedStreak], on: settings.days)
    guard hasDoses else { return }
    insights.insights += result.missedStreaks.map(\.insight) + earlierNights.missedStreaks
    let last = settings.days.lowerBound - 1
    for (first, persons) in Dictionary(grouping: earlierNights.firstDays, by: \.value) {
      insights.evaluated([.missedStreak], on: first...last, of: persons.map(\.key))
    }
  }

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
