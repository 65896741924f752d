import CVigil
import VigilModel
import VigilZones

// Adherence has nothing to do with the profile: its rules are the same for all.
extension Evaluator {
  func setEvaluatedAt(_ microseconds: Int64) throws(Failure) {
    try requireNoRows("the instant of evaluation")
    let days = Day.calendar
    guard
      (days.lowerBound.midnight.microseconds...days.upperBound.midnight.microseconds)
        .contains(microseconds)
    else { throw .argument("the instant \(microseconds) is not in the years 1 to 9999") }
    evaluatedAt = Timestamp(microseconds: microseconds)
  }

  func setZones(folder: String) throws(Failure) {
    try requireNoRows("the folder of zone files")
    guard let source = ZoneFolder(path: folder) else {
      throw .argument("there are no zone files in \"\(folder)\", such as Europe/London")
    }
    zones = ZoneCatalog(source: source)
  }

  func pushDoses(_ table: InputTable, _ batch: RecordBatch) throws(Failure) {
    guard days != nil else {
      throw .order("doses need the evaluated days; call vigil_set_days first")
    }
    guard evaluatedAt != nil else {
      throw .order(
        "doses need the instant as of which they are missed; call vigil_set_evaluated_at first")
    }
    switch table {
    case .medications: try medications.addMedications(batch)
    case .schedules: try medications.addSchedules(batch)
    case .doses: try medications.doses.add(batch)
    case .timezoneEvents: try medications.addEvents(batch)
    case .scheduleAdjustments: try medications.addAdjustments(batch)
    case .observations, .workouts, .birthDates, .scores, .labels: break
    }
  }

  func finishDoses() throws(Failure) {
    guard let days, let evaluatedAt else { return }
    let zones = zones ?? ZoneCatalog(source: ZoneFolder.system())
    self.zones = zones
    try MedicationAnalysis(days: days, evaluatedAt: evaluatedAt, zones: zones)
      .evaluate(medications, into: &adherence, unusable: &unusable)
    medications.removeAll()
  }

  func takeAdherence() -> ArrowArrayStream { adherence.take() }

  func takeUnusable() -> ArrowArrayStream { unusable.take() }
}
