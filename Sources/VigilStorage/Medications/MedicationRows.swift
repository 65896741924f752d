public import Foundation
public import VigilAdherence
public import VigilModel

/// Takes rows of medications, schedules, doses and changes of zone as a reader finds them, and passes
/// over those that cannot be used.
///
/// Rows come after those they belong to: persons, medications, schedules, then the rest. Filled again
/// and again; one thread at a time.
public final class MedicationRows {
  public let block = MedicationBlock()
  public let zones: ZoneCatalog
  /// Unusable rows, which were ignored.
  public private(set) var unusable = UnusableRows()
  /// Rows of `dose_history` that were read.
  public var doseCount: Int { doses.rowCount }
  /// Rows of medications, schedules and doses that were read.
  public var rowCount: Int {
    let passedOver = unusable.counts.filter { $0.table != InputTable.doseHistory.name }
    return doseCount + block.medicationCount + schedules.count
      + passedOver.reduce(0) { $0 + $1.count }
  }
  /// Schedules of the block, in the order in which they came.
  public private(set) var schedules: [Schedule] = []
  /// The same for the same rows, whatever their order, and in every process.
  public var digest: Int { Int(truncatingIfNeeded: digestSum &+ doses.digest) }

  /// By schedule: what earlier runs saw of it, in order of their days.
  private(set) var versions: [UUID: [Version]] = [:]
  /// By person: the last day that a run has evaluated.
  public private(set) var lastEvaluatedDays: [UUID: Day] = [:]
  /// By medication.
  private(set) var users: [UUID: UUID] = [:]
  /// What has happened after this instant cannot have happened.
  private(set) var evaluatedAt = Timestamp(microseconds: 0)

  private var unusableSchedules: Set<UUID> = []
  private var lists = ListMemory()
  private var digestSum: UInt64 = 0
  private var doses: DoseIntake

  struct Version {
    var validFrom: Day
    var schedule: Schedule
  }

  public init(zones: ZoneCatalog) {
    self.zones = zones
    doses = DoseIntake(zones: zones)
  }

  /// Empties it for other persons.
  ///
  /// - Parameter evaluatedAt: When the run began.
  public func begin(_ persons: [UUID], evaluatedAt: Timestamp) {
    block.removeAll()
    for person in persons { block.add(person: person) }
    unusable = UnusableRows()
    doses.begin(evaluatedAt: evaluatedAt)
    schedules.removeAll(keepingCapacity: true)
    versions.removeAll(keepingCapacity: true)
    lastEvaluatedDays.removeAll(keepingCapacity: true)
    users.removeAll(keepingCapacity: true)
    unusableSchedules.removeAll(keepingCapacity: true)
    self.evaluatedAt = evaluatedAt
    digestSum = 0
  }

  // MARK: Rows

  /// Takes the columns `InputTable.medications.columnsOfRuns`.
  public func addMedication(_ row: some RowReader) throws {
    var row = row
    let (id, user) = try (row.uuid(), row.uuid())
    let table = InputTable.medications.name
    let isActive = try row.flagIfPresent() ?? true
    guard let start = try? row.day(), let end = try? row.dayIfPresentOrThrow() else {
      return unusable.addRow(of: table, .impossibleDate, key: [id.lowercased])
    }
    let isDeleted = try row.flagIfPresent() ?? false
    guard end.day.map({ $0 >= start }) ?? true else {
      return unusable.addRow(of: table, .endBeforeStart, key: [id.lowercased])
    }
    let medication = Medication(
      id: id, user: user, isActive: isActive, isDeleted: isDeleted, startDate: start,
      endDate: end.day)
    guard block.add(medication) else { return }
    users[id] = user
    digest { hash in
      hash.combine(id)
      hash.combine(user)
      hash.combine(isActive)
      hash.combine(isDeleted)
      hash.combine(start)
      hash.combine(end.day)
    }
  }

