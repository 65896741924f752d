import VigilDetection
import VigilModel
import VigilZones

extension Evaluator {
  func pushCheckIns(_ table: InputTable, _ batch: RecordBatch) throws(Failure) {
    try requiredInstant()
    try requireBeforeObservations(orIf: followsCheckIns)
    switch table {
    case .checkIns: try checkIns.addCheckIns(batch)
    case .checkInPlans:
      for person in try checkIns.addPlans(batch) {
        unusable.append(
          table: StagedCheckIns.plansTable, reason: "impossible_value", key: person.lowercased,
          count: 1)
      }
    case .timeZones: try checkIns.addZones(batch)
    case .observations, .workouts, .medications, .schedules, .doses, .timezoneEvents,
      .scheduleAdjustments, .birthDates, .scores, .labels, .sensitivities, .personLimits:
      break
    }
    followCheckIns()
  }

  /// Follows check-ins from now on, if there are any, or they may come with the rows of their person.
  func followCheckIns() {
    guard !followsCheckIns, isTogether || !checkIns.isEmpty else { return }
    followsCheckIns = true
    analysis = nil
  }

  /// By place in a block, the check-ins of persons; empty where none are followed.
  func checkInHistories(
    of persons: [PersonRows], through last: Day
  ) throws(Failure) -> [Int: CheckInHistory] {
    guard followsCheckIns else { return [:] }
    let zones = knownZones()
    var histories: [Int: CheckInHistory] = [:]
    for (index, person) in persons.enumerated() {
      histories[index] = checkIns.history(of: person.id, through: last, zones: zones)
    }
    try requireNoFault(of: zones)
    return histories
  }
}
