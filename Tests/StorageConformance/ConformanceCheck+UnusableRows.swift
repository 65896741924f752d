import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  static let unusableRows = [
    ConformanceCheck("a database whose references hold has no unusable rows") {
      try $0.addPersons(1, 2, 3)
      #expect(try $0.unusableRows("2026-01-01", "2026-12-31").isEmpty)
      try $0.addSteps(1, "2026-01-01", "2026-01-02")
      try $0.addSteps(3, "2026-01-01")
      try $0.addSession(100, of: 2, on: "2026-01-01")
      #expect(try $0.unusableRows("2026-01-01", "2026-12-31").isEmpty)
    },

    ConformanceCheck("rows of unknown persons are unusable, by table, on the days asked for") {
      try $0.addPersons(1, 2, 3, 4, 5)
      for number in 1...5 { try $0.addSteps(number, "2026-01-01", "2026-01-02", "2026-01-03") }
      try $0.addSteps(4, "2026-01-02", source: "ring, left")
      try $0.addSession(100, of: 2, on: "2026-01-02")
      try $0.addSession(101, of: 3, on: "2026-01-02")
      try $0.addSession(102, of: 4, on: "2025-12-31")
      try $0.forget(2, 4)
      let found = try $0.unusableRows("2026-01-02", "2026-01-31")
      #expect(found.counts.map(\.table) == ["wearable_daily_metrics", "exercise_sessions"])
      #expect(found.counts.map(\.count) == [5, 1])
      #expect(found.counts.allSatisfy { $0.reason == .unknownPerson })
      #expect(found.count == 6)
      let (second, fourth) = (person(2).lowercased, person(4).lowercased)
      #expect(
        Set(found.details.map(\.key)) == [
          "\(second),2026-01-02,watch", "\(second),2026-01-03,watch",
          "\(fourth),2026-01-02,ring, left", "\(fourth),2026-01-02,watch",
          "\(fourth),2026-01-03,watch", person(100).lowercased,
        ])
      #expect(try $0.unusableRows("2026-02-01", "2026-12-31").isEmpty)
      #expect(try $0.unusableRows("2025-12-01", "2025-12-31").count == 1)
    },

    ConformanceCheck("without a person, every row is found, and the first thousand by name") {
      try $0.addPersons(1)
      let first = try day("2020-01-01")
      try $0.add(
        .wearableDailyMetrics, ["user_id", "metric_date", "source"],
        (0..<1_100).map { [.uuid(person(1)), .day(first + $0), .text("watch")] })
      try $0.forget(1)
      let found = try $0.unusableRows("2020-01-01", "2026-12-31")
      #expect(found.count == 1_100)
      #expect(found.details.count == UnusableRows.mostDetails)
      #expect(Set(found.details).count == UnusableRows.mostDetails)
    },

    ConformanceCheck("medications of unknown persons are unusable, and the doctor counts them") {
      try $0.addPersons(1, 2, 3)
      for number in 1...3 { try $0.addMedication(number + 20, of: number) }
      try $0.addMedication(30, of: 2, isDeleted: true)
      #expect(try $0.unusableRows("2026-01-01", "2026-01-31").isEmpty)
      #expect(!$0.storage.diagnose().contains { $0.check == "medications" })
      try $0.forget(2)
      let found = try $0.unusableRows("2026-01-01", "2026-01-31")
      #expect(found.counts.map(\.table) == ["medications"])
      #expect(found.counts.map(\.reason) == [.unknownPerson])
      #expect(found.details.map(\.key) == [person(22).lowercased])
      let finding = $0.storage.diagnose().first { $0.check == "medications" }
      #expect(finding?.status == .warning)
      #expect(finding?.detail == "1 row has a person that is not in users: no run reads its doses")
    },

    ConformanceCheck("readers do not meet the rows of unknown persons") {
      try $0.addPersons(1, 2)
      try $0.addSteps(1, "2026-01-01")
      try $0.addSteps(2, "2026-01-01")
      try $0.forget(2)
      let days = try day("2026-01-01")...day("2026-01-31")
      #expect(try $0.storage.persons(withDataIn: days) == [person(1)])
    },

    ConformanceCheck("rows are counted on the days asked for, up to a limit") {
      try $0.addPersons(1, 2)
      #expect(try $0.countRows("2026-01-01", "2026-12-31", upTo: 10) == 0)
      try $0.addSteps(1, "2026-01-01", "2026-01-02", "2026-01-03")
      try $0.addSteps(2, "2026-01-02")
      try $0.addSession(100, of: 2, on: "2026-01-03")
      try $0.addSession(101, of: 2, on: "2026-01-04")
      for (limit, count) in [(0, 0), (2, 2), (3, 3), (4, 4), (5, 4), (Int.max, 4)] {
        #expect(try $0.countRows("2026-01-02", "2026-01-03", upTo: limit) == count)
      }
    },

    ConformanceCheck("an unusable row is listed once, with the run that met it last") { fixture in
      let key = String(repeating: "long ", count: 40) + "'; --"
      let rows = [
        UnusableRow(table: "wearable_daily_metrics", reason: .unknownPerson, key: key),
        UnusableRow(table: "wearable_daily_metrics", reason: .noDate, key: key),
        UnusableRow(table: "exercise_sessions", reason: .unknownPerson, key: key),
      ]
      for run in ["first", "second"] {
        // A view may have the same row twice.
        try fixture.storage.quarantine(
          (rows + rows).map { $0.quarantined(by: UUID(name: run)) },
          at: time(run == "first" ? "2026-01-01T00:00:00Z" : "2026-01-02T00:00:00Z"))
      }
      try fixture.storage.quarantine([], at: time("2026-01-03T00:00:00Z"))
      let columns = ["table_name", "column_name", "reason", "row_key", "run_id"]
      let values = try columns.map { column in
        try fixture.strings(
          """
          SELECT CAST(\(column) AS TEXT) FROM quarantined_rows
          WHERE file IS NULL AND line IS NULL ORDER BY table_name, reason
          """)
      }
      let second = UUID(name: "second").lowercased
      #expect(
        values == [
          ["exercise_sessions", "wearable_daily_metrics", "wearable_daily_metrics"],
          ["user_id", "metric_date", "user_id"], ["unknown_person", "no_date", "unknown_person"],
          [key, key, key], [second, second, second],
        ])
    },
  ]
}

