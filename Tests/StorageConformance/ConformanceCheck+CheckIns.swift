import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  static let checkIns = [
    ConformanceCheck("check-ins come by person and time, with the newest one before the times") {
      try $0.addPersons(1, 2, 3, 4)
      try $0.addCheckIns(1, "2026-01-05T10:00:00Z", "2026-01-01T08:00:00Z", "2025-12-01T00:00:00Z")
      try $0.addCheckIns(1, "2026-01-09T10:00:00.000001Z", "2026-01-01T07:59:59.999999Z")
      try $0.addCheckIns(2, "2025-11-01T00:00:00Z", "2025-11-02T00:00:00Z")
      try $0.addCheckIns(4, "2026-02-01T00:00:00Z")
      let times = try time("2026-01-01T08:00:00Z")...time("2026-01-09T10:00:00Z")
      let found = try $0.storage.makeReader().checkIns(
        of: [person(2), person(8), person(4), person(1)], at: times)
      #expect(found.unusable.isEmpty)
      #expect(
        found.checkIns == [
          CheckIns(times: [try time("2025-11-02T00:00:00Z")]), CheckIns(), CheckIns(),
          CheckIns(times: [
            try time("2026-01-01T07:59:59.999999Z"), try time("2026-01-01T08:00:00Z"),
            try time("2026-01-05T10:00:00Z"),
          ]),
        ])
      #expect(try $0.storage.makeReader().checkIns(of: [], at: times).checkIns.isEmpty)
    },

    ConformanceCheck("plans of check-ins come as they are, and without check-ins") {
      try $0.addPersons(1, 2)
      let start = try time("2026-01-01T08:00:00.5Z")
      try $0.addPlan(2, minutes: 1_440, grace: 30, from: "2026-01-01T08:00:00.5Z")
      let times = try time("2026-01-01T08:00:00Z")...time("2026-01-09T10:00:00Z")
      #expect(
        try $0.storage.makeReader().checkIns(of: [person(1), person(2)], at: times).checkIns == [
          CheckIns(),
          CheckIns(
            plan: CheckInPlan(intervalMinutes: 1_440, graceMinutes: 30, startsAt: start)),
        ])
    },

    ConformanceCheck("a check-in, or a plan of them, is enough to have check-ins") {
      #expect(try !$0.storage.hasCheckIns())
      try $0.addPersons(1)
      #expect(try !$0.storage.hasCheckIns())
      try $0.addPlan(1, minutes: 1, from: "2026-01-01T08:00:00Z")
      #expect(try $0.storage.hasCheckIns())
      try $0.execute("DELETE FROM check_in_plans")
      #expect(try !$0.storage.hasCheckIns())
      try $0.addCheckIns(1, "2026-01-01T08:00:00Z")
      #expect(try $0.storage.hasCheckIns())
    },

    ConformanceCheck("persons with a check-in on the days, or a plan, are persons with data") {
      try $0.addPersons(9, 1, 2, 3, 4)
      try $0.addSteps(9, "2026-02-01")
      try $0.addCheckIns(3, "2026-02-05T10:00:00Z", "2026-02-06T10:00:00Z")
      try $0.addCheckIns(9, "2026-02-05T10:00:00Z")
      try $0.addCheckIns(4, "2026-01-20T10:00:00Z", "2026-02-20T10:00:00Z")
      try $0.addPlan(1, minutes: 60, from: "2030-01-01T00:00:00Z")
      let days = try day("2026-02-01")...day("2026-02-10")
      #expect(try $0.storage.persons(withDataIn: days) == [person(1), person(3), person(9)])
    },

    ConformanceCheck("a plan of impossible minutes, and a check-in of an unknown kind, are refused")
    {
      (fixture) throws in
      try fixture.addPersons(1)
      for values in ["0, 0", "-1, 0", "5256001, 0", "60, -1", "60, 5256001"] {
        #expect(throws: (any Error).self, "\(values)") {
          try fixture.execute(
            "INSERT INTO check_in_plans (user_id, interval_minutes, grace_minutes, starts_at)"
              + " VALUES ('\(person(1).lowercased)', \(values), '2026-01-01T00:00:00.000000Z')")
        }
      }
      #expect(throws: (any Error).self) {
        try fixture.execute(
          "INSERT INTO check_ins (user_id, checked_in_at, kind)"
            + " VALUES ('\(person(1).lowercased)', '2026-01-01T00:00:00.000000Z', 'other')")
      }
      #expect(try !fixture.storage.hasCheckIns())
    },
  ]

  static let senders = [
    ConformanceCheck("senders by day are the persons with a row, each once a day") {
      try $0.addPersons(1, 2, 3, 4, 5)
      try $0.addSteps(1, "2026-01-31", "2026-02-01", "2026-02-03", "2026-02-11")
      try $0.addSteps(1, "2026-02-01", source: "ring")
      try $0.addSteps(2, "2026-02-01", "2026-02-10")
      try $0.addSteps(4, "2026-01-31", "2026-02-11")
      try $0.addSteps(5, "2026-02-03")
      let days = try day("2026-02-01")...day("2026-02-10")
      #expect(
        try $0.storage.sendersByDay(in: days, limit: 100)
          == [day("2026-02-01"): 2, day("2026-02-03"): 2, day("2026-02-10"): 1])
    },

    ConformanceCheck("senders by day are of the first persons by id who have a row on the days") {
      try $0.addPersons(1, 2, 3, 4, 5)
      try $0.addSteps(5, "2026-02-02")
      try $0.addSteps(2, "2026-02-01")
      try $0.addSteps(4, "2026-02-01", "2026-02-02")
      let days = try day("2026-02-01")...day("2026-02-10")
      #expect(try $0.storage.sendersByDay(in: days, limit: 1) == [day("2026-02-01"): 1])
      #expect(
        try $0.storage.sendersByDay(in: days, limit: 2)
          == [day("2026-02-01"): 2, day("2026-02-02"): 1])
      #expect(
        try $0.storage.sendersByDay(in: days, limit: 3)
          == [day("2026-02-01"): 2, day("2026-02-02"): 2])
    },

    ConformanceCheck("senders of doses by day have an active schedule, and a row of the day") {
      try $0.addPersons(1, 2, 3, 4)
      for (number, isActive) in [(1, true), (2, true), (3, false), (4, true)] {
        try $0.addSchedule(of: number, isActive: isActive)
      }
      try $0.addDose(1, of: 1, due: "2026-02-01T23:59:59Z", taken: "2026-02-02T08:00:00Z")
      try $0.addDose(2, of: 1, due: "2026-02-01T08:00:00Z", taken: nil)
      try $0.addDose(3, of: 1, due: nil, taken: "2026-02-03T08:00:00Z")
      try $0.addDose(4, of: 2, due: "2026-02-01T00:00:00Z", taken: nil)
      try $0.addDose(5, of: 3, due: "2026-02-01T08:00:00Z", taken: nil)
      try $0.addDose(6, of: 4, due: "2026-01-31T23:59:59Z", taken: "2026-02-01T00:10:00Z")
      try $0.addDose(7, of: 4, due: "2026-02-11T00:00:00Z", taken: nil)
      let days = try day("2026-02-01")...day("2026-02-10")
      #expect(
        try $0.storage.doseSendersByDay(in: days, limit: 100)
          == [day("2026-02-01"): 2, day("2026-02-03"): 1])
      #expect(
        try $0.storage.doseSendersByDay(in: days, limit: 1)
          == [day("2026-02-01"): 1, day("2026-02-03"): 1])
      #expect(
        try $0.storage.doseSendersByDay(
          in: day("2026-03-01")...day("2026-03-02"), limit: 9
        ).isEmpty)
    },

    ConformanceCheck("without a row there are no senders") {
      try $0.addPersons(1)
      let days = try day("2026-02-01")...day("2026-02-10")
      #expect(try $0.storage.sendersByDay(in: days, limit: 10).isEmpty)
    },
  ]
}

