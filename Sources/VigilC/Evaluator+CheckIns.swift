import VigilDetection
import VigilModel
import VigilZones

extension Evaluator {
  func pushCheckIns(_ table: InputTable, _ batch: RecordBatch) throws(Failure) {
    try requireRulesOfDoses()
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
      .scheduleAdjustments, .birthDates, .scores, .labels:
      break
    }
    guard !followsCheckIns, !checkIns.isEmpty else { return }
    followsCheckIns = true
    analysis = nil
  }

  /// By place in a block, the check-ins of persons; empty where none are followed.
  func checkInHistories(
    of persons: [PersonRows], over days: ClosedRange<Day>
  ) throws(Failure) -> [Int: CheckInHistory] {
    guard followsCheckIns else { return [:] }
    let zones = knownZones()
    var histories: [Int: CheckInHistory] = [:]
    for (index, person) in persons.enumerated() {
      histories[index] = checkIns.history(of: person.id, through: days.upperBound, zones: zones)
    }
    try requireNoFault(of: zones)
    return histories
  }
}
