public import VigilModel

/// The rows of some hundred persons: medications, schedules with their versions and adjustments,
/// timezone events and dose records.
///
/// ```swift
/// guard let start = Day("2026-01-01") else { return }
/// let anna = UUID(name: "anna")
/// let block = MedicationBlock()
/// block.add(person: anna)
/// print(block.add(Medication(id: UUID(name: "tablets"), user: anna, startDate: start)))  // true
/// print(block.personCount, block.medicationCount)  // 1 1
/// ```
///
/// A row is added after its owner: persons, then medications, schedules, events, then the rest.
/// Within that the order is free and changes no result; rows of one medication one after the other
/// are read faster. A row whose owner is not in the block is left out, and `add` returns false.
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

  private(set) var persons: [Person] = []
  private(set) var medications: [MedicationEntry] = []
  private(set) var schedules: [ScheduleEntry] = []
  private(set) var table = RecordTable()

  private var personIndices: [UUID: Int32] = [:]

  public init() {}

  public var personCount: Int { persons.count }
  public var medicationCount: Int { medications.count }
  public var recordCount: Int { table.records.count }
  var records: [Record] { table.records }

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
    table.removeAll()
    personIndices.removeAll(keepingCapacity: true)
    _checkInvariants()
  }

  public func add(person user: UUID) {
    guard personIndices[user] == nil else { return }
    personIndices[user] = Int32(persons.count)
    persons.append(Person(user: user))
  }

  @discardableResult
  public func add(_ medication: Medication) -> Bool {
    guard let person = personIndices[medication.user],
      table.add(medication: medication.id, index: medications.count)
    else { return false }
    medications.append(MedicationEntry(row: medication, person: person))
    _checkInvariants()
    return true
  }

  @discardableResult
  public func add(_ schedule: Schedule) -> Bool {
    guard let medication = table.index(ofMedication: schedule.medication),
      table.add(schedule: schedule.id, of: medication)
    else { return false }
    schedules.append(ScheduleEntry(row: schedule, medication: medication))
    _checkInvariants()
    return true
  }

  /// Adds a stored version; the versions of a schedule, where it has any, replace its row.
  @discardableResult
  public func add(_ version: ScheduleVersion) -> Bool {
    guard let schedule = table.index(ofSchedule: version.row.id) else { return false }
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
    guard let schedule = table.index(ofSchedule: adjustment.schedule) else { return false }
    schedules[Int(schedule)].adjustments.append(adjustment)
    return true
  }

  /// Adds a dose record; one without any time is left out too.
  @discardableResult
  public func add(_ record: DoseRecord) -> Bool { table.add(record) }

  /// Calls `body` with the table of records, for many of them to be added.
  ///
  /// `body` must use no other part of the block.
  func withRecords<Result>(_ body: (inout RecordTable) throws -> Result) rethrows -> Result {
    defer { table._checkInvariants() }
    return try body(&table)
  }
}