extension StorageFixture {
  fileprivate func addSession(_ session: Int, of number: Int, on date: String) throws {
    try add(
      .exerciseSessions, ["id", "user_id", "metric_date"],
      [[.uuid(person(session)), .uuid(person(number)), .day(try day(date))]])
  }

  fileprivate func addMedication(
    _ medication: Int, of number: Int, isDeleted: Bool = false
  ) throws {
    try add(
      .medications, ["id", "user_id", "name", "dosage", "form", "start_date", "is_deleted"],
      [
        [
          .uuid(person(medication)), .uuid(person(number)), .text("n"), .text("-"), .text("pill"),
          .day(try day("2026-01-01")), .boolean(isDeleted),
        ]
      ])
  }

  /// Takes persons out of `users` and leaves their rows, as a writer can that minds no references.
  fileprivate func forget(_ numbers: Int...) throws {
    let ids = numbers.map { "'\(person($0).lowercased)'" }.joined(separator: ", ")
    try executeWithoutReferences("DELETE FROM users WHERE id IN (\(ids))")
  }

  fileprivate func unusableRows(_ first: String, _ last: String) throws -> UnusableRows {
    try storage.unusableRows(in: day(first)...day(last))
  }

  fileprivate func countRows(_ first: String, _ last: String, upTo limit: Int) throws -> Int {
    try storage.countRows(in: day(first)...day(last), upTo: limit)
  }
}
