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
      zones: TestZones.shared.catalog, keepsDoses: true, rareDays: [Self.rareDays, 3]
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
    #expect(counted > 10_000 && rare > 5)
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
        let due = days.filter(window.days.contains).sorted()
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
}
