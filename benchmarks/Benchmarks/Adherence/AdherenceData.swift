import Foundation
import VigilAdherence
import VigilModel
import VigilZones

/// Generated persons who take two medications twice a day, most of the time.
struct AdherenceData {
  let zones = ZoneCatalog(source: ZoneFolder.system())
  let window: AdherenceWindow
  let persons: Int

  private var medications: [Medication] = []
  private var schedules: [Schedule] = []
  private var events: [TimezoneEvent] = []
  private var records: [DoseRecord] = []

  /// Whole days before the first of the window that have doses too.
  private static let spareDays = 2

  init(persons: Int, travelling: Bool) {
    guard let day = Day("2026-06-30") else { preconditionFailure("a date") }
    self.persons = persons
    window = AdherenceWindow(
      day: day, evaluatedAt: Timestamp(microseconds: Int64(day.ordinal + 2) * 86_400_000_000))
    let zoneIDs = [
      "Europe/Madrid", "America/New_York", "Asia/Kolkata", "Australia/Sydney", "UTC",
    ].compactMap { zones.id(of: $0) }
    var random = SplitMix64(seed: 1)
    for person in 0..<persons {
      let user = random.uuid()
      let zone = zoneIDs[person % zoneIDs.count]
      if travelling {
        events.append(
          TimezoneEvent(
            id: random.uuid(), user: user, previousZone: zone,
            newZone: zoneIDs[(person + 1) % zoneIDs.count],
            transitionTime: Timestamp(microseconds: Int64(day.ordinal - 30) * 86_400_000_000),
            isConfirmed: true))
      }
      for _ in 0..<2 {
        addMedication(user: user, zone: zone, day: day, random: &random)
      }
    }
  }

  private mutating func addMedication(
    user: UUID, zone: ZoneID, day: Day, random: inout SplitMix64
  ) {
    let start = day - (89 + Self.spareDays)
    let medication = Medication(id: random.uuid(), user: user, startDate: start)
    medications.append(medication)
    let times = ["08:00", "20:00"].compactMap { TimeOfDay($0) }
    let schedule = Schedule(
      id: random.uuid(), medication: medication.id,
      timing: .timeBased(times: times, weekdays: .everyDay), referenceZone: zone,
      startDate: start)
    schedules.append(schedule)
    // What is due, from the evaluator itself; the fixtures say that it is right.
    let block = MedicationBlock()
    block.add(person: user)
    block.add(medication)
    block.add(schedule)
    var result = AdherenceResult()
    AdherenceEvaluator(zones: zones, keepsDoses: true).evaluate(block, over: window, into: &result)
    for dose in result.doses {
      let chance = random.next() % 100
      if chance >= 85 { continue }
      let delay = Int64(random.next() % 5400)
      // A quarter is logged without the time of the dose.
      records.append(
        DoseRecord(
          id: random.uuid(), medication: medication.id, schedule: schedule.id,
          status: chance < 80 ? .taken : .skipped,
          scheduledTime: chance < 20 ? nil : dose.time,
          actualTime: dose.time.adding(seconds: delay),
          recordedZone: zone, createdAt: dose.time.adding(seconds: delay)))
    }
  }

  func block() -> MedicationBlock {
    let block = MedicationBlock()
    fill(block)
    return block
  }

  func fill(_ block: MedicationBlock) {
    for medication in medications { block.add(person: medication.user) }
    for medication in medications { block.add(medication) }
    for schedule in schedules { block.add(schedule) }
    for event in events { block.add(event) }
    for record in records { block.add(record) }
  }

  func hasExpectedCounts(_ result: AdherenceResult) -> Bool {
    let rows = result.analytics.filter { $0.medication == nil && $0.period.kind == .ninetyDays }
    let doses = rows.map(\.measures.expectedDoses).reduce(0, +)
    return rows.count == persons && doses > persons * 355 && doses <= persons * 360
  }
}

extension SplitMix64: @retroactive RandomNumberGenerator {
  mutating func uuid() -> UUID {
    let (high, low) = (next(), next())
    return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
