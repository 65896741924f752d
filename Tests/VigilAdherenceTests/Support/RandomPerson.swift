import Foundation
import ReferenceKernels
import TestSupport
import VigilAdherence
import VigilModel

/// The zones of random persons: half-hour offsets, southern summer time, changes by half an hour
/// and by the moon, and none at all.
struct TestZones: Sendable {
  static let shared = TestZones()

  static let names = [
    "Europe/Madrid", "America/New_York", "Asia/Kolkata", "Australia/Adelaide",
    "Australia/Lord_Howe", "America/Santiago", "Asia/Tokyo", "America/Phoenix", "Pacific/Chatham",
    "America/St_Johns", "Africa/Casablanca", "Pacific/Apia", "Pacific/Pago_Pago", "UTC",
  ]

  let catalog = ZoneCatalog.system
  let ids: [ZoneID]
  let references: [ZoneID: ReferenceZone]

  private init() {
    var ids: [ZoneID] = []
    var references: [ZoneID: ReferenceZone] = [:]
    for name in Self.names {
      guard let id = catalog.id(of: name), let rules = catalog.rules(of: name) else { continue }
      ids.append(id)
      // 2025-07-01 to 2027-07-01.
      references[id] = ReferenceZone(rules, seconds: 1_751_328_000..<1_814_400_000)
    }
    self.ids = ids
    self.references = references
  }
}

/// A random person whose rows reach the corners of the rules: clocks that change, travel with every
/// strategy, versions, corrections, planned skips, extra and as-needed doses.
struct RandomPerson {
  var rows: AdherenceRows
  let window: AdherenceWindow

  private var random: SeededGenerator
  private var nextID = 0

  init(seed: Int) {
    random = SeededGenerator(seed: seed)
    rows = AdherenceRows(user: UUID(name: "person \(seed)"))
    let year = Day(ordinal: 20_454)  // 2026-01-01
    let day = year + random.pick([70, 87, 92, 94, 98, 265, 274, 280, 300, 306, 150])
    let second = Int(day.ordinal + 1) * 86_400 + Int.random(in: -40_000...30_000, using: &random)
    window = AdherenceWindow(
      day: day, evaluatedAt: Timestamp(microseconds: Int64(second) * 1_000_000),
      periods: [
        .period(.sevenDays, endingAt: day), .period(.thirtyDays, endingAt: day),
        AdherencePeriod(.calendarMonth, days: (day - 17)...(day - 4)),
      ])
    let home = random.pick(TestZones.shared.ids)
    addEvents(home: home)
    for _ in 0..<Int.random(in: 1...3, using: &random) { addMedication(home: home) }
    addRecords()
    addSupplies(seed: seed)
  }

  /// With random numbers of its own, so that the other rows of a seed stay the same.
  private mutating func addSupplies(seed: Int) {
    var random = SeededGenerator(seed: seed &+ 7_000_003)
    for index in rows.medications.indices where random.chance(0.7) {
      let hours = Int.random(in: -960...48, using: &random)
      let counted = window.day.midnight.adding(seconds: Int64(hours) * 3600)
      rows.medications[index].supply = MedicationSupply(
        units: random.pick([0, 5, 20, 40, 90]), countedAt: counted,
        unitsPerDose: random.pick([1, 1, 2, 0.5]), reminderUnits: random.pick([nil, nil, 3, 12]),
        reminderDays: random.pick([nil, nil, 0, 3, 14]))
    }
  }

  private mutating func id() -> UUID {
    nextID += 1
    return UUID(name: "\(rows.user) \(nextID)")
  }

  private mutating func day(_ range: ClosedRange<Int>) -> Day {
    window.day + Int.random(in: range, using: &random)
  }

  private mutating func instant(_ day: Day) -> Timestamp {
    let ofDay = Int.random(in: 0..<86_400, using: &random)
    let second = Int(day.ordinal) * 86_400 + (random.chance(0.5) ? ofDay / 1800 * 1800 : ofDay)
    return Timestamp(microseconds: Int64(second) * 1_000_000)
  }

  // MARK: Rows that expect doses

