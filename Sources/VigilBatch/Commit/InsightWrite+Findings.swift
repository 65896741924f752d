import Foundation
import VigilAdherence
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

extension InsightWrite {
  /// The insights of a batch: missed doses, refills, co-occurrences and trends.
  init(_ found: BatchFindings, of batch: LoadedBatch, plan: RunPlan) {
    self.init(persons: batch.persons)
    if let adherence = found.adherence {
      if plan.scope.parts.contains(.adherence) {
        addMissedStreaks(adherence, found.corrections, of: batch, plan: plan)
        addRefills(adherence, found.corrections, of: batch, plan: plan)
      }
      if let patterns = found.patterns {
        addCoOccurrences(
          of: batch.own.storedOfMetrics, changed: patterns.changed,
          with: plan.adherenceMetric?.metric)
      }
    }
    if let trends = found.vitality?.insights { add(trends) }
  }

  private mutating func addMissedStreaks(
    _ found: AdherenceFindings, _ corrections: Corrections, of batch: LoadedBatch, plan: RunPlan
  ) {
    evaluated([.missedStreak], on: plan.scope.days)
    let last = plan.scope.days.lowerBound - 1
    if plan.firstDayWithoutMedication <= last {
      evaluated(
        [.missedStreak], on: plan.firstDayWithoutMedication...last,
        of: batch.personsWithoutMedication)
    }
    insights += (found.missedStreaks + corrections.missedStreaks).map(\.insight)
    for (first, persons) in Dictionary(grouping: corrections.firstDays, by: \.value) {
      evaluated([.missedStreak], on: first...last, of: persons.map(\.key))
    }
  }

  private mutating func addRefills(
    _ found: AdherenceFindings, _ corrections: Corrections, of batch: LoadedBatch, plan: RunPlan
  ) {
    let days = plan.scope.days
    var firstDays = corrections.firstDays
    for person in batch.personsWithoutMedication {
      firstDays[person] = min(plan.firstDayWithoutMedication, days.lowerBound)
    }
    // A count says nothing of days before it: insights of an earlier one stay there.
    let supplies = found.supplies + corrections.supplies
    for (person, ofPerson) in Dictionary(grouping: supplies, by: \.user) {
      let counted = SupplyForecast.firstDays(of: ofPerson).values
      guard let newest = counted.map({ $0 ?? days.upperBound + 1 }).max() else { continue }
      firstDays[person] = max(newest, firstDays[person] ?? days.lowerBound)
    }
    for (first, persons) in Dictionary(
      grouping: persons, by: { firstDays[$0] ?? days.lowerBound })
    where first <= days.upperBound {
      evaluated([.refillDue], on: first...days.upperBound, of: persons)
    }
    insights += supplies.flatMap(\.due).map(\.insight)
  }
}
