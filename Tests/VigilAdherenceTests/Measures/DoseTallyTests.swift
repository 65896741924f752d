import Foundation
import ReferenceKernels
import TestSupport
import Testing
import VigilAdherence
import VigilModel

/// The doses of each day, against the single doses of a window that reaches further to each side.
@Suite struct DoseTallyTests {
  private static let seeds = 0..<Repetitions.count(fast: 300, long: 5000)
  private static let rareDays = 14

  private func evaluated(_ person: RandomPerson, over window: AdherenceWindow) -> AdherenceResult {
    var result = AdherenceResult()
    AdherenceEvaluator(
      zones: TestZones.shared.catalog, keepsDoses: true, rareDays: [Self.rareDays, 3],
      keepsMedications: true
    ).evaluate(RandomPerson.block([person.rows]), over: window, into: &result)
    return result
  }

  @Test func theDosesOfADayAreThoseThatAreNotRare() throws {
    var (counted, rare) = (0, 0)
    for seed in Self.seeds {
      let person = RandomPerson(seed: seed)
      let window = person.window
      let found = evaluated(person, over: window).doses(person: 0, rareDays: Self.rareDays)
      let wide = evaluated(
        person,
        over: AdherenceWindow(
          day: window.day, evaluatedAt: window.evaluatedAt, periods: window.periods,
          daily: window.days.lowerBound - 40...window.days.upperBound + 40))
      let medications = Dictionary(
        uniqueKeysWithValues: person.rows.schedules.map { ($0.id, $0.medication) })
      let doses = Dictionary(grouping: wide.doses) { medications[$0.schedule] }
      var expected: [Day: (n: Int, k: Int, i: Int, isPending: Bool)] = [:]
      for doses in doses.values {
        let days = Set(doses.map(\.day))
        for dose in doses where window.days.contains(dose.day) {
          let near = (1..<Self.rareDays).contains {
            days.contains(dose.day - $0) || days.contains(dose.day + $0)
          }
          guard near else {
            rare += 1
            continue
          }
          var day = expected[dose.day] ?? (0, 0, 0, false)
          switch dose.outcome {
          case .taken: day.n += 1
          case .skipped: (day.n, day.k) = (day.n + 1, day.k + 1)
          case .missed:
            (day.n, day.k) = (day.n + 1, day.k + 1)
            if dose.record == nil { day.i += 1 }
          case .pending: day.isPending = true
          case .plannedSkip: break
          }
          expected[dose.day] = day
          counted += 1
        }
      }
      for (index, day) in window.days.enumerated() {
        let wanted = expected[day].map { day in
          day.isPending
            ? .none
            : DoseCounts(
              expected: UInt16(day.n), missed: UInt16(day.k), inferred: UInt16(day.i))
        }
        #expect(
          found[found.startIndex + index] == wanted ?? DoseCounts.none, "seed \(seed), \(day)")
      }
    }
    #expect(counted > 10_000 && rare > 0)
  }

  /// Each medication by itself: its days, and the doses that are rare, with what ends an alert about them.
  @Test func aMedicationHasItsOwnDays() throws {
    let zones = TestZones.shared.catalog.zones()
    var rare = 0
    for seed in Self.seeds {
      let person = RandomPerson(seed: seed)
      let window = person.window
      let result = evaluated(person, over: window)
      let block = try #require(result.medications(rareDays: Self.rareDays))
      #expect(block.days == window.days)
      let wide = evaluated(
        person,
        over: AdherenceWindow(
          day: window.day, evaluatedAt: window.evaluatedAt, periods: window.periods,
          daily: window.days.lowerBound - 40...window.days.upperBound + 40))
      let medications = Dictionary(
        uniqueKeysWithValues: person.rows.schedules.map { ($0.id, $0.medication) })
      let records = Dictionary(person.rows.records.map { ($0.id, $0) }) { first, _ in first }
      func localDay(_ id: UUID?) -> Day? {
        guard let record = id.flatMap({ records[$0] }),
          let time = record.actualTime ?? record.scheduledTime
        else { return nil }
        return Day(ordinal: zones[Int(record.recordedZone.rawValue)].day(of: time.microseconds))
      }
      let people = result.doses(person: 0, rareDays: Self.rareDays)
      for (index, day) in window.days.enumerated()
      where people[people.startIndex + index].isObservation {
        let sum = block.medications.reduce(0) { $0 + Int($1.counts[index].expected) }
        #expect(sum == Int(people[people.startIndex + index].expected), "seed \(seed), \(day)")
      }
      for own in block.medications {
        let doses = wide.doses.filter { medications[$0.schedule] == own.medication }
        let days = Set(doses.map(\.day))
        let due = Set(doses.filter { $0.outcome != .plannedSkip }.map(\.day))
          .filter(window.days.contains).sorted()
        #expect(own.firstDueOn == due.first, "seed \(seed)")
        if let last = own.lastDay { #expect(days.allSatisfy { $0 <= last }, "seed \(seed)") }
        let taken =
          doses.filter { $0.outcome == .taken }.compactMap { localDay($0.record) }
          + (wide.extraDoses + wide.asNeededDoses).filter { $0.medication == own.medication }
          .map(\.day)
        for found in own.rare {
          rare += 1
          #expect(
            days.allSatisfy { abs($0 - found.day) >= Self.rareDays || $0 == found.day },
            "seed \(seed), \(found.day)")
          #expect(own.counts[found.day - window.days.lowerBound] == .none)
          let today = doses.filter { $0.day == found.day && $0.outcome != .plannedSkip }
          #expect(!today.isEmpty && !today.contains { $0.outcome == .pending })
          #expect(found.hasRecord == today.contains { $0.record != nil })
          #expect(found.nextDueOn == due.first { $0 > found.day }, "seed \(seed)")
          let all =
            today.contains { $0.outcome == .missed }
            ? nil : today.compactMap { localDay($0.record) }.max()
          let later = taken.filter { $0 >= found.day }.min()
          // Later days do not matter to the window, and the wide one does not know all of them.
          let last = window.days.upperBound
          #expect(
            found.recordedOn.flatMap { $0 <= last ? $0 : nil }
              == [all, later].compactMap(\.self).filter { $0 <= last }.min(),
            "seed \(seed), \(found)")
        }
      }
    }
    #expect(rare > 0)
  }

  /// An injection each four weeks from `first` on, with the records of some of them; nil for one without.
  private func injection(
    _ statuses: [DoseRecord.Status?], from first: Day, through last: Day, everyDays days: Int = 28
  ) throws -> MedicationDays {
    let (user, medication) = (UUID(name: "person"), UUID(name: "injection"))
    let schedule = Schedule(
      id: UUID(name: "schedule"), medication: medication,
      timing: .intervalBased(
        seconds: days * 86_400, first: first.midnight.adding(seconds: 8 * 3600),
        maxDosesPerDay: nil),
      referenceZone: try #require(TestZones.shared.catalog.id(of: "UTC")), startDate: first)
    let block = MedicationBlock()
    block.add(person: user)
    #expect(block.add(Medication(id: medication, user: user, startDate: first)))
    #expect(block.add(schedule))
    for (place, status) in statuses.enumerated() {
      guard let status else { continue }
      let due = (first + place * days).midnight.adding(seconds: 8 * 3600)
      #expect(
        block.add(
          DoseRecord(
            id: UUID(name: "record \(place)"), medication: medication, schedule: schedule.id,
            status: status, scheduledTime: due, actualTime: status == .taken ? due : nil,
            recordedZone: schedule.referenceZone, createdAt: due)))
    }
    var result = AdherenceResult()
    AdherenceEvaluator(
      zones: TestZones.shared.catalog, rareDays: [Self.rareDays], keepsMedications: true
    ).evaluate(
      block,
      over: AdherenceWindow(
        day: last, evaluatedAt: (last + 1).midnight, periods: [], daily: first...last),
      into: &result)
    return try #require(result.medications(rareDays: Self.rareDays)?.medications.first)
  }

  @Test func medicationsAreKeptOnlyWhereTheyAreWanted() throws {
    let person = RandomPerson(seed: 1)
    var result = AdherenceResult()
    AdherenceEvaluator(zones: TestZones.shared.catalog, rareDays: [Self.rareDays])
      .evaluate(RandomPerson.block([person.rows]), over: person.window, into: &result)
    #expect(result.medications(rareDays: Self.rareDays)?.medications == [])
    let all = evaluated(person, over: person.window)
    #expect(all.medications(rareDays: Self.rareDays)?.medications.isEmpty == false)
    #expect(
      Array(result.doses(person: 0, rareDays: Self.rareDays))
        == Array(all.doses(person: 0, rareDays: Self.rareDays)))
  }

  @Test func aDoseThatIsSkippedByPlanIsNotTheNextOne() throws {
    let first = Day(ordinal: 20_500)
    let skipped = try injection(
      [nil, .plannedSkip, nil, .taken], from: first, through: first + 100)
    #expect(skipped.rare.map { $0.day - first } == [0, 56, 84])
    #expect(skipped.rare.map(\.nextDueOn) == [first + 56, first + 84, nil])
    let others = try injection([.missed, .missed, .taken], from: first, through: first + 70)
    #expect(others.rare.map(\.nextDueOn) == [first + 28, first + 56, nil])
    // The first that is due, for an alert about a dose of days before.
    #expect(
      try injection([.plannedSkip, nil], from: first, through: first + 40).firstDueOn == first + 28)
    #expect(try injection([.plannedSkip], from: first, through: first + 20).firstDueOn == nil)
  }

  @Test func aPauseMakesNoDoseOfDailyTabletsRare() throws {
    let first = Day(ordinal: 20_500)
    var statuses = [DoseRecord.Status?](repeating: .plannedSkip, count: 60)
    statuses[30] = .missed
    let tablets = try injection(statuses, from: first, through: first + 59, everyDays: 1)
    #expect(tablets.rare.isEmpty)
    #expect(
      tablets.counts.filter { $0 != .none }
        == [DoseCounts(expected: 1, missed: 1, inferred: 0)])
  }
}
