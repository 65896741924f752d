public import Foundation
public import VigilModel

/// The rows of some hundred persons: medications, schedules with their versions and adjustments,
/// timezone events and dose records.
///
/// A row is added after the one that it belongs to: persons, then medications, schedules, events,
/// then the rest. Within that the order is free and changes no result; rows of one medication one
/// after the other are taken faster. A row whose owner is not in the block is left out, and `add`
/// gives false.
public final class MedicationBlock {
  struct Person {
    var user: UUID
    var events: [TimezoneEvent] = []
  }

  struct MedicationEntry {
    var row: Medication
    var person: Int32
  }

  struct ScheduleEntry {
    var row: Schedule
    var medication: Int32
    var versions: [ScheduleVersion] = []
    var adjustments: [ScheduleAdjustment] = []
  }

  /// A dose record as it is kept: times in microseconds, `noTime` where there is none.
  struct Record {
    var id: UUID
    var created: Int64
    var scheduled: Int64
    var actual: Int64
    var medication: Int32
    /// -1 where the row names none.
    var schedule: Int32
    var zone: ZoneID
    var status: DoseRecord.Status

    static let noTime = Int64.min

    /// Whether the row was logged before `other`.
    func isBefore(_ other: Record) -> Bool {
      created != other.created ? created < other.created : id < other.id
    }
  }

  private(set) var persons: [Person] = []
  private(set) var medications: [MedicationEntry] = []
  private(set) var schedules: [ScheduleEntry] = []
  private(set) var records: [Record] = []

  private var personIndices: [UUID: Int32] = [:]
  private var medicationIndices: [UUID: Int32] = [:]
  private var scheduleIndices: [UUID: Int32] = [:]
  private var lastMedication: (id: UUID, index: Int32)?
  private var lastSchedule: (id: UUID, index: Int32)?

  public init() {}

  public var personCount: Int { persons.count }
  public var medicationCount: Int { medications.count }
  public var recordCount: Int { records.count }

  /// The first day of each medication, and of the first medication of each person, by their ids.
  ///
  /// - Complexity: O(medications).
  public var firstDays: [UUID: Day] {
    var days: [UUID: Day] = [:]
    for entry in medications where entry.row.counts {
      days[entry.row.id] = entry.row.startDate
      days[entry.row.user] = min(days[entry.row.user] ?? entry.row.startDate, entry.row.startDate)
    }
    return days
  }

  /// Empties the block for other persons and keeps its memory.
  public func removeAll() {
    persons.removeAll(keepingCapacity: true)
    medications.removeAll(keepingCapacity: true)
    schedules.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
    personIndices.removeAll(keepingCapacity: true)
    medicationIndices.removeAll(keepingCapacity: true)
    scheduleIndices.removeAll(keepingCapacity: true)
    lastMedication = nil
    lastSchedule = nil
  }

  public func add(person user: UUID) {
    guard personIndices[user] == nil else { return }
    personIndices[user] = Int32(persons.count)
    persons.append(Person(user: user))
  }

  @discardableResult
  public func add(_ medication: Medication) -> Bool {
    guard let person = personIndices[medication.user], medicationIndices[medication.id] == nil
    else { return false }
    medicationIndices[medication.id] = Int32(medications.count)
    medications.append(MedicationEntry(row: medication, person: person))
    return true
  }

  @discardableResult
  public func add(_ schedule: Schedule) -> Bool {
    guard let medication = medicationIndices[schedule.medication],
      scheduleIndices[schedule.id] == nil
    else { return false }
    scheduleIndices[schedule.id] = Int32(schedules.count)
    schedules.append(ScheduleEntry(row: schedule, medication: medication))
    return true
  }

  /// A stored version; where a schedule has any, they say what it expects, and not its row.
  @discardableResult
  public func add(_ version: ScheduleVersion) -> Bool {
    guard let schedule = scheduleIndices[version.row.id] else { return false }
    schedules[Int(schedule)].versions.append(version)
    return true
  }

  @discardableResult
  public func add(_ event: TimezoneEvent) -> Bool {
    guard let person = personIndices[event.user] else { return false }
    persons[Int(person)].events.append(event)
    return true
  }

  @discardableResult
  public func add(_ adjustment: ScheduleAdjustment) -> Bool {
    guard let schedule = scheduleIndices[adjustment.schedule] else { return false }
    schedules[Int(schedule)].adjustments.append(adjustment)
    return true
  }

  /// A dose record; one without any time says nothing and is left out too.
  @discardableResult
  public func add(_ record: DoseRecord) -> Bool {
    guard let medication = index(ofMedication: record.medication),
      record.scheduledTime != nil || record.actualTime != nil
    else { return false }
    var schedule: Int32 = -1
    if let id = record.schedule {
      guard let index = index(ofSchedule: id), schedules[Int(index)].medication == medication else {
        return false
      }
      schedule = index
    }
    records.append(
      Record(
        id: record.id, created: record.createdAt.microseconds,
        scheduled: record.scheduledTime?.microseconds ?? Record.noTime,
        actual: record.actualTime?.microseconds ?? Record.noTime, medication: medication,
        schedule: schedule, zone: record.recordedZone, status: record.status))
    return true
  }

  private func index(ofMedication id: UUID) -> Int32? {
    if let lastMedication, lastMedication.id == id { return lastMedication.index }
    guard let index = medicationIndices[id] else { return nil }
    lastMedication = (id, index)
    return index
  }

  private func index(ofSchedule id: UUID) -> Int32? {
    if let lastSchedule, lastSchedule.id == id { return lastSchedule.index }
    guard let index = scheduleIndices[id] else { return nil }
    lastSchedule = (id, index)
    return index
  }
}
