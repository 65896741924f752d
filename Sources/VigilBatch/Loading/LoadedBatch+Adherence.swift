import Foundation
import VigilAdherence
import VigilModel
import VigilPipeline
import VigilStorage

extension AdherenceStage {
  /// The stage of a run.
  ///
  /// - Parameters:
  ///   - evaluatedAt: When the run began: a dose without a record is missed or pending as of then.
  ///   - zones: The zones of the batches.
  convenience init(_ plan: RunPlan, evaluatedAt: Timestamp, zones: ZoneCatalog) {
    self.init(
      plan.adherenceWindow(evaluatedAt: evaluatedAt), loadedDays: plan.scope.loadedDays,
      rareDays: plan.scope.rareDays, followsMedications: plan.scope.parts.contains(.patterns),
      zones: zones)
  }

  /// The stage of what needs daily adherence alone, without measures of periods and without single medications.
  ///
  /// - Parameters:
  ///   - plan: The plan that batches are loaded with.
  ///   - evaluatedAt: The instant as of which doses are missed or pending.
  ///   - zones: The zones of the batches.
  convenience init(daily plan: RunPlan, evaluatedAt: Timestamp, zones: ZoneCatalog) {
    let scope = plan.scope
    self.init(
      AdherenceWindow(
        day: scope.days.upperBound, evaluatedAt: evaluatedAt, periods: [], daily: scope.loadedDays),
      loadedDays: scope.loadedDays, rareDays: scope.rareDays, followsMedications: false,
      zones: zones)
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
      AdherenceStage(daily: plan, evaluatedAt: evaluatedAt, zones: zones)
        .evaluate(rows, personCount: persons.count)
    }
  }
}
