import Foundation
import VigilAdherence
import VigilDetection
import VigilModel
import VigilStorage

extension InsightWrite {
  /// The insights of a batch: missed doses, co-occurrences and trends.
  init(_ found: BatchFindings, of batch: LoadedBatch, plan: RunPlan) {
    self.init(persons: batch.persons)
    if let adherence = found.adherence {
      if plan.scope.parts.contains(.adherence) {
        addMissedStreaks(adherence, found.corrections, of: batch, plan: plan)
      }
      if let patterns = found.patterns {
        addCoOccurrences(
          of: batch.own.stored, changed: patterns.changed, with: plan.adherenceMetric?.metric)
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
}
