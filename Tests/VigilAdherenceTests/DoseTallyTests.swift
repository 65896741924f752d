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
}
