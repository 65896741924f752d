import Foundation
import VigilAdherence
import VigilModel
import VigilStorage

/// The first stage: expands the schedules of a batch and measures adherence.
///
/// Keeps its working memory from batch to batch; used by one thread.
final class AdherenceStage {
  private let window: AdherenceWindow
  private let evaluator: AdherenceEvaluator
  private let daily: ObservationBlock
  private var result = AdherenceResult()

  /// - Parameters:
  ///   - evaluatedAt: When the run began: a dose without a record is missed or pending as of then.
  ///   - zones: The zones of the batches.
  convenience init(_ plan: RunPlan, evaluatedAt: Timestamp, zones: ZoneCatalog) {
    self.init(
      plan.adherenceWindow(evaluatedAt: evaluatedAt), loadedDays: plan.scope.loadedDays,
      zones: zones)
  }

  /// One that measures other periods.
  ///
  /// - Parameters:
  ///   - window: The periods to measure, with at least the loaded days.
  ///   - loadedDays: The days of daily adherence.
  ///   - zones: The zones of the batches.
  init(_ window: AdherenceWindow, loadedDays: ClosedRange<Day>, zones: ZoneCatalog) {
    self.window = window
    evaluator = AdherenceEvaluator(zones: zones)
    daily = ObservationBlock(personCount: 0, metricCount: 1, days: loadedDays)
  }

  /// - Parameters:
  ///   - rows: The rows of the persons of a batch, with the versions of their schedules.
  ///   - personCount: The number of these persons.
  func evaluate(_ rows: MedicationRows, personCount: Int) -> AdherenceFindings {
    daily.reset(personCount: personCount, days: daily.days)
    guard rows.block.medicationCount > 0 else { return AdherenceFindings(daily: daily) }
    evaluator.evaluate(rows.block, over: window, into: &result)
    let first = daily.days.lowerBound - window.days.lowerBound
    for person in 0..<daily.personCount {
      let values = result.dailyAdherence(person: person).dropFirst(first)
      let series = daily.series(person: person, metric: 0)
      for (day, value) in zip(series.indices, values) { series[day] = value }
    }
    return AdherenceFindings(
      daily: daily, analytics: result.analytics, missedStreaks: result.missedStreaks,
      supplies: result.supplies)
  }
}

extension LoadedBatch {
  /// The daily adherence of its persons; nil where doses are not followed.
  ///
  /// - Parameters:
  ///   - plan: The plan that the batch was loaded with.
  ///   - evaluatedAt: The instant as of which doses are evaluated.
  ///   - zones: The zones of the batch.
  /// - Throws: `ZoneFault` where the rules of a time zone cannot be read.
  func dailyAdherence(
    _ plan: RunPlan, evaluatedAt: Timestamp, zones: ZoneCatalog
  ) throws -> ObservationBlock? {
    try zones.requireNoFault()
    return medications.map { rows in
      AdherenceStage(plan, evaluatedAt: evaluatedAt, zones: zones)
        .evaluate(rows, personCount: persons.count).daily
    }
  }
}

/// The measures of the doses of a batch.
struct AdherenceFindings {
  /// The daily taking adherence of each person, 0...100, on the loaded days; NaN where nothing is expected.
  ///
  /// Belongs to the stage, which fills it anew with its next batch.
  let daily: ObservationBlock
  /// One row for each period, of each medication and of each person.
  var analytics: [DoseAnalytics] = []
  var missedStreaks: [MissedStreak] = []
  var supplies: [SupplyForecast] = []

  /// By person: the row of a period over all medications.
  func totals(of period: AdherencePeriod) -> [UUID: DoseAnalytics] {
    let totals = analytics.filter { $0.medication == nil && $0.period == period }
    return Dictionary(totals.map { ($0.user, $0) }) { $1 }
  }
}
