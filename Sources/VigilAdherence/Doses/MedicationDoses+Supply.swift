import VigilModel

extension MedicationDoses {
  /// Finds the evaluated days on which a refill is due; nil for a medication whose supply is not followed, or
  /// was counted too long ago.
  ///
  /// Outcomes of doses must be settled.
  func supplyForecast(of user: UUID, window: AdherenceWindow) -> SupplyForecast? {
    guard let medication, medication.isActive, let supply = medication.supply else { return nil }
    let counted = Int(dayOfCount(supply))
    let evaluated = window.evaluated
    let last = min(Int(evaluated.upperBound.ordinal), counted + MedicationSupply.longestDays)
    guard last >= Int(evaluated.lowerBound.ordinal) else { return nil }
    var forecast = SupplyForecast(user: user, medication: medication.id, days: nil)
    let first = max(Int(evaluated.lowerBound.ordinal), counted)
    guard first <= last else { return forecast }
    let days = Day(ordinal: Int32(first))...Day(ordinal: Int32(last))
    forecast.days = days
    var taken = 0
    let takenOnDays = dosesTaken(after: supply.countedAt.microseconds, on: days)
    for (day, doses) in zip(days, takenOnDays) {
      taken += doses
      let used = Double(taken) * supply.unitsPerDose
      guard let use = expectedUse(of: medication, on: day.ordinal) else { continue }
      let rest = SupplyRest(
        units: max(0, Double(supply.units) - used), perDay: use.dosesPerDay * supply.unitsPerDose,
        daysNeeded: use.lastDay.map { Int($0) - Int(day.ordinal) })
      guard rest.isRefillDue(supply) else { continue }
      forecast.due.append(
        RefillDue(user: user, medication: medication.id, day: day, daysLeft: rest.daysLeft))
    }
    return forecast
  }

  /// The day of a count where the first of the schedules has its clock; in UTC without one.
  private func dayOfCount(_ supply: MedicationSupply) -> Int32 {
    let zone = schedules.first { $0.contains { $0.row.counts } }?.last?.row.referenceZone
    let instant = supply.countedAt.microseconds
    return zone.map { zones[Int($0.rawValue)].day(of: instant) } ?? ZoneRules.day(instant)
  }

  /// The doses taken after an instant, by day; those of days before are counted with the first.
  private func dosesTaken(after instant: Int64, on days: ClosedRange<Day>) -> [Int] {
    let (first, last) = (days.lowerBound.ordinal, days.upperBound.ordinal)
    var counts = [Int](repeating: 0, count: Int(last - first) + 1)
    func count(_ record: Int32) {
      let row = records[Int(record)]
      let time = row.actual != MedicationBlock.Record.noTime ? row.actual : row.scheduled
      let day = localDay(of: record)
      if time > instant, day <= last { counts[Int(max(first, day) - first)] += 1 }
    }
    for dose in doses where dose.record >= 0 && dose.outcome == .taken { count(dose.record) }
    for record in extraDoses { count(record) }
    for dose in asNeeded.doses { count(dose.record) }
    return counts
  }

  /// The use that schedules expect on a day, and the last day of it; nil where the medication is not in use.
  private func expectedUse(
    of medication: Medication, on day: Int32
  ) -> (dosesPerDay: Double, lastDay: Int32?)? {
    var dosesPerDay = 0.0
    var lastDay: Int32?
    for version in schedules.joined() where version.row.isActive {
      guard version.expectingDays(of: medication)?.contains(day) == true else { continue }
      dosesPerDay += version.row.timing.dosesPerDay
      let last = min(version.row.endDate?.ordinal ?? .max, medication.endDate?.ordinal ?? .max)
      lastDay = max(lastDay ?? last, last)
    }
    guard let lastDay else { return nil }
    return (dosesPerDay, lastDay == .max ? nil : lastDay)
  }
}

/// The units of a medication at the end of a day.
private struct SupplyRest {
  var units: Double
  /// The expected use.
  var perDay: Double
  /// The number of days after this one on which it is taken; nil where no end is known.
  var daysNeeded: Int?

  /// At most as many as there are days between two dates, so that it is finite.
  var daysLeft: Double? { perDay > 0 ? min(units / perDay, 4_000_000) : nil }

  func isRefillDue(_ supply: MedicationSupply) -> Bool {
    if perDay > 0, let daysNeeded, reaches(units, perDay * Double(daysNeeded)) { return false }
    if units <= 0 { return true }
    if let limit = supply.reminderUnits, reaches(Double(limit), units) { return true }
    guard perDay > 0, let limit = supply.reminderDays else { return false }
    return reaches(perDay * Double(limit), units)
  }

  /// Whether a value reaches a limit (specification, README.md, conventions).
  private func reaches(_ value: Double, _ limit: Double) -> Bool {
    value >= limit - 1e-9 * max(1, abs(limit))
  }
}

extension Schedule.Timing {
  /// The doses that are expected a day, in the long run.
  fileprivate var dosesPerDay: Double {
    switch self {
    case .timeBased(let times, let weekdays):
      Double(Set(times).count * weekdays.rawValue.nonzeroBitCount) / 7
    case .intervalBased(let seconds, _, let maximum):
      seconds > 0 ? min(86_400 / Double(seconds), maximum.map(Double.init) ?? .infinity) : 0
    case .asNeeded: 0
    }
  }
}
