import Foundation
import VigilAdherence
import VigilDetection
import VigilModel
import VigilStorage

/// Evaluates the doses of earlier nights again where what they wrote no longer holds.
///
/// That is so for doses logged, corrected or taken back since, for doses that were pending, and for
/// nights that were missed (specification, runs.md section 1). Whether anything has changed shows in the
/// 90 days up to the day before: most persons cost one stored row. Whoever it has changed for is
/// followed back, as far as the state machine folds, to the first day that it has changed; what was
/// written of days before stays. Used by one thread.
final class EarlierNights {
  private let settings: BatchSettings
  private let runStartedAt: Timestamp
  private let zones: ZoneCatalog
  private let storage: any Storage
  private let reader: SharedReader
  private let evaluator: AdherenceEvaluator
  private var result = AdherenceResult()

  /// Each has a hundred and more rows.
  private static let mostPersonsAtOnce = 32

  init(
    settings: BatchSettings, runStartedAt: Timestamp, zones: ZoneCatalog, storage: any Storage,
    reader: SharedReader
  ) {
    self.settings = settings
    self.runStartedAt = runStartedAt
    self.zones = zones
    self.storage = storage
    self.reader = reader
    evaluator = AdherenceEvaluator(zones: zones)
  }

  /// What has to be written again of days before the evaluated one.
  struct Correction {
    /// By person: the first of the days that are evaluated again, for whom there are any.
    var firstDays: [UUID: Day] = [:]
    var analytics: [DoseAnalytics] = []
    var missedStreaks: [TrendInsight] = []
  }

  /// Evaluates days before the evaluated one.
  ///
  /// - Parameters:
  ///   - totals: What the 90 days up to the day before come to now, of all medications of a person.
  ///   - lastEvaluated: The last day of a person that a run has evaluated.
  ///   - written: Periods that are written with the evaluated day.
  func correction(
    totals: [UUID: DoseAnalytics], lastEvaluated: (UUID) -> Day?,
    written: Set<AdherencePeriod>
  ) throws -> Correction {
    var correction = Correction()
    let last = settings.days.lowerBound - 1
    let known = totals.filter { lastEvaluated($0.key) != nil }
    let changed = try self.changed(known, on: last, lastEvaluated: lastEvaluated).sorted()
    for first in stride(from: 0, to: changed.count, by: Self.mostPersonsAtOnce) {
      let persons = Array(changed[first..<min(first + Self.mostPersonsAtOnce, changed.count)])
      let days = settings.window.folded.lowerBound...last
      try evaluate(persons, over: days)
      let firstDays = try firstChangedDays(of: persons, in: days, lastEvaluated: lastEvaluated)
      correction.firstDays.merge(firstDays) { $1 }
      correction.analytics += result.analytics.filter { row in
        guard let first = firstDays[row.user] else { return false }
        return row.period.days.upperBound >= first && !written.contains(row.period)
      }
      correction.missedStreaks += result.missedStreaks.compactMap { streak in
        guard let first = firstDays[streak.user], streak.day >= first else { return nil }
        return streak.insight
      }
    }
    return correction
  }

  private func evaluate(_ persons: [UUID], over days: ClosedRange<Day>) throws {
    let window = AdherenceWindow(evaluating: days, evaluatedAt: runStartedAt)
    let rows = MedicationRows(zones: zones)
    try reader.read { reader in
      rows.begin(persons, evaluatedAt: runStartedAt)
      try reader.readMedications(of: persons, doses: window.recordTimes, into: rows)
    }
    // They are written with the evaluated day.
    _ = try rows.takeVersions(evaluatingFrom: settings.days.lowerBound)
    evaluator.evaluate(rows.block, over: window, into: &result)
  }

  /// By person: the first of the days up to the last one that have all changed.
  private func firstChangedDays(
    of persons: [UUID], in days: ClosedRange<Day>, lastEvaluated: (UUID) -> Day?
  ) throws -> [UUID: Day] {
    var totals: [Day: [UUID: DoseAnalytics]] = [:]
    for row in result.analytics where row.medication == nil && row.period.kind == .ninetyDays {
      totals[row.period.days.upperBound, default: [:]][row.user] = row
    }
    var left = Set(persons)
    var firstDays: [UUID: Day] = [:]
    for day in days.reversed() {
      let ofDay = (totals[day] ?? [:]).filter { left.contains($0.key) }
      left = try changed(ofDay, on: day, lastEvaluated: lastEvaluated)
      for person in left { firstDays[person] = day }
      if left.isEmpty { break }
    }
    return firstDays
  }

  /// Those of whom something else is stored, or nothing where the night was missed.
  ///
  /// Of days that have changed each of the 90 nights from then on differs, by its digest, so that the last
  /// night that is the same is the end of the way back.
  private func changed(
    _ totals: [UUID: DoseAnalytics], on day: Day, lastEvaluated: (UUID) -> Day?
  ) throws -> Set<UUID> {
    guard !totals.isEmpty else { return [] }
    let stored = try storage.doseAnalytics(
      of: totals.keys.sorted(), period: .ninetyDays, endingOn: day
    ).filter { $0.analytics.medication == nil }
    let known = Dictionary(
      stored.map { ($0.analytics.user, $0.analytics) }, uniquingKeysWith: { $1 })
    return Set(
      totals.filter { person, total in
        guard let known = known[person] else {
          return lastEvaluated(person).map { $0 < day } ?? false
        }
        return known.dayDigest != total.dayDigest || known.measures != total.measures
      }.keys)
  }
}
