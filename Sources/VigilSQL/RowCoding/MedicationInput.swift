import Foundation
public import VigilAdherence
import VigilModel

extension UncheckedMedication {
  /// Reads the columns `InputTable.medications.columnsOfRuns`.
  public static func decode(_ row: inout some RowReader) throws -> Self {
    let (id, user) = try (row.uuid(), row.uuid())
    let isActive = try row.flagIfPresent()
    let (start, end) = (row.plannedDay(), row.plannedDay())
    var medication = Self(
      id: id, user: user, isActive: isActive, startDate: start, endDate: end, isDeleted: nil)
    medication.followsRefills = try row.flagIfPresent()
    medication.remainingUnits = try row.intIfPresent()
    medication.reminderUnits = try row.intIfPresent()
    medication.countedAt = try row.timestampIfPresent()
    medication.unitsPerDose = try row.doubleIfPresent()
    medication.reminderDays = try row.intIfPresent()
    medication.missedAfterMinutes = try row.intIfPresent()
    if case .value(let day) = row.plannedDay() { medication.expiresOn = day }
    medication.isDeleted = try row.flagIfPresent()
    return medication
  }
}

extension UncheckedSchedule {
  /// Reads the columns `InputTable.schedules.columnsOfRuns`.
  public static func decode(_ row: inout some RowReader) throws -> Self {
    let (id, medication) = try (row.uuid(), row.uuid())
    let (type, zone) = try (row.text(), row.text())
    let isActive = try row.flagIfPresent()
    let (start, end) = (row.plannedDay(), row.plannedDay())
    var schedule = Self(
      id: id, medication: medication, type: type, referenceZone: zone, isActive: isActive,
      startDate: start, endDate: end)
    schedule.times = try row.textIfPresent()
    schedule.weekdays = try row.textIfPresent()
    schedule.flexibilityMinutes = try row.intIfPresent()
    schedule.intervalHours = try row.doubleIfPresent()
    schedule.firstDoseTime = try row.timestampIfPresent()
    schedule.intervalMaxDoses = try row.intIfPresent()
    schedule.minIntervalHours = try row.doubleIfPresent()
    schedule.asNeededMaxDoses = try row.intIfPresent()
    return schedule
  }
}

extension UncheckedTimezoneEvent {
  /// Reads the columns `InputTable.timezoneEvents.columnsOfRuns`.
  public static func decode(_ row: inout some RowReader) throws -> Self {
    let (id, user) = try (row.uuid(), row.uuid())
    let (previous, new) = try (row.text(), row.text())
    let transition = try? row.timestamp()
    return Self(
      id: id, user: user, previousZone: previous, newZone: new, transitionTime: transition,
      isConfirmed: try row.flagIfPresent())
  }
}

extension UncheckedAdjustment {
  /// Reads the columns `InputTable.scheduleAdjustments.columnsOfRuns`.
  public static func decode(_ row: inout some RowReader) throws -> Self {
    let (event, schedule) = try (row.uuid(), row.uuid())
    let strategy = try row.text()
    return Self(
      event: event, schedule: schedule, strategy: strategy, newTimes: try row.textIfPresent())
  }
}

extension RowReader {
  fileprivate mutating func plannedDay() -> ColumnValue<Day> {
    guard !isNextNull else {
      skip()
      return .null
    }
    return (try? day()).map { .value($0) } ?? .unreadable
  }
}