  private mutating func addEvents(home: ZoneID) {
    guard random.chance(0.5) else { return }
    var zone = home
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let next = random.pick(TestZones.shared.ids.filter { $0 != zone })
      let event = TimezoneEvent(
        id: id(), user: rows.user, previousZone: zone, newZone: next,
        transitionTime: instant(day(-28...1)), isConfirmed: random.chance(0.5))
      rows.events.append(event)
      zone = next
    }
    rows.events.sort { $0.transitionTime < $1.transitionTime }
  }

  private mutating func addMedication(home: ZoneID) {
    let medication = Medication(
      id: id(), user: rows.user, isActive: random.chance(0.9), isDeleted: random.chance(0.05),
      startDate: day(-35 ... -10), endDate: random.chance(0.25) ? day(-8...3) : nil)
    rows.medications.append(medication)
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let schedule = schedule(UUID?.none, medication: medication.id, home: home)
      rows.schedules.append(schedule)
      if random.chance(0.25) { addVersions(of: schedule, home: home) }
      for event in rows.events where random.chance(0.7) {
        rows.adjustments.append(
          ScheduleAdjustment(
            event: event.id, schedule: schedule.id,
            strategy: random.pick(ScheduleAdjustment.Strategy.allCases),
            newTimes: random.chance(0.3) ? [] : times()))
      }
    }
  }

  private mutating func schedule(_ id: UUID?, medication: UUID, home: ZoneID) -> Schedule {
    let zone =
      random.chance(0.2) ? rows.events.last?.newZone ?? home : home
    return Schedule(
      id: id ?? self.id(), medication: medication, timing: timing(), referenceZone: zone,
      isActive: random.chance(0.9), startDate: day(-34 ... -4),
      endDate: random.chance(0.25) ? day(-6...3) : nil,
      flexibilityMinutes: random.chance(0.5) ? nil : random.pick([0, 30, 120]))
  }

  private mutating func addVersions(of schedule: Schedule, home: ZoneID) {
    var from: Day?
    for offset in [-20, -9, -3].prefix(Int.random(in: 2...3, using: &random)) {
      var row = self.schedule(schedule.id, medication: schedule.medication, home: home)
      row.startDate = schedule.startDate
      rows.versions.append(ScheduleVersion(validFrom: from, row: row))
      from = window.day + offset
    }
  }

  private mutating func timing() -> Schedule.Timing {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<7:
      let weekdays = random.chance(0.7) ? [] : (0..<7).filter { _ in random.chance(0.5) }
      return .timeBased(times: times(), weekdays: Schedule.Weekdays(days: weekdays))
    case 7, 8:
      return .intervalBased(
        seconds: random.pick([4, 6, 8, 12, 24, 36]) * 3600 + random.pick([0, 0, 36]),
        first: instant(day(-40 ... -5)),
        maxDosesPerDay: random.chance(0.5) ? nil : random.pick([1, 2, 3]))
    default:
      return .asNeeded(
        minIntervalSeconds: random.pick([nil, 4 * 3600]), maxDosesPerDay: random.pick([nil, 2, 3]))
    }
  }

  private mutating func times() -> [TimeOfDay] {
    let texts = [
      "00:00", "00:30", "01:30", "02:00", "02:15", "02:30", "03:00", "08:00", "08:00", "12:00",
      "20:00", "23:30", "23:59",
    ]
    let count = Int.random(in: 1...3, using: &random)
    return (0..<count).compactMap { _ in TimeOfDay(random.pick(texts)) }
  }

  // MARK: Dose history

  private mutating func addRecords() {
    var expected = AdherenceResult()
    AdherenceEvaluator(zones: TestZones.shared.catalog, keepsDoses: true)
      .evaluate(Self.block([rows]), over: window, into: &expected)
    let medications = Dictionary(
      rows.schedules.map { ($0.id, $0.medication) }, uniquingKeysWith: { first, _ in first })
    let diligence = random.pick([0.1, 0.5, 0.85, 1])
    for dose in expected.doses where random.chance(diligence) {
      guard let medication = medications[dose.schedule] else { continue }
      addRecord(of: dose.time, medication: medication, schedule: dose.schedule)
    }
    for medication in rows.medications {
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let time = instant(day(-30...1))
        let schedules = rows.schedules.filter { $0.medication == medication.id }.map(\.id)
        append(
          medication: medication.id, schedule: random.pick([nil] + schedules), status: .taken,
          scheduled: random.chance(0.1) ? instant(day(-75 ... -3)) : nil, actual: time,
          created: time)
      }
    }
  }

  private mutating func addRecord(of time: Timestamp, medication: UUID, schedule: UUID) {
    let status: DoseRecord.Status =
      random.pick([.taken, .taken, .taken, .taken, .taken, .skipped, .missed, .plannedSkip])
    let minutes = random.pick([0, 0, 5, 30, 60, 61, -61, 200, -300])
    let actual = time.adding(seconds: Int64(minutes) * 60)
    let namesTime = random.chance(0.8)
    let scheduled =
      namesTime || status != .taken
      ? time.adding(seconds: random.chance(0.9) ? 0 : Int64(random.pick([-600, 900, 20_000]))) : nil
    let written = max(actual, time)
    let named = random.chance(0.9) ? schedule : nil
    append(
      medication: medication, schedule: named, status: status, scheduled: scheduled,
      actual: status == .taken ? actual : nil, created: written)
    if random.chance(0.1) {
      append(
        medication: medication, schedule: random.chance(0.8) ? named : nil,
        status: random.pick(DoseRecord.Status.allCases), scheduled: scheduled ?? time,
        actual: actual, created: written.adding(seconds: random.pick([-3600, 0, 86_400])))
    }
  }

  private mutating func append(
    medication: UUID, schedule: UUID?, status: DoseRecord.Status, scheduled: Timestamp?,
    actual: Timestamp?, created: Timestamp
  ) {
    rows.records.append(
      DoseRecord(
        id: id(), medication: medication, schedule: schedule, status: status,
        scheduledTime: scheduled, actualTime: actual,
        recordedZone: random.pick(TestZones.shared.ids), createdAt: created))
  }

  // MARK: Evaluation

  /// The rows of some persons in a block.
  static func block(_ persons: [AdherenceRows]) -> MedicationBlock {
    let block = MedicationBlock()
    for rows in persons {
      block.add(person: rows.user)
      for row in rows.medications { block.add(row) }
      for row in rows.schedules { block.add(row) }
      for row in rows.versions { block.add(row) }
      for row in rows.events { block.add(row) }
      for row in rows.adjustments { block.add(row) }
      for row in rows.records { block.add(row) }
    }
    return block
  }

  func result(_ rows: AdherenceRows? = nil, at instant: Timestamp? = nil) -> AdherenceResult {
    let window = AdherenceWindow(
      day: window.day, evaluatedAt: instant ?? window.evaluatedAt, periods: window.periods)
    var result = AdherenceResult()
    AdherenceEvaluator(zones: TestZones.shared.catalog, keepsDoses: true)
      .evaluate(Self.block([rows ?? self.rows]), over: window, into: &result)
    return result
  }
}
