import Foundation
import VigilAdherence
import VigilDetection
import VigilModel
import VigilStorage

/// The first stage: expands the schedules of a batch and measures adherence.
///
/// Keeps its working memory from batch to batch; used by one thread.
final class AdherenceStage {
  private let window: AdherenceWindow
  private let evaluator: AdherenceEvaluator
  private let daily: ObservationBlock
  /// By limit of rare doses.
  private let doses: [Int: DoseBlock]
  private var result = AdherenceResult()

  /// - Parameters:
  ///   - evaluatedAt: When the run began: a dose without a record is missed or pending as of then.
  ///   - zones: The zones of the batches.
  convenience init(_ plan: RunPlan, evaluatedAt: Timestamp, zones: ZoneCatalog) {
    self.init(
      plan.adherenceWindow(evaluatedAt: evaluatedAt), loadedDays: plan.scope.loadedDays,
      rareDays: plan.scope.rareDays, followsMedications: plan.scope.parts.contains(.patterns),
      zones: zones)
  }

  /// One that measures other periods.
  ///
  /// - Parameters:
  ///   - window: The periods to measure, with at least the loaded days.
  ///   - loadedDays: The days of daily adherence.
  ///   - rareDays: For each profile that weighs missed doses, when they are rare.
  ///   - followsMedications: Whether such a profile follows medications by themselves.
  ///   - zones: The zones of the batches.
  init(
    _ window: AdherenceWindow, loadedDays: ClosedRange<Day>, rareDays: Set<Int>,
    followsMedications: Bool, zones: ZoneCatalog
  ) {
    self.window = window
    evaluator = AdherenceEvaluator(
      zones: zones, rareDays: rareDays, keepsMedications: followsMedications)
    daily = ObservationBlock(personCount: 0, metricCount: 1, days: loadedDays)
    doses = Dictionary(
      uniqueKeysWithValues: rareDays.map { ($0, DoseBlock(personCount: 0, days: loadedDays)) })
  }

  /// - Parameters:
  ///   - rows: The rows of the persons of a batch, with the versions of their schedules.
  ///   - personCount: The number of these persons.
  func evaluate(_ rows: MedicationRows, personCount: Int) -> AdherenceFindings {
    daily.reset(personCount: personCount, days: daily.days)
    for block in doses.values { block.reset(personCount: personCount, days: block.days) }
    guard rows.block.medicationCount > 0 else {
      return AdherenceFindings(daily: daily, doses: doses)
    }
    evaluator.evaluate(rows.block, over: window, into: &result)
    let first = daily.days.lowerBound - window.days.lowerBound
    for person in 0..<daily.personCount {
      let values = result.dailyAdherence(person: person).dropFirst(first)
      let series = daily.series(person: person, metric: 0)
      for (day, value) in zip(series.indices, values) { series[day] = value }
      for (limit, block) in doses {
        let counts = result.doses(person: person, rareDays: limit).dropFirst(first)
        let target = block.days(ofPerson: person)
        for (day, count) in zip(target.indices, counts) { target[day] = count }
      }
    }
    return AdherenceFindings(
      daily: daily, doses: doses,
      medications: doses.keys.reduce(into: [:]) { $0[$1] = result.medications(rareDays: $1) },
      analytics: result.analytics, missedStreaks: result.missedStreaks, supplies: result.supplies)
  }
}

extension LoadedBatch {
  /// The daily adherence of its persons, without measures of periods; nil where doses are not followed.
  ///
  /// - Parameters:
  ///   - plan: The plan that the batch was loaded with.
  ///   - evaluatedAt: The instant as of which doses are evaluated.
  ///   - zones: The zones of the batch.
  /// - Throws: `ZoneFault` where the rules of a time zone cannot be read.
  func dailyAdherence(
    _ plan: RunPlan, evaluatedAt: Timestamp, zones: ZoneCatalog
  ) throws -> AdherenceFindings? {
    try zones.requireNoFault()
    return medications.map { rows in
      AdherenceStage(
        plan.adherenceWindow(evaluatedAt: evaluatedAt), loadedDays: plan.scope.loadedDays,
        rareDays: plan.scope.rareDays, followsMedications: false, zones: zones
      ).evaluate(rows, personCount: persons.count)
    }
  }
}

/// The measures of the doses of a batch.
struct AdherenceFindings {
  /// The daily taking adherence of each person, 0...100, on the loaded days; NaN where nothing is expected.
  ///
  /// Belongs to the stage, which fills it anew with its next batch.
  let daily: ObservationBlock
  /// By limit of rare doses, the doses of each person, as `daily`.
  let doses: [Int: DoseBlock]
  /// By limit of rare doses, the medications by themselves, on days that include the loaded ones.
  var medications: [Int: MedicationDoseBlock] = [:]
  /// One row for each period, of each medication and of each person.
  var analytics: [DoseAnalytics] = []
  var missedStreaks: [MissedStreak] = []
  var supplies: [SupplyForecast] = []

  /// The doses of each person by the rules of a metric; nil where those do not weigh them.
  func doses(for metric: MetricThresholds?) -> DoseBlock? {
    metric?.doses.flatMap { doses[$0.rareDays] }
  }

  /// The medications by themselves, by the rules of a metric; none where those do not weigh doses.
  func medications(for metric: MetricThresholds?) -> MedicationDoseBlock {
    metric?.doses.flatMap { medications[$0.rareDays] } ?? MedicationDoseBlock(days: daily.days)
  }

  /// By person: the row of a period over all medications.
  func totals(of period: AdherencePeriod) -> [UUID: DoseAnalytics] {
    let totals = analytics.filter { $0.medication == nil && $0.period == period }
    return Dictionary(totals.map { ($0.user, $0) }) { $1 }
  }
}
