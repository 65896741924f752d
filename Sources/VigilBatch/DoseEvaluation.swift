import Foundation
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
  /// Those of the batch none of whose medications counts.
  private var withoutMedication: [UUID] = []
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
    withoutMedication = []
    guard let rows = batch.medications else { return write }
    let firstDays = rows.block.firstDays
    withoutMedication = batch.persons.filter { firstDays[$0] == nil }
    hasDoses = rows.block.medicationCount > 0
    if hasDoses { try measure(rows, firstDays, into: &write) }
    if settings.parts.contains(.adherence) { addEvaluations(of: batch.persons, to: &write) }
    if hasDoses, let metric = settings.adherenceMetric, metric == batch.metrics.last {
      fill(batch.block, metric: batch.block.metricCount - 1)
    }
    return write
  }

  /// - Parameter firstDays: Those of the medications, and of the persons who have any that counts.
  private func measure(
    _ rows: MedicationRows, _ firstDays: [UUID: Day], into write: inout AdherenceWrite
  ) throws {
    // Whatever the run is narrowed to: what is expected on later days follows from what is seen now.
    write.versions = try rows.takeVersions(evaluatingFrom: settings.days.lowerBound)
    evaluator.evaluate(rows.block, over: window, into: &result)
    guard settings.parts.contains(.adherence) else { return }
    earlierNights = try correction(rows)
    let found = result.analytics.filter { $0.period != settings.dayBefore }
    // A period before anything began says nothing, and a backfill may have thousands of them.
    write.analytics = (found + earlierNights.analytics).filter { row in
      firstDays[row.medication ?? row.user].map { $0 <= row.period.days.upperBound } ?? false
    }
    write.lastEvaluatedDays = rows.lastEvaluatedDays
  }

  /// Says whose rows the write has all of: of the evaluated days, of corrected ones, and of a night's whole
  /// reach for those whose last medication is gone.
  private func addEvaluations(of persons: [UUID], to write: inout AdherenceWrite) {
    let last = settings.days.upperBound
    let month = AdherencePeriod.period(.calendarMonth, endingAt: settings.days.lowerBound)
    var firstDays = earlierNights.firstDays
    for person in withoutMedication { firstDays[person] = firstDayWithoutMedication }
    let byFirstDay = Dictionary(grouping: persons) { firstDays[$0] ?? settings.days.lowerBound }
    for (first, persons) in byFirstDay.sorted(by: { $0.key < $1.key }) {
      write.evaluated(first...last, monthsFrom: month.days.upperBound, of: persons)
    }
  }

  /// The first of the days on which nothing is left of those without a medication: all that bring them into
  /// a night's batches, but of a backfill only the days it was given.
  private var firstDayWithoutMedication: Day {
    settings.kind == .run ? settings.loadedDays.lowerBound : settings.days.lowerBound
  }

  private func correction(_ rows: MedicationRows) throws -> EarlierNights.Correction {
    guard let dayBefore = settings.dayBefore else { return .init() }
    let totals = result.analytics.filter { $0.medication == nil && $0.period == dayBefore }
    return try earlier.correction(
      totals: Dictionary(totals.map { ($0.user, $0) }) { $1 },
      lastEvaluated: { rows.lastEvaluatedDays[$0] },
      written: Set(window.periods).subtracting([dayBefore]))
  }

  /// Adds the streaks of missed doses of the batch that was evaluated last.
  func addMissedStreaks(to insights: inout InsightWrite) {
    insights.evaluated([.missedStreak], on: settings.days)
    let last = settings.days.lowerBound - 1
    if firstDayWithoutMedication <= last {
      insights.evaluated(
        [.missedStreak], on: firstDayWithoutMedication...last, of: withoutMedication)
    }
    guard hasDoses else { return }
    insights.insights += result.missedStreaks.map(\.insight) + earlierNights.missedStreaks
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
