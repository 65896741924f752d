public import VigilModel

/// Takes rows of medications, schedules, doses and changes of zone as a reader finds them, checks them, and
/// fills a block with those that can be used.
///
/// Rows come after those they belong to: persons, medications, schedules, then the rest. Filled again
/// and again; one thread at a time.
public final class MedicationRows {
  public let block = MedicationBlock()
  public let zones: ZoneCatalog
  /// Rows that cannot be used.
  public private(set) var unusable = UnusableRows()
  /// Rows of `dose_history` that were read.
  public var doseCount: Int { doses.rowCount }
  /// Rows of medications, schedules and doses that were read.
  public var rowCount: Int {
    let unusable = unusable.counts.filter { $0.table != UncheckedDose.table }
    return doseCount + block.medicationCount + schedules.count
      + unusable.reduce(0) { $0 + $1.count }
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
  /// By medication: when its units were counted.
  private var counts: [UUID: Timestamp] = [:]
  /// The instant after which nothing can have happened.
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
  /// - Parameters:
  ///   - persons: The persons whose rows come next.
  ///   - evaluatedAt: When the run began.
  public func begin(_ persons: [UUID], evaluatedAt: Timestamp) {
    block.removeAll()
    for person in persons { block.add(person: person) }
    unusable = UnusableRows()
    doses.begin(evaluatedAt: evaluatedAt)
    schedules.removeAll(keepingCapacity: true)
    versions.removeAll(keepingCapacity: true)
    lastEvaluatedDays.removeAll(keepingCapacity: true)
    users.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    unusableSchedules.removeAll(keepingCapacity: true)
    self.evaluatedAt = evaluatedAt
    digestSum = 0
  }

  // MARK: Rows

  /// Takes a row of `medications`.
  public func add(_ row: UncheckedMedication) {
    let medication: Medication
    do { medication = try row.checked() } catch {
      return unusable.addRow(of: UncheckedMedication.table, error, key: [row.id.lowercased])
    }
    guard block.add(medication) else { return }
    users[row.id] = row.user
    digest { hash in
      hash.combine(medication.id)
      hash.combine(medication.user)
      hash.combine(medication.isActive)
      hash.combine(medication.isDeleted)
      hash.combine(medication.startDate)
      hash.combine(medication.endDate)
      // Rows without them have the digests that they had before there were such columns.
      if let day = medication.expiresOn { hash.combine(day) }
      if medication.missedAfterMinutes != Medication.defaultMissedAfterMinutes {
        hash.combine(medication.missedAfterMinutes)
      }
      guard let supply = medication.supply else { return }
      hash.combine(supply.units)
      hash.combine(supply.countedAt)
      hash.combine(supply.unitsPerDose.bitPattern)
      hash.combine(supply.reminderUnits ?? .min)
      hash.combine(supply.reminderDays ?? .min)
    }
    if let supply = medication.supply { counts[medication.id] = supply.countedAt }
  }

  /// The times of the doses to read of some medications: those given, and earlier ones that use up what was
  /// counted before.
  ///
  /// - Parameters:
  ///   - times: The times of doses that matter in any case.
  ///   - medications: The medications, whose rows were taken.
  public func doseTimes(
    _ times: ClosedRange<Timestamp>, of medications: [UUID]
  ) -> ClosedRange<Timestamp> {
    let earliest = times.lowerBound.adding(seconds: -Int64(MedicationSupply.longestDays) * 86_400)
    let first = medications.compactMap { counts[$0] }.filter { $0 >= earliest }.min()
    return min(first ?? times.lowerBound, times.lowerBound)...times.upperBound
  }

  /// Takes a row of `schedules`.
  ///
  /// - Returns: Whether its adjustments and versions are of use.
  @discardableResult
  public func add(_ row: UncheckedSchedule) -> Bool {
    let schedule: Schedule
    do { schedule = try row.checked(zones: zones, lists: &lists) } catch {
      unusableSchedules.insert(row.id)
      unusable.addRow(of: UncheckedSchedule.table, error, key: [row.id.lowercased])
      return false
    }
    guard block.add(schedule) else { return false }
    schedules.append(schedule)
    digest { $0.combine(schedule, zone: row.referenceZone) }
    return true
  }

  /// Takes a row of `timezone_events`.
  public func add(_ row: UncheckedTimezoneEvent) {
    let event: TimezoneEvent
    do { event = try row.checked(zones: zones, now: evaluatedAt) } catch {
      return unusable.addRow(of: UncheckedTimezoneEvent.table, error, key: [row.id.lowercased])
    }
    guard block.add(event) else { return }
    digest { hash in
      hash.combine(event.id)
      hash.combine(row.previousZone)
      hash.combine(row.newZone)
      hash.combine(event.transitionTime)
      hash.combine(event.isConfirmed)
    }
  }

  /// Takes a row of `schedule_adjustments`.
  public func add(_ row: UncheckedAdjustment) {
    let adjustment: ScheduleAdjustment
    do { adjustment = try row.checked(&lists) } catch {
      return unusable.addRow(
        of: UncheckedAdjustment.table, error, key: [row.event.lowercased, row.schedule.lowercased])
    }
    guard block.add(adjustment) else { return }
    digest { hash in
      hash.combine(adjustment.event)
      hash.combine(adjustment.schedule)
      hash.combine(adjustment.strategy.rawValue)
      for time in adjustment.newTimes { hash.combine(time.minutes) }
    }
  }

  /// Takes a row of `schedule_versions`; rows of a schedule come in order of their days.
  ///
  /// - Returns: False for a document that is not the named schedule.
  public func add(_ row: StoredScheduleVersion) -> Bool {
    guard let schedule = ScheduleJSON.schedule(from: row.row, zones: zones),
      schedule.id == row.schedule
    else { return false }
    versions[row.schedule, default: []].append(
      Version(validFrom: row.validFrom, schedule: schedule))
    return true
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
