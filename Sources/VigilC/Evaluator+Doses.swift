import CVigil
import VigilAdherence
import VigilDetection
import VigilModel
import VigilPipeline
import VigilZones

// Measures of adherence have nothing to do with the profile, whose rules are those of its episodes.
extension Evaluator {
  func setMeasuresAdherence(_ measures: Bool) throws(Failure) {
    try requireNoRows("the wanted tables")
    measuresAdherence = measures
  }

  func setEvaluatedAt(_ microseconds: Int64) throws(Failure) {
    try requireNoDoses("the instant of evaluation")
    let days = Day.calendar
    guard
      (days.lowerBound.midnight.microseconds...days.upperBound.midnight.microseconds)
        .contains(microseconds)
    else { throw .argument("the instant \(microseconds) is not in the years 1 to 9999") }
    evaluatedAt = Timestamp(microseconds: microseconds)
  }

  func setZones(folder: String) throws(Failure) {
    try requireNoDoses("the folder of zone files")
    guard let source = ZoneFolder(path: folder) else {
      throw .argument("there are no zone files in \"\(folder)\", such as Europe/London")
    }
    zones = ZoneCatalog(source: source)
  }

  func pushDoses(_ table: InputTable, _ batch: RecordBatch) throws(Failure) {
    try requiredInstant()
    try requireBeforeObservations(orIf: followsDoses)
    switch table {
    case .medications:
      try medications.addMedications(batch)
      followDoses()
    case .schedules: try medications.addSchedules(batch)
    case .doses: try medications.addDoses(batch)
    case .timezoneEvents: try medications.addEvents(batch)
    case .scheduleAdjustments: try medications.addAdjustments(batch)
    case .observations, .workouts, .birthDates, .scores, .labels, .checkIns, .checkInPlans,
      .timeZones, .sensitivities, .personLimits:
      break
    }
  }

  /// The instant that doses and check-ins need.
  @discardableResult
  func requiredInstant() throws(Failure) -> Timestamp {
    guard let evaluatedAt else {
      throw .order(
        "doses and check-ins need the instant as of which they are missed; call vigil_set_evaluated_at first"
      )
    }
    return evaluatedAt
  }

  /// Checks that blocks are not evaluated already without what comes now.
  ///
  /// - Parameter follows: Whether they are evaluated with it.
  func requireBeforeObservations(orIf follows: Bool) throws(Failure) {
    if isTogether, !columns.isEmpty, !follows {
      throw .order(
        "doses and check-ins, or tables of them without rows, come before the first observations where the rows of a"
          + " person come together")
    }
  }

  /// The rules of time zones: those of the folder that was given, or of the system.
  func knownZones() -> ZoneCatalog {
    let known = zones ?? ZoneCatalog(source: ZoneFolder.system())
    zones = known
    return known
  }

  func requireNoFault(of zones: ZoneCatalog) throws(Failure) {
    do { try zones.requireNoFault() } catch {
      throw .data("\(error); give the folder of zone files with vigil_set_zones")
    }
  }

  private func requireNoDoses(_ what: String) throws(Failure) {
    if hasDoses { throw .order("\(what) cannot change after the first doses") }
  }

  /// Says that rows of a table may come with those of their persons.
  func announce(_ table: InputTable) throws(Failure) {
    guard isTogether, columns.isEmpty else { return }
    switch table {
    case .medications:
      try requiredInstant()
      followDoses()
    case .checkIns, .checkInPlans:
      try requiredInstant()
      followCheckIns()
    case .observations, .workouts, .schedules, .doses, .timezoneEvents, .scheduleAdjustments,
      .birthDates, .scores, .labels, .timeZones, .sensitivities, .personLimits:
      break
    }
  }

  /// Follows doses from now on, if there is any medication, or one may come with the rows of its person.
  private func followDoses() {
    guard !followsDoses, isTogether || !medications.medications.isEmpty else { return }
    followsDoses = true
    analysis = nil
  }

  /// Measures the doses of the persons of a block; nil where no doses are followed.
  func measureDoses(
    of persons: [PersonRows], over days: ClosedRange<Day>, daily: ClosedRange<Day>
  ) throws(Failure) -> DoseFindings? {
    guard followsDoses, let evaluatedAt else { return nil }
    let analysis =
      medicationAnalysis
      ?? MedicationAnalysis(
        over: days, daily: daily, evaluatedAt: evaluatedAt,
        zones: knownZones(), rareDays: thresholds.adherenceMetric?.doses?.rareDays,
        measuresPeriods: measuresAdherence || vitality != nil)
    medicationAnalysis = analysis
    let found = analysis.evaluate(persons, of: &medications)
    try requireNoFault(of: knownZones())
    return found
  }

  /// Keeps the measures of a block, whose rows are not wanted any more.
  func add(_ found: DoseFindings, of persons: [PersonRows]) {
    if measuresAdherence {
      for row in found.measures.analytics { adherence.append(row, of: medications) }
    }
    unusable.append(found.rows.unusable)
    medications.use(persons.map(\.id), removingAtOnce: isTogether)
  }

  /// Persons with a medication or check-ins and no observations, who are evaluated last.
  func personsWithoutObservations(besides persons: [PersonRows]) -> [PersonRows] {
    var known = Set(persons.map(\.id))
    return (medications.waiting() + checkIns.names.keys.sorted())
      .filter { known.insert($0).inserted }.map { id in
        PersonRows(name: medications.names[id] ?? checkIns.names[id] ?? id.lowercased)
      }
  }

  /// Lists the rows whose medication or schedule has not come, and removes all.
  func finishDoses() {
    for orphan in medications.indexed().orphans {
      unusable.append(
        table: orphan.table, reason: orphan.reason, key: orphan.key.lowercased, count: 1)
    }
    medications.removeAll()
  }

  func takeAdherence() throws(Failure) -> ArrowArrayStream {
    guard measuresAdherence else {
      throw .order(
        "measures of adherence were not asked for; call vigil_set_adherence before the first rows")
    }
    return adherence.take()
  }

  func takeUnusable() -> ArrowArrayStream { unusable.take() }
}
