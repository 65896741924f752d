import Foundation
import ReferenceKernels
import TestSupport
import Testing

@testable import VigilAdherence

@Suite struct DoseAssignmentTests {
  /// Doses and loose records in hours.
  struct Line {
    var doses: [(hour: Int, day: Int, isOpen: Bool)] = []
    var records: [(hour: Int, saysMissed: Bool)] = []

    init(seed: Int) {
      var random = SeededGenerator(seed: seed)
      let way = random.pick([4, 6, 8, 12, 24, 24, 48, 168, 168, 400])
      var hour = Int.random(in: 0..<200, using: &random)
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let twins = random.chance(0.15) ? 2 : 1
        for _ in 0..<twins {
          doses.append((hour, (hour - 3) / 24, !random.chance(0.2)))
        }
        hour += random.chance(0.2) ? Int.random(in: 1...way, using: &random) : way
      }
      for _ in 0..<Int.random(in: 0...14, using: &random) {
        // Often near a dose, or another record.
        let near =
          random.chance(0.5) ? records.last?.hour : doses.randomElement(using: &random)?.hour
        let hour =
          (near ?? Int.random(in: 0...hour, using: &random))
          + Int.random(in: -way...way, using: &random)
        records.append((hour, random.chance(0.2)))
      }
      records.sort { $0.hour < $1.hour }
    }

    /// By record, the place of its dose; -1 for none.
    func found(by assignment: inout DoseAssignment) -> [Int] {
      assignment.assign(
        records.map { .init(time: Int64($0.hour) * 3_600_000_000, saysMissed: $0.saysMissed) },
        among: doses.map {
          .init(instant: Int64($0.hour) * 3_600_000_000, day: Int32($0.day), isOpen: $0.isOpen)
        })
      return assignment.doses
    }

    var expected: [Int] {
      let matching = ReferenceMatching(
        doses: doses.map { .init(second: $0.hour * 3600, day: $0.day, isOpen: $0.isOpen) },
        records: records.map { .init(second: $0.hour * 3600, saysMissed: $0.saysMissed) })
      let assignments = matching.assignments()
      return records.indices.map { assignments[$0] ?? -1 }
    }
  }

  @Test(arguments: 0..<Repetitions.count(fast: 8, long: 200))
  func assignmentsAreThoseOfTheReference(chunk: Int) {
    var assignment = DoseAssignment()
    var (assigned, left) = (0, 0)
    for seed in chunk * 500..<(chunk + 1) * 500 {
      let line = Line(seed: seed)
      let found = line.found(by: &assignment)
      #expect(found == line.expected, "seed \(seed)")
      assigned += found.count { $0 >= 0 }
      left += found.count { $0 < 0 }
    }
    #expect(assigned > 500)
    #expect(left > 500)
  }

  /// Whatever the records, a dose has one record at most, and no two records cross.
  @Test func recordsDoNotCross() {
    var assignment = DoseAssignment()
    for seed in 100_000..<(100_000 + Repetitions.count(fast: 3_000, long: 60_000)) {
      let doses = Line(seed: seed).found(by: &assignment).filter { $0 >= 0 }
      #expect(zip(doses, doses.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
    }
  }

  /// The work grows with the pairs of a dose and a record, also where all records lie at one dose.
  @Test func manyRecordsOfOneMinuteBelongToOneDose() {
    var assignment = DoseAssignment()
    let hour: Int64 = 3_600_000_000
    let doses = (0..<400).map { number in
      DoseAssignment.Dose(instant: Int64(number) * 6 * hour, day: Int32(number / 4), isOpen: true)
    }
    let records = (0..<100_000).map { number in
      DoseAssignment.Record(time: 600 * hour + Int64(number) * 600, saysMissed: false)
    }
    assignment.assign(records, among: doses)
    #expect(assignment.doses.filter { $0 >= 0 } == [100])
    #expect(assignment.doses.first == 100)
  }
}