  /// Takes the columns `InputTable.schedules.columnsOfRuns`.
  public func addSchedule(_ row: some RowReader) throws {
    var row = row
    let id = try row.uuid()
    do {
      let schedule = try row.schedule(id: id, zones: zones, lists: &lists)
      guard block.add(schedule) else { return }
      schedules.append(schedule)
      digest { $0.combine(schedule, zone: zones.name(of: schedule.referenceZone)) }
    } catch let problem as UnusableRow.Reason {
      unusableSchedules.insert(id)
      unusable.addRow(of: InputTable.schedules.name, problem, key: [id.lowercased])
    }
  }

  /// Takes the columns `InputTable.timezoneEvents.columnsOfRuns`.
  public func addEvent(_ row: some RowReader) throws {
    var row = row
    let table = InputTable.timezoneEvents.name
    let (id, user) = try (row.uuid(), row.uuid())
    let (previous, new) = try (row.text(), row.text())
    guard let previousZone = zones.id(of: previous), let newZone = zones.id(of: new) else {
      return unusable.addRow(of: table, .unknownTimezone, key: [id.lowercased])
    }
    guard let transition = try? row.timestamp() else {
      return unusable.addRow(of: table, .impossibleValue, key: [id.lowercased])
    }
    guard transition <= evaluatedAt else {
      return unusable.addRow(of: table, .futureTime, key: [id.lowercased])
    }
    let isConfirmed = try row.flagIfPresent() ?? false
    let event = TimezoneEvent(
      id: id, user: user, previousZone: previousZone, newZone: newZone, transitionTime: transition,
      isConfirmed: isConfirmed)
    guard block.add(event) else { return }
    digest { hash in
      hash.combine(id)
      hash.combine(previous)
      hash.combine(new)
      hash.combine(transition)
      hash.combine(isConfirmed)
    }
  }

  /// Takes the columns `InputTable.scheduleAdjustments.columnsOfRuns`.
  public func addAdjustment(_ row: some RowReader) throws {
    var row = row
    let table = InputTable.scheduleAdjustments.name
    let (event, schedule) = try (row.uuid(), row.uuid())
    let key = [event.lowercased, schedule.lowercased]
    guard let strategy = ScheduleAdjustment.Strategy(rawValue: try row.text()) else {
      return unusable.addRow(of: table, .impossibleValue, key: key)
    }
    guard let times = lists.times(try row.textIfPresent() ?? "[]") else {
      return unusable.addRow(of: table, .impossibleTimes, key: key)
    }
    let adjustment = ScheduleAdjustment(
      event: event, schedule: schedule, strategy: strategy, newTimes: times)
    guard block.add(adjustment) else { return }
    digest { hash in
      hash.combine(event)
      hash.combine(schedule)
      hash.combine(strategy.rawValue)
      for time in times { hash.combine(time.minutes) }
    }
  }

  /// Takes a row of `schedule_versions` (schedule, first day, document), in order of their days.
  public func addVersion(_ row: some RowReader) throws {
    var row = row
    let (id, validFrom) = try (row.uuid(), row.day())
    guard let schedule = ScheduleJSON.schedule(from: try row.json(), zones: zones),
      schedule.id == id
    else { throw row.refusal(expected: "a schedule") }
    versions[id, default: []].append(Version(validFrom: validFrom, schedule: schedule))
  }

  /// Takes the last day of a person that a run has evaluated.
  public func addEvaluatedDay(_ day: Day, of person: UUID) {
    lastEvaluatedDays[person] = day
  }

  /// Takes the doses that `body` adds.
  public func addDoses(_ body: (inout DoseIntake) throws -> Void) rethrows {
    defer { unusable += doses.takeUnusable() }
    try doses.fill(block, unusableSchedules: unusableSchedules, body)
  }

  /// Adds the hash of a row: they come in any order.
  private func digest(_ combine: (inout StableHash) -> Void) {
    var hash = StableHash()
    combine(&hash)
    digestSum &+= hash.value
  }
}
