import Dispatch
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  static let persons = [
    ConformanceCheck("persons are those with a row on one of the days or an active episode") {
      try $0.addPersons(9, 1, 2, 3, 4, 5)
      try $0.addSteps(9, "2026-02-01")
      try $0.addSteps(2, "2026-01-31", "2026-02-11")
      try $0.addSteps(1, "2026-02-10")
      _ = try $0.write([
        alertState(3), alertState(4, resolvedOn: "2026-02-10"), alertState(9),
      ])
      let days = try day("2026-02-01")...day("2026-02-10")
      #expect(try $0.storage.persons(withDataIn: days) == [person(1), person(3), person(9)])
    },

    ConformanceCheck("metric days are the first and the last of all, or none") {
      #expect(try $0.storage.metricDays() == nil)
      try $0.addPersons(1, 2, 3)
      #expect(try $0.storage.metricDays() == nil)
      try $0.addSteps(2, "2026-01-05", "2026-01-07")
      try $0.addSteps(3, "2025-12-31")
      #expect(try $0.storage.metricDays() == day("2025-12-31")...day("2026-01-07"))
    },

    ConformanceCheck("external ids are those of the persons asked for that have one") {
      try $0.add(
        .users, ["id", "external_id"],
        [
          [.uuid(person(1)), .text("o'hara; --")], [.uuid(person(2)), .null],
          [.uuid(person(3)), .text("three")],
        ])
      #expect(
        try $0.storage.externalIDs(of: [person(1), person(2), person(8)])
          == [person(1): "o'hara; --"])
      #expect(try $0.storage.externalIDs(of: []).isEmpty)
      #expect(
        try $0.storage.persons(withExternalIDs: ["o'hara; --", "three", "unknown"])
          == ["o'hara; --": person(1), "three": person(3)])
    },

    ConformanceCheck("time zones are those of the profiles asked for that have one") {
      try $0.addPersons(1, 2, 3)
      try $0.add(
        .userProfiles, ["user_id", "timezone"],
        [
          [.uuid(person(1)), .text("Europe/Madrid")], [.uuid(person(2)), .null],
          [.uuid(person(3)), .text("Asia/Tokyo")],
        ])
      #expect(
        try $0.storage.timeZones(of: [person(1), person(2), person(8)])
          == [person(1): "Europe/Madrid"])
      #expect(try $0.storage.timeZones(of: []).isEmpty)
    },

    ConformanceCheck("persons among ids are those that the database has") {
      try $0.addPersons(1, 2, 3)
      #expect(
        try $0.storage.persons(among: [person(1), person(3), person(8)]) == [person(1), person(3)])
      #expect(try $0.storage.persons(among: []).isEmpty)
    },

    ConformanceCheck("persons are found by the first digits of their ids") {
      let ids = ["8b3ffe2d-0000-4000-8000-000000000001", "8b3ffe2d-ffff-4fff-bfff-000000000002"]
        .compactMap(UUID.init(uuidString:))
      try $0.add(.users, ["id"], ids.map { [.uuid($0)] })
      try $0.addPersons(1)
      let prefix = try #require(UUIDPrefix("8B3FFE2D"))
      #expect(try $0.storage.persons(beginningWith: prefix, limit: 9) == ids)
      #expect(try $0.storage.persons(beginningWith: prefix, limit: 1) == [ids[0]])
      let longer = try #require(UUIDPrefix("8b3ffe2d-ff"))
      #expect(try $0.storage.persons(beginningWith: longer, limit: 9) == [ids[1]])
      let other = try #require(UUIDPrefix("8b3ffe2e"))
      #expect(try $0.storage.persons(beginningWith: other, limit: 9).isEmpty)
    },

    ConformanceCheck("quarantined rows are listed, the newest first") {
      let old = QuarantinedRow(
        table: "wearable_daily_metrics", column: "metric_date", reason: "no date", key: "a")
      let new = QuarantinedRow(
        runID: UUID(name: "run"), table: "users", file: "users.csv", line: 7, reason: "no id")
      try $0.storage.quarantine([old], at: Timestamp(microseconds: 1_790_000_000_000_000))
      try $0.storage.quarantine([new], at: Timestamp(microseconds: 1_790_000_001_000_000))
      let (rows, total) = try $0.storage.quarantinedRows(limit: 1)
      #expect(total == 2)
      var expected = new
      expected.foundAt = Timestamp(microseconds: 1_790_000_001_000_000)
      #expect(rows == [expected])
      #expect(try $0.storage.quarantinedRows(limit: 9).rows.map(\.reason) == ["no id", "no date"])
    },
  ]

  static let metricReading = [
    ConformanceCheck("metric rows come person by person, by day, by source, with NULL as NaN") {
      try $0.addPersons(1, 2, 3)
      let columns = ["user_id", "metric_date", "source", "steps", "hrv_ms"]
      try $0.add(
        .wearableDailyMetrics, columns,
        [
          [.uuid(person(1)), .day(day("2026-01-02")), .text("ring"), .real(10), .real(1.5)],
          [.uuid(person(1)), .day(day("2026-01-01")), .text("watch"), .null, .real(2.5)],
          [.uuid(person(1)), .day(day("2026-01-01")), .text("ring"), .real(0), .null],
          [.uuid(person(1)), .day(day("2026-01-03")), .text("ring"), .real(9), .null],
          [.uuid(person(2)), .day(day("2025-12-31")), .text("ring"), .real(9), .null],
          [.uuid(person(3)), .day(day("2026-01-02")), .text("ring"), .real(30), .real(3)],
        ])
      let rows = try $0.storage.makeReader().rows(
        of: [person(3), person(2), person(1), person(8)], "2026-01-01", "2026-01-02", "hrv_ms",
        "steps")
      // Which person comes first is the database's choice.
      #expect(
        rows.sorted { $0.person < $1.person } == [
          .init(
            person: 0, day: try day("2026-01-02"), source: "ring", values: [3, 30],
            isOtherPositive: false),
          .init(
            person: 2, day: try day("2026-01-01"), source: "ring", values: [nil, 0],
            isOtherPositive: false),
          .init(
            person: 2, day: try day("2026-01-01"), source: "watch", values: [2.5, nil],
            isOtherPositive: false),
          .init(
            person: 2, day: try day("2026-01-02"), source: "ring", values: [1.5, 10],
            isOtherPositive: false),
        ])
    },

    ConformanceCheck(
      "another measurement counts where it is above 0 and finite, and was not asked for"
    ) {
      try $0.addPersons(1)
      let columns = ["user_id", "metric_date", "source", "steps", "spo2_avg_pct"]
      let values: [[InputValue]] = [
        [.real(0), .real(0)], [.null, .null], [.real(-1), .null], [.real(0), .real(97)],
        [.real(5), .null], [.real(0), .real(.infinity)],
      ]
      for (offset, pair) in values.enumerated() {
        let date = InputValue.day(try day("2026-01-01") + offset)
        try $0.add(
          .wearableDailyMetrics, columns, [[.uuid(person(1)), date, .text("w")] + pair])
      }
      let reader = try $0.storage.makeReader()
      let days = ("2026-01-01", "2026-01-31")
      let others = try reader.rows(of: [person(1)], days.0, days.1, "steps", reportsWear: true)
      #expect(others.map(\.isOtherPositive) == [false, false, false, true, false, false])
      let unasked = try reader.rows(of: [person(1)], days.0, days.1, "steps")
      #expect(unasked.map(\.isOtherPositive) == Array(repeating: false, count: 6))
      let bare = try reader.rows(of: [person(1)], days.0, days.1, reportsWear: true)
      #expect(bare.map(\.isOtherPositive) == [false, false, false, true, true, false])
      #expect(bare.map(\.values.count) == [0, 0, 0, 0, 0, 0])
    },

    ConformanceCheck("rows say when they were written last, to the microsecond") {
      try $0.addPersons(1, 2)
      let columns = ["user_id", "metric_date", "source", "updated_at"]
      let times = [
        "2026-03-01T02:00:00.000001Z", "2026-03-01T02:00:00.000001Z", "1999-12-31T23:59Z",
      ]
      for (offset, text) in times.enumerated() {
        try $0.add(
          .wearableDailyMetrics, columns,
          [
            [
              .uuid(person(1)), .day(day("2026-01-01") + offset), .text("w"),
              .timestamp(time(text)),
            ]
          ])
      }
      try $0.addSteps(2, "2026-01-01")
      let rows = try $0.storage.makeReader().rows(
        of: [person(1), person(2)], "2026-01-01", "2026-01-09")
      #expect(try rows.map(\.updatedAt) == (times + ["2026-01-01T00:00:00Z"]).map { try time($0) })
    },

    ConformanceCheck("days and instants before the first of the calendar can be asked for") {
      try $0.addPersons(1)
      try $0.addSteps(1, "0001-01-01")
      // A run of the first days of the calendar looks back beyond it.
      let days = (Day.calendar.lowerBound - 70)...(Day.calendar.lowerBound + 4)
      let storage = $0.storage
      #expect(try storage.persons(withDataIn: days) == [person(1)])
      #expect(try storage.unusableRows(in: days).isEmpty)
      #expect(try storage.countRows(in: days, upTo: 10) == 1)
      let reader = try storage.makeReader()
      let sink = CollectingSink()
      try reader.readMetrics(
        of: [person(1)], days: days, metrics: [MetricType("steps")], reportsWear: false, into: sink)
      #expect(sink.rows.map(\.day) == [Day.calendar.lowerBound])
      try reader.readWorkoutDays(of: [person(1)], days: days) { _, _ in Issue.record() }
      #expect(try reader.readScores(of: [person(1)], days: days) { _, _ in Issue.record() }.isEmpty)
    },

    ConformanceCheck("a metric that is no numeric column is refused by name") {
      try $0.addPersons(1)
      try $0.addSteps(1, "2026-01-01")
      let reader = try $0.storage.makeReader()
      for name in ["stepz", "source", "metric_date", "created_at", "", "steps\" FROM users --"] {
        let error = expectStorageError(.unknownColumn) {
          _ = try reader.rows(of: [person(1)], "2026-01-01", "2026-01-02", "steps", name)
        }
        #expect(error?.message.contains("'\(name)'") == true)
        #expect(error?.message.contains("resting_hr") == true)
      }
      #expect(try reader.rows(of: [person(1)], "2026-01-01", "2026-01-02", "steps").count == 1)
    },

    ConformanceCheck("a column added to the table is a metric") {
      try $0.addPersons(1)
      try $0.addSteps(1, "2026-01-01")
      try $0.execute("ALTER TABLE wearable_daily_metrics ADD COLUMN glucose_mmol DOUBLE PRECISION")
      try $0.execute("UPDATE wearable_daily_metrics SET glucose_mmol = 5.5")
      let rows = try $0.storage.makeReader().rows(
        of: [person(1)], "2026-01-01", "2026-01-01", "glucose_mmol")
      #expect(rows.map(\.values) == [[5.5]])
    },

    ConformanceCheck("readers see what was written before they were made") {
      try $0.addPersons(1)
      #expect(try $0.storage.makeReaders(count: 0).isEmpty)
      for count in 1...3 {
        try $0.addSteps(1, "2026-01-0\(count)")
        for reader in try $0.storage.makeReaders(count: 3) {
          #expect(
            try reader.rows(of: [person(1)], "2026-01-01", "2026-01-09", "steps").count == count)
          #expect(try reader.rows(of: [], "2026-01-01", "2026-01-09", "steps").isEmpty)
        }
      }
    },

    ConformanceCheck("readers read in parallel while another thread writes") { fixture in
      try fixture.addPersons(1, 2, 3, 4)
      for number in 1...4 { try fixture.addSteps(number, "2026-01-01", "2026-01-02") }
      let counts = Collected<Int>()
      DispatchQueue.concurrentPerform(iterations: 5) { index in
        do {
          guard index > 0 else {
            for round in 0..<20 {
              let states = try (1...4).map {
                try alertState($0, since: (day("2026-01-01") + round).description)
              }
              _ = try fixture.write(
                states.map { state in
                  var state = state
                  state.episode.resolution = .init(
                    day: state.episode.lastEvaluated, reason: .recovered)
                  return state
                })
            }
            return
          }
          let reader = try fixture.storage.makeReader()
          for _ in 0..<20 {
            counts.append(
              try reader.rows(of: [person(index)], "2026-01-01", "2026-01-02", "steps").count)
          }
        } catch {
          Issue.record(error)
        }
      }
      #expect(counts.values == Array(repeating: 2, count: 80))
      #expect(try fixture.count("pattern_alert_state") == 80)
    },
  ]

  static let contextReading = [
    ConformanceCheck("workout days come by person and day, sessions of other days do not") {
      try $0.addPersons(1, 2, 3)
      let sessions = [
        (1, "2026-01-03"), (1, "2026-01-01"), (2, "2026-01-04"), (3, "2026-01-02"),
        (3, "2026-01-02"),
      ]
      try $0.add(
        .exerciseSessions, ["id", "user_id", "metric_date"],
        sessions.enumerated().map { index, session in
          [
            .uuid(person(100 + index)), .uuid(person(session.0)), .day(try day(session.1)),
          ]
        })
      var found: [String] = []
      try $0.storage.makeReader().readWorkoutDays(
        of: [person(3), person(2), person(1)], days: day("2026-01-01")...day("2026-01-03")
      ) { found.append("\($0) \($1)") }
      #expect(found == ["0 2026-01-02", "0 2026-01-02", "2 2026-01-01", "2 2026-01-03"])
    },

    ConformanceCheck("profiles come back as they are, empty columns as not set") {
      try $0.addPersons(1, 2, 3)
      let columns = InputTable.userProfiles.columns.map(\.name)
      try $0.add(
        .userProfiles, columns,
        [
          [
            .uuid(person(1)), .text("Asia/Kathmandu"), .boolean(true), .boolean(false),
            .boolean(true), .boolean(true), .boolean(false), .boolean(true), .boolean(true),
            .text("21:30"), .text("06:05"), .boolean(true),
          ], [.uuid(person(2))] + Array(repeating: .null, count: columns.count - 1),
        ])
      let profiles = try $0.storage.makeReader().profiles(of: [person(1), person(2), person(3)])
      let expected = UserProfile(
        timeZone: "Asia/Kathmandu",
        switches: [
          .inApp: true, .push: false, .email: true, .call: true, .emailOfChampions: false,
          .smsOfChampions: true,
        ], isChampion: true,
        quietHoursStart: TimeOfDay("21:30"), quietHoursEnd: TimeOfDay("06:05"),
        quietHoursApplyToCritical: true)
      #expect(profiles == [person(1): expected, person(2): UserProfile()])
      #expect(try $0.storage.makeReader().profiles(of: []).isEmpty)
    },

    ConformanceCheck("alert states touched since a day are active, evaluated or resolved by then") {
      try $0.addPersons(1, 2)
      let states = [
        try alertState(1, metric: "steps", evaluated: "2026-02-03", level: .day3),
        try alertState(1, metric: "hrv_ms", evaluated: "2026-02-20", resolvedOn: "2026-02-20"),
        try alertState(1, metric: "resting_hr", evaluated: "2026-02-10", resolvedOn: "2026-02-20"),
        try alertState(
          1, metric: "sleep_minutes", evaluated: "2026-02-10", resolvedOn: "2026-02-19"),
        try alertState(2, metric: "steps", evaluated: "2026-02-25"),
      ]
      _ = try $0.write(states)
      let reader = try $0.storage.makeReader()
      let since = try day("2026-02-20")
      let found = try reader.alertStates(of: [person(1)], in: sampleProfile, touchedSince: since)
      #expect(Set(found) == Set(states[0...2]))
      #expect(
        try reader.alertStates(
          of: [person(2), person(1)], in: sampleProfile, touchedSince: since
        ).count == 4)
      #expect(
        try reader.alertStates(of: [person(3)], in: sampleProfile, touchedSince: since).isEmpty)
    },

    ConformanceCheck("family members are those of every family that has accepted the person") {
      try $0.addPersons(1, 2, 3, 4)
      let rows: [(Int, Int, FamilyMember.Role, FamilyMember.InviteStatus)] = [
        (51, 1, .member, .accepted), (51, 2, .superadmin, .accepted), (51, 3, .admin, .pending),
        (52, 1, .admin, .accepted), (52, 4, .member, .declined),
        (53, 1, .member, .pending), (53, 2, .admin, .accepted),
      ]
      try $0.add(
        .familyMembers, ["family_id", "user_id", "role", "invite_status"],
        rows.map {
          [
            .uuid(person($0.0)), .uuid(person($0.1)), .text($0.2.rawValue), .text($0.3.rawValue),
          ]
        })
      let members = try $0.storage.makeReader().familyMembers(of: [person(4), person(1), person(8)])
      #expect(members.count == 3)
      #expect(members[0].isEmpty)
      #expect(members[2].isEmpty)
      let expected = rows[0...4].map {
        FamilyMember(family: person($0.0), user: person($0.1), role: $0.2, inviteStatus: $0.3)
      }
      #expect(Set(members[1]) == Set(expected))
      #expect(members[1].count == expected.count)
    },

    ConformanceCheck("exclusions are those that the persons asked for have made") {
      try $0.addPersons(1, 2, 3, 4)
      try $0.add(
        .alertRecipientExclusions, ["excluded_user_id", "subject_user_id"],
        [(2, 1), (3, 1), (1, 2), (1, 4)].map { excluded, subject in
          [.uuid(person(excluded)), .uuid(person(subject))]
        })
      let reader = try $0.storage.makeReader()
      #expect(
        try reader.exclusions(of: [person(2), person(3), person(1), person(8)])
          == [person(1): [person(2), person(3)], person(2): [person(1)]])
      #expect(try reader.exclusions(of: []).isEmpty)
    },
  ]
}
