import Foundation
import ReferenceKernels
import TestSupport
import Testing
import VigilAdherence
import VigilModel

/// The core against its slow twin, on random persons; a failure names the seed from which it
/// replays.
@Suite struct AdherenceEvaluatorTests {
  private static let chunk = 125

  @Test(arguments: 0..<Repetitions.count(fast: 8, long: 160))
  func measuresOfRandomPersonsAreThoseOfTheReference(chunk: Int) {
    var compared = (doses: 0, extras: 0, asNeeded: 0, streaks: 0)
    for seed in chunk * Self.chunk..<(chunk + 1) * Self.chunk {
      let person = RandomPerson(seed: seed)
      let found = person.result()
      let label: Comment = "seed \(seed)"
      let reference = ReferenceAdherence(
        person.rows, days: (person.window.days.lowerBound - 50)...(person.window.day + 50),
        evaluatedAt: person.window.evaluatedAt.wholeSeconds, zones: TestZones.shared.references)
      expectSameDoses(found, reference, person.window, label)
      expectSameMeasures(found, reference, person, label)
      compared.doses += found.doses.count
      compared.extras += found.extraDoses.count
      compared.asNeeded += found.asNeededDoses.count
      compared.streaks += found.missedStreaks.count
    }
    #expect(compared.doses > 4000)
    #expect(compared.extras > 200)
    #expect(compared.asNeeded > 10)
    #expect(compared.streaks > 5)
  }

  private func expectSameDoses(
    _ found: AdherenceResult, _ reference: ReferenceAdherence, _ window: AdherenceWindow,
    _ label: Comment
  ) {
    let doses = found.doses.map { dose in
      "\(dose.schedule) \(dose.time.wholeSeconds) \(dose.day) \(dose.outcome) "
        + "\(dose.timing.map { "\($0)" } ?? "-") \(dose.record?.lowercased ?? "-")"
    }
    let expected = reference.doses.filter { window.days.contains($0.day) }.map { dose in
      "\(dose.schedule) \(dose.second) \(dose.day) \(dose.outcome) \(dose.timing ?? "-") "
        + "\(dose.record?.lowercased ?? "-")"
    }
    expectSame(doses, expected, label)
    func text(_ medication: UUID, _ record: UUID, _ day: Day, _ isOveruse: Bool) -> String {
      "\(medication) \(record) \(day) \(isOveruse)"
    }
    for (found, expected) in [
      (found.extraDoses, reference.extras), (found.asNeededDoses, reference.asNeeded),
    ] {
      expectSame(
        found.map { text($0.medication, $0.record, $0.day, $0.isOveruse) },
        expected.filter { window.days.contains($0.day) }.map {
          text($0.medication, $0.record, $0.day, $0.isOveruse)
        }, label)
    }
  }

  private func expectSame(_ found: [String], _ expected: [String], _ label: Comment) {
    #expect(Set(found).subtracting(expected).sorted() == [], label)
    #expect(Set(expected).subtracting(found).sorted() == [], label)
    #expect(found.count == expected.count, label)
  }

  private func expectSameMeasures(
    _ found: AdherenceResult, _ reference: ReferenceAdherence, _ person: RandomPerson,
    _ label: Comment
  ) {
    let counted = person.rows.medications.filter(\.counts).map(\.id)
    for row in found.analytics {
      let medications = row.medication.map { [$0] } ?? Set(counted)
      #expect(row.measures == reference.measures(of: medications, in: row.period.days), label)
    }
    let rowCount = counted.isEmpty ? 0 : (counted.count + 1) * person.window.periods.count
    #expect(found.analytics.count == rowCount, label)
    #expect(
      Set(found.missedStreaks.map(\.medication))
        == Set(counted.filter { reference.hasMissedStreak($0, on: person.window.day) }), label)
    for (day, value) in zip(person.window.days, found.dailyAdherence(person: 0)) {
      #expect(reference.dailyAdherence(on: day) == (value.isNaN ? nil : value), label)
    }
  }
}
