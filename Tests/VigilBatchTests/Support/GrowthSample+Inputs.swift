import Foundation
import TestDatabases
import VigilModel
import VigilStorage

extension GrowthSample {
  /// Of what one person has ever more that a night reads.
  enum Input: CaseIterable, Sendable {
    /// With a dose a day each.
    case medications
    /// With a row a day each.
    case sources
    case persons
    /// With a medication each, and a dose of it a day.
    case takers

    func database(_ kind: DatabaseKind, times factor: Int) throws -> BatchDatabase {
      let database = try BatchDatabase(measurable: kind)
      let days = (night - 39)...night
      switch self {
      case .medications:
        try database.insert([.init(person: person, metric: "steps", values: [night: 8000])])
        try database.insertMedications(of: [person], count: 20 * factor, on: days)
      case .sources:
        for source in 0..<10 * factor {
          let values = Dictionary(uniqueKeysWithValues: days.map { ($0, Double(8000 + source)) })
          try database.insert(
            [.init(person: person, metric: "steps", values: values)], source: "source \(source)")
        }
      case .persons:
        let values = Dictionary(uniqueKeysWithValues: days.map { ($0, 8000.0) })
        try database.insert(
          (0..<150 * factor).map {
            .init(person: UUID(name: "person \($0)"), metric: "steps", values: values)
          })
      case .takers:
        let persons = (0..<150 * factor).map { UUID(name: "person \($0)") }
        try database.insert(
          persons.map { .init(person: $0, metric: "steps", values: [night: 8000]) })
        try database.insertMedications(of: persons, count: 1, on: days)
      }
      return database
    }
  }
}

extension BatchDatabase {
  /// Adds so many medications of each person that are to be taken once a day, and taken on some of `days`.
  fileprivate func insertMedications(
    of persons: [UUID], count: Int, on days: ClosedRange<Day>
  ) throws {
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
      for number in 0..<persons.count * count {
        let id = UUID(name: "medication \(number)")
        let schedule = UUID(name: "schedule \(number)")
        try medications.upsert([
          .uuid(id), .uuid(persons[number / count]), .text("-"), .text("-"), .text("pill"),
          .day(days.lowerBound),
        ])
        try schedules.upsert([
          .uuid(schedule), .uuid(id), .text("timeBased"), .text("UTC"), .day(days.lowerBound),
          .text(#"["08:00"]"#),
        ])
        for day in days where day.ordinal % 5 != 0 {
          let due = day.midnight.adding(seconds: 28_800)
          try doses.upsert([
            .uuid(UUID(name: "dose \(number) \(day)")), .uuid(id), .uuid(schedule), .text("taken"),
            .timestamp(due), .timestamp(due), .text("UTC"),
          ])
        }
      }
    }
  }
}
