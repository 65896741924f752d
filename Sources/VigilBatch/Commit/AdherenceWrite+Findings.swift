import Foundation
import VigilAdherence
import VigilModel
import VigilPipeline
import VigilStorage

extension AdherenceWrite {
  /// The rows of the doses of a batch; versions of schedules alone where the run does not evaluate adherence.
  ///
  /// - Parameter evaluatedAt: When the run began.
  init(
    _ found: AdherenceFindings, _ corrections: Corrections, of batch: LoadedBatch, plan: RunPlan,
    evaluatedAt: Timestamp
  ) {
    self.init(evaluatedAt: evaluatedAt, versions: batch.scheduleVersions)
    guard plan.scope.parts.contains(.adherence), let rows = batch.medications else { return }
    let firstDays = rows.block.firstDays
    let ofDays = found.analytics.filter { $0.period != plan.dayBefore }
    // A period before anything began says nothing, and a backfill may have thousands of them.
    analytics = (ofDays + corrections.analytics).filter { row in
      firstDays[row.medication ?? row.user].map { $0 <= row.period.days.upperBound } ?? false
    }
    lastEvaluatedDays = rows.block.medicationCount > 0 ? rows.lastEvaluatedDays : [:]
    addEvaluations(corrections, of: batch, plan: plan)
  }

  /// Lists the persons and days of which the write has all rows: the evaluated days, corrected days, and all
  /// days of a night's batch for persons whose last medication has been deleted.
  private mutating func addEvaluations(
    _ corrections: Corrections, of batch: LoadedBatch, plan: RunPlan
  ) {
    let days = plan.scope.days
    let month = AdherencePeriod.period(.calendarMonth, endingAt: days.lowerBound)
    var firstDays = corrections.firstDays
    for person in batch.personsWithoutMedication {
      firstDays[person] = plan.firstDayWithoutMedication
    }
    let byFirstDay = Dictionary(grouping: batch.persons) { firstDays[$0] ?? days.lowerBound }
    for (first, persons) in byFirstDay.sorted(by: { $0.key < $1.key }) {
      evaluated(first...days.upperBound, monthsFrom: month.days.upperBound, of: persons)
    }
  }
}

extension LoadedBatch {
  /// The persons with no medication that counts; none where the run does not follow doses.
  var personsWithoutMedication: [UUID] {
    guard let firstDays = medications?.block.firstDays else { return [] }
    return persons.filter { firstDays[$0] == nil }
  }
}

extension RunPlan {
  /// The first of the days on which no row stays of a person without a medication: of a night all days that
  /// bring such persons into its batches, of a backfill only the days it was given.
  var firstDayWithoutMedication: Day {
    scope.kind == .run ? scope.loadedDays.lowerBound : scope.days.lowerBound
  }
}
