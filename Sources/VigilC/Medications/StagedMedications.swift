import VigilAdherence
import VigilModel

/// Medications, schedules, doses and changes of zone that are not evaluated yet.
struct StagedMedications {
  /// By id, a person as the caller names them.
  private(set) var names: [UUID: String] = [:]
  /// By id, a medication as the caller names it.
  private(set) var medicationNames: [UUID: String] = [:]
  private(set) var medications: [UncheckedMedication] = []
  private(set) var schedules: [UncheckedSchedule] = []
  private(set) var events: [UncheckedTimezoneEvent] = []
  private(set) var adjustments: [UncheckedAdjustment] = []
  private(set) var doses = StagedDoses()
  private var index: MedicationIndex?
  /// Persons whose rows were used and are not wanted any more.
  private var evaluated: Set<UUID> = []

  static let medicationNames = ["id", "medication_id", "medication"]

  // Each takes a batch or, where it throws, nothing of it.

  mutating func addMedications(_ batch: RecordBatch) throws(Failure) {
    let cells = Cells(batch: batch, table: "medications")
    let ids = try cells.required(
      Self.medicationNames, "the medication", cells.ids(Self.medicationNames))
    let texts = try cells.texts(Self.medicationNames)
    let names = StagedRows.Names.person
    let users = try cells.required(names, "who takes the medication", cells.ids(names))
    let persons = try cells.texts(names)
    let starts = try cells.required(
      ["start_date"], "the first day of the medication", cells.days(["start_date"]))
    let ends = try cells.days(["end_date"])
    let active = try cells.flags(["is_active"])
    let deleted = try cells.flags(["is_deleted"])
    let followsRefills = try cells.flags(["refill_reminder_enabled"])
    let remaining = try cells.integers(["refill_remaining_quantity"])
    let reminderUnits = try cells.integers(["refill_reminder_threshold"])
    let countedAt = try cells.instants(["refill_counted_at"])
    let unitsPerDose = try cells.numbers(["refill_units_per_dose"])
    let reminderDays = try cells.integers(["refill_reminder_days"])
    let missedAfter = try cells.integers(["missed_after_minutes"])
    let expiries = try cells.days(["expires_on"])
    index = nil
    for row in 0..<batch.count {
      self.names[users[row]] = persons[row]
      medicationNames[ids[row]] = texts[row]
      var medication = UncheckedMedication(
        id: ids[row], user: users[row], isActive: active[row], startDate: .value(starts[row]),
        endDate: ColumnValue(ends[row]), isDeleted: deleted[row])
      medication.followsRefills = followsRefills[row]
      medication.remainingUnits = remaining[row]
      medication.reminderUnits = reminderUnits[row]
      medication.countedAt = countedAt[row]
      medication.unitsPerDose = unitsPerDose[row]
      medication.reminderDays = reminderDays[row]
      medication.missedAfterMinutes = missedAfter[row]
      medication.expiresOn = expiries[row]
      medications.append(medication)
    }
  }

  mutating func addSchedules(_ batch: RecordBatch) throws(Failure) {
    let cells = Cells(batch: batch, table: "schedules")
    let names = ["id", "schedule_id", "schedule"]
    let ids = try cells.required(names, "the schedule", cells.ids(names))
    let ofMedication = ["medication_id", "medication"]
    let medications = try cells.required(
      ofMedication, "the medication of a schedule", cells.ids(ofMedication))
    let types = try cells.required(
      ["type"], "timeBased, intervalBased or asNeeded", cells.texts(["type"]))
    let zoneNames = ["reference_timezone", "timezone"]
    let zones = try cells.required(
      zoneNames, "the time zone of the schedule's clock", cells.texts(zoneNames))
    let starts = try cells.required(
      ["start_date"], "the first day of the schedule", cells.days(["start_date"]))
    let ends = try cells.days(["end_date"])
    let active = try cells.flags(["is_active"])
    let times = try cells.texts(["time_based_times"])
    let weekdays = try cells.texts(["time_based_days_of_week"])
    let flexibility = try cells.integers(["time_based_flexibility_minutes"])
    let hours = try cells.numbers(["interval_based_hours"])
    let first = try cells.instants(["interval_based_first_dose_time"])
    let most = try cells.integers(["interval_based_max_doses_per_day"])
    let minimum = try cells.numbers(["as_needed_min_interval_hours"])
    let mostAsNeeded = try cells.integers(["as_needed_max_doses_per_day"])
    index = nil
    for row in 0..<batch.count {
      var schedule = UncheckedSchedule(
        id: ids[row], medication: medications[row], type: types[row], referenceZone: zones[row],
        isActive: active[row], startDate: .value(starts[row]), endDate: ColumnValue(ends[row]))
      schedule.times = times[row]
      schedule.weekdays = weekdays[row]
      schedule.flexibilityMinutes = flexibility[row]
      schedule.intervalHours = hours[row]
      schedule.firstDoseTime = first[row]
      schedule.intervalMaxDoses = most[row]
      schedule.minIntervalHours = minimum[row]
      schedule.asNeededMaxDoses = mostAsNeeded[row]
      schedules.append(schedule)
    }
  }

