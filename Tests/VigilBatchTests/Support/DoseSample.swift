import Foundation
import TestSupport
import VigilModel
import VigilStorage

/// Persons with two medications of two doses a day each, who take most of them until the last weeks; and
/// with steps, which fall at the same time.
enum DoseSample {
  static func person(_ number: Int) -> UUID { UUID(name: "taker \(number)") }

  static func medication(person: Int, medication: Int) -> UUID {
    UUID(name: "medication \(person) \(medication)")
  }

  static func schedule(person: Int, medication: Int) -> UUID {
    UUID(name: "schedule \(person) \(medication)")
  }

  static func dose(person: Int, medication: Int, day: Int, time: Int) -> UUID {
    UUID(name: "dose \(person) \(medication) \(day) \(time)")
  }
}

extension BatchDatabase {
  func insertDoses(persons: Int, from start: Day, days: Int, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var steps: [Series] = []
    for person in 0..<persons {
      let values = (0..<days).map { day in
        (start + day, 8000 + Double.random(in: 0...500, using: &random) - (day >= 56 ? 4000 : 0))
      }
      steps.append(
        Series(
          person: DoseSample.person(person), metric: "steps",
          values: Dictionary(uniqueKeysWithValues: values)))
    }
    try insert(steps)
    try storage.importRows { writer in
      func inserter(_ table: InputTable, _ columns: [String]) throws -> any RowInserter {
        try writer.inserter(into: table, columns: columns, now: Self.now)
      }
      let medications = try inserter(
        .medications, ["id", "user_id", "name", "dosage", "form", "start_date"])
      let schedules = try inserter(
        .schedules,
        ["id", "medication_id", "type", "reference_timezone", "start_date", "time_based_times"])
      let doses = try inserter(
        .doseHistory,
        [
          "id", "medication_id", "schedule_id", "status", "scheduled_time", "actual_time",
          "recorded_timezone",
        ])
      for person in 0..<persons {
        for medication in 0..<2 {
          let id = DoseSample.medication(person: person, medication: medication)
          let schedule = DoseSample.schedule(person: person, medication: medication)
          try medications.upsert([
            .uuid(id), .uuid(DoseSample.person(person)), .text("-"), .text("-"), .text("pill"),
            .day(start),
          ])
          try schedules.upsert([
            .uuid(schedule), .uuid(id), .text("timeBased"), .text("Europe/Madrid"), .day(start),
            .text(#"["08:00","20:00"]"#),
          ])
          for day in 0..<days {
            for time in 0..<2 where random.chance(day < 56 ? 0.95 : 0.2) {
              let scheduled = (start + day).midnight.adding(seconds: time == 0 ? 25_200 : 68_400)
              let dose = DoseSample.dose(
                person: person, medication: medication, day: day, time: time)
              try doses.upsert([
                .uuid(dose), .uuid(id), .uuid(schedule), .text("taken"), .timestamp(scheduled),
                .timestamp(scheduled.adding(seconds: Int64.random(in: 0...7200, using: &random))),
                .text("Europe/Madrid"),
              ])
            }
          }
        }
      }
    }
  }
}