extension StorageFixture {
  fileprivate func addCheckIns(_ number: Int, _ times: String...) throws {
    try add(
      .checkIns, ["user_id", "checked_in_at", "kind"],
      times.map { [.uuid(person(number)), .timestamp(try time($0)), .text("manual")] })
  }

  fileprivate func addPlan(
    _ number: Int, minutes: Int64, grace: Int64 = 0, from start: String
  ) throws {
    try add(
      .checkInPlans, ["user_id", "interval_minutes", "grace_minutes", "starts_at"],
      [
        [
          .uuid(person(number)), .integer(minutes), .integer(grace), .timestamp(try time(start)),
        ]
      ])
  }
}

extension StorageFixture {
  fileprivate func addSchedule(of number: Int, isActive: Bool) throws {
    let start = try day("2026-01-01")
    try add(
      .medications, ["id", "user_id", "name", "dosage", "form", "start_date"],
      [
        [
          .uuid(UUID(name: "medication \(number)")), .uuid(person(number)), .text("n"), .text("-"),
          .text("pill"), .day(start),
        ]
      ])
    try add(
      .schedules,
      [
        "id", "medication_id", "type", "reference_timezone", "start_date", "time_based_times",
        "is_active",
      ],
      [
        [
          .uuid(UUID(name: "schedule \(number)")), .uuid(UUID(name: "medication \(number)")),
          .text("timeBased"), .text("UTC"), .day(start), .text(#"["08:00"]"#), .boolean(isActive),
        ]
      ])
  }

  fileprivate func addDose(_ dose: Int, of number: Int, due: String?, taken: String?) throws {
    func instant(_ text: String?) throws -> InputValue {
      try text.map { .timestamp(try time($0)) } ?? .null
    }
    try add(
      .doseHistory,
      ["id", "medication_id", "status", "scheduled_time", "actual_time", "recorded_timezone"],
      [
        [
          .uuid(UUID(name: "dose \(dose)")), .uuid(UUID(name: "medication \(number)")),
          .text(taken == nil ? "missed" : "taken"), instant(due), instant(taken), .text("UTC"),
        ]
      ])
  }
}