  mutating func addEvents(_ batch: RecordBatch) throws(Failure) {
    let cells = Cells(batch: batch, table: "time zone events")
    let names = ["id", "timezone_event_id"]
    let ids = try cells.required(names, "the event", cells.ids(names))
    let ofPerson = StagedRows.Names.person
    let users = try cells.required(ofPerson, "who travels", cells.ids(ofPerson))
    let previous = try cells.required(
      ["previous_timezone"], "the time zone before", cells.texts(["previous_timezone"]))
    let new = try cells.required(
      ["new_timezone"], "the time zone after", cells.texts(["new_timezone"]))
    let times = try cells.required(
      ["transition_time"], "the instant of the change", cells.instants(["transition_time"]))
    let confirmed = try cells.flags(["user_confirmed"])
    index = nil
    for row in 0..<batch.count {
      events.append(
        UncheckedTimezoneEvent(
          id: ids[row], user: users[row], previousZone: previous[row], newZone: new[row],
          transitionTime: times[row], isConfirmed: confirmed[row]))
    }
  }

  mutating func addAdjustments(_ batch: RecordBatch) throws(Failure) {
    let cells = Cells(batch: batch, table: "schedule adjustments")
    let events = try cells.required(
      ["timezone_event_id"], "the event", cells.ids(["timezone_event_id"]))
    let schedules = try cells.required(
      ["schedule_id"], "the schedule", cells.ids(["schedule_id"]))
    let strategies = try cells.required(
      ["strategy"], "keepLocalTime, keepAbsoluteTime, gradualShift or custom",
      cells.texts(["strategy"]))
    let times = try cells.texts(["new_times"])
    index = nil
    for row in 0..<batch.count {
      adjustments.append(
        UncheckedAdjustment(
          event: events[row], schedule: schedules[row], strategy: strategies[row],
          newTimes: times[row]))
    }
  }

  mutating func addDoses(_ batch: RecordBatch) throws(Failure) {
    try doses.add(batch)
    index = nil
  }

  // MARK: Persons

  /// The rows of each person; made anew after a batch was taken.
  mutating func indexed() -> MedicationIndex {
    if let index { return index }
    let index = MedicationIndex(self)
    self.index = index
    return index
  }

  /// Persons with a medication whose rows were not used.
  mutating func waiting() -> [UUID] { indexed().persons.filter { !evaluated.contains($0) } }

  /// Says that the rows of some persons were used; removes all rows after the last person.
  ///
  /// - Parameter removesAtOnce: Whether the rows of these persons are removed before.
  mutating func use(_ persons: [UUID], removingAtOnce removesAtOnce: Bool) {
    evaluated.formUnion(persons)
    if removesAtOnce { return remove(Set(persons)) }
    let index = indexed()
    // Rows that still wait for their medication stay.
    if index.orphans.isEmpty, !index.hasOtherEvents, waiting().isEmpty { removeAll() }
  }

  private mutating func remove(_ persons: Set<UUID>) {
    let known = Set(medications.lazy.filter { persons.contains($0.user) }.map(\.id))
    guard !known.isEmpty else { return }
    let ofSchedules = Set(schedules.lazy.filter { known.contains($0.medication) }.map(\.id))
    for person in persons { names[person] = nil }
    for medication in known { medicationNames[medication] = nil }
    medications.removeAll { persons.contains($0.user) }
    schedules.removeAll { known.contains($0.medication) }
    events.removeAll { persons.contains($0.user) }
    adjustments.removeAll { ofSchedules.contains($0.schedule) }
    doses.remove(of: known)
    index = nil
  }

  /// The first day of a medication of a person; nil for one without any.
  func firstDay(of person: UUID) -> Day? {
    medications.compactMap { medication in
      guard medication.user == person, case .value(let day) = medication.startDate else {
        return nil
      }
      return day
    }.min()
  }

  mutating func removeAll() { self = StagedMedications() }
}

extension ColumnValue {
  init(_ value: Value?) { self = value.map { .value($0) } ?? .null }
}
