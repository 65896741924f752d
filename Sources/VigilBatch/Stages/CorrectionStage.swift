import Foundation
import VigilAdherence
import VigilModel
import VigilStorage

/// Evaluates the doses of nights before the evaluated one again.
///
/// Each person is followed back to the first day that has changed; rows of days before it stay. Used by one
/// thread.
final class CorrectionStage {
  private let evaluatedAt: Timestamp
  /// Periods that are written with the evaluated day.
  private let written: Set<AdherencePeriod>
  private let evaluator: AdherenceEvaluator
  private var result = AdherenceResult()

  init(_ plan: RunPlan, evaluatedAt: Timestamp, zones: ZoneCatalog) {
    self.evaluatedAt = evaluatedAt
    let periods = Set(plan.adherenceWindow(evaluatedAt: evaluatedAt).periods)
    written = plan.dayBefore.map { periods.subtracting([$0]) } ?? periods
    evaluator = AdherenceEvaluator(zones: zones)
  }

  func evaluate(_ loaded: LoadedCorrection) -> Corrections {
    let window = AdherenceWindow(evaluating: loaded.days, evaluatedAt: evaluatedAt)
    evaluator.evaluate(loaded.medications.block, over: window, into: &result)
    let firstDays = firstChangedDays(in: loaded)
    return Corrections(
      firstDays: firstDays,
      analytics: result.analytics.filter { row in
        guard let first = firstDays[row.user] else { return false }
        return row.period.days.upperBound >= first && !written.contains(row.period)
      },
      missedStreaks: result.missedStreaks.filter { streak in
        firstDays[streak.user].map { streak.day >= $0 } ?? false
      },
      supplies: result.supplies.compactMap { supply in
        firstDays[supply.user].map { supply.since($0) }
      },
      expiries: result.expiries.compactMap { expiry in
        firstDays[expiry.user].flatMap { expiry.since($0) }
      })
  }

  /// By person: the first day of those up to the last that have all changed.
  ///
  /// After a changed day each of the 90 nights that count it differs in its digest, so that the last night
  /// that is the same ends the way back.
  private func firstChangedDays(in loaded: LoadedCorrection) -> [UUID: Day] {
    var totals: [Day: [UUID: DoseAnalytics]] = [:]
    for row in result.analytics where row.medication == nil && row.period.kind == .ninetyDays {
      totals[row.period.days.upperBound, default: [:]][row.user] = row
    }
    var left = Set(loaded.persons)
    var firstDays: [UUID: Day] = [:]
    for day in loaded.days.reversed() {
      left = loaded.stored.changedPersons(
        from: (totals[day] ?? [:]).filter { left.contains($0.key) }, on: day,
        lastEvaluated: loaded.medications.lastEvaluatedDays)
      for person in left { firstDays[person] = day }
      if left.isEmpty { break }
    }
    return firstDays
  }
}

/// Rows of doses to write again, of days before the evaluated one.
struct Corrections {
  /// By person: the first of the days that are evaluated again.
  var firstDays: [UUID: Day] = [:]
  var analytics: [DoseAnalytics] = []
  var missedStreaks: [MissedStreak] = []
  var supplies: [SupplyForecast] = []
  var expiries: [MedicationExpiry] = []

  /// Adds the corrections of other persons.
  mutating func add(_ other: Corrections) {
    firstDays.merge(other.firstDays) { $1 }
    analytics += other.analytics
    missedStreaks += other.missedStreaks
    supplies += other.supplies
    expiries += other.expiries
  }
}
