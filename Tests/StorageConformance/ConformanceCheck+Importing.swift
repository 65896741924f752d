import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  static let importing = [
    ConformanceCheck("a row of every input table can be imported, and imported again") {
      try $0.addPersons(1, 3)
      let user: [InputValue] = [
        .uuid(person(2)), .text("ext-2"), .text("a@example.org"), .text("Ada"),
        .day(try day("1950-02-28")), .timestamp(try time("2025-01-01T00:00:00Z")),
        .timestamp(try time("2025-01-02T00:00:00Z")),
      ]
      let profile: [InputValue] = [
        .uuid(person(1)), .text("Europe/Paris"), .boolean(true), .boolean(false), .null, .null,
        .null, .boolean(true), .boolean(false), .text("22:00"), .text("07:00"), .boolean(false),
      ]
      let member: [InputValue] = [
        .uuid(person(9)), .uuid(person(1)), .text("superadmin"), .text("accepted"),
      ]
      let exclusion: [InputValue] = [.uuid(person(1)), .uuid(person(3))]
      let date = InputValue.day(try day("2026-01-01"))
      let metricValues = InputTable.wearableMetrics.indices.map {
        InputValue.real(Double($0) + 0.5)
      }
      let synced = InputValue.timestamp(try time("2026-01-02T00:00:00Z"))
      let metricRow =
        [.uuid(person(1)), date, .text("ring")] + metricValues + [synced, synced]
      let session: [InputValue] = [
        .uuid(person(8)), .uuid(person(1)), date, .text("run"),
        .timestamp(try time("2026-01-01T07:00:00Z")), .null,
      ]
      let scores: [InputValue] = [
        .uuid(person(1)), date, .integer(80), .integer(70), .null, .integer(100), .text("app-3"),
        .text("app"),
      ]
      let samples: [(InputTable, [InputValue])] =
        try [
          (.users, user), (.userProfiles, profile), (.familyMembers, member),
          (.alertRecipientExclusions, exclusion), (.wearableDailyMetrics, metricRow),
          (.exerciseSessions, session), (.vitalityScores, scores),
        ] + medicationSamples() + [
          (.checkIns, [.uuid(person(1)), synced, .text("manual")]),
          (.checkInPlans, [.uuid(person(1)), .integer(1_440), .integer(60), synced, .integer(30)]),
          (.sensitivityOverrides, [.uuid(person(1)), .text("steps"), .text("lower")]),
          (
            .personLimits,
            [
              .uuid(person(1)), .text("resting_hr"), .text("above"), .real(100), .integer(3),
              .text("critical"), date, date, .text("Dr. Lee"), .text("after the new tablets"),
            ]
          ),
          (.doNotDisturb, [.uuid(person(1)), .integer(6), .text("22:00"), .text("07:30")]),
          (.caregiverPriority, [.uuid(person(1)), .uuid(person(3)), .integer(1000)]),
          (
            .caregiverAvailability,
            [.uuid(person(3)), .integer(0), .text("08:00"), .text("20:00")]
          ),
          (
            .emergencyContacts,
            [
              .uuid(person(7)), .uuid(person(1)), .integer(1), .text("sms"),
              .text("+34600000000"), .text("pt-BR"), synced, .null, synced,
            ]
          ),
        ]
      #expect(samples.map(\.0) == InputTable.all)
      for (table, values) in samples {
        let before = try $0.count(table.name)
        for _ in 1...2 { try $0.add(table, table.columns.map(\.name), [values]) }
        #expect(try $0.count(table.name) == before + 1, "\(table.name)")
      }
      let metrics = InputTable.wearableMetrics.map(\.rawValue)
      let sink = CollectingSink()
      try $0.storage.makeReader().readMetrics(
        of: [person(1)], days: day("2026-01-01")...day("2026-01-01"),
        metrics: metrics.map { MetricType($0) }, reportsWear: true, into: sink)
      #expect(sink.rows.map(\.values) == [metrics.indices.map { Double($0) + 0.5 }])
    },

    ConformanceCheck("an upsert changes the given columns and leaves the others") {
      try $0.addPersons(1)
      let key: [InputValue] = [.uuid(person(1)), .day(try day("2026-01-01")), .text("ring")]
      let keyColumns = ["user_id", "metric_date", "source"]
      try $0.add(
        .wearableDailyMetrics, keyColumns + ["steps", "hrv_ms"], [key + [.real(1), .real(2)]])
      try $0.add(
        .wearableDailyMetrics, ["resting_hr", "hrv_ms"] + keyColumns, [[.real(60), .null] + key])
      let rows = try $0.storage.makeReader().rows(
        of: [person(1)], "2026-01-01", "2026-01-01", "steps", "hrv_ms", "resting_hr")
      #expect(rows.map(\.values) == [[1, nil, 60]])
    },

    ConformanceCheck("updated_at moves when a row changes, and only then") {
      try $0.addPersons(1)
      let columns = ["user_id", "metric_date", "source", "steps"]
      let date = InputValue.day(try day("2026-01-01"))
      func row(_ steps: InputValue) -> [InputValue] {
        [.uuid(person(1)), date, .text("ring"), steps]
      }
      let steps: [(InputValue, at: String, updated: String)] = [
        (.real(5), "2026-01-01T00:00:00Z", "2026-01-01"),
        (.real(5), "2026-01-02T00:00:00Z", "2026-01-01"),
        (.null, "2026-01-03T00:00:00Z", "2026-01-03"),
        (.null, "2026-01-04T00:00:00Z", "2026-01-03"),
        (.real(0), "2026-01-05T00:00:00Z", "2026-01-05"),
      ]
      for step in steps {
        try $0.add(.wearableDailyMetrics, columns, [row(step.0)], at: step.at)
        let updated = try $0.strings("SELECT CAST(updated_at AS TEXT) FROM wearable_daily_metrics")
        #expect(updated.first??.hasPrefix(step.updated) == true)
        let created = try $0.strings("SELECT CAST(created_at AS TEXT) FROM wearable_daily_metrics")
        #expect(created.first??.hasPrefix("2026-01-01") == true)
      }
    },

    ConformanceCheck("times that a row brings along are kept, missing ones are the present") {
      try $0.add(
        .users, ["id", "created_at", "updated_at"],
        [
          [
            .uuid(person(1)), .timestamp(time("2020-01-01T00:00:00Z")),
            .timestamp(time("2021-01-01T00:00:00Z")),
          ],
          [.uuid(person(2)), .null, .null],
        ], at: "2026-01-01T00:00:00Z")
      let query = "SELECT CAST(updated_at AS TEXT) FROM users ORDER BY id"
      let first = try $0.strings(query)
      #expect(first.map { $0?.prefix(4) } == ["2021", "2026"])
      try $0.add(
        .users, ["id", "created_at", "updated_at"], [[.uuid(person(2)), .null, .null]],
        at: "2027-01-01T00:00:00Z")
      #expect(try $0.strings(query) == first)
    },

    ConformanceCheck("a body that throws leaves nothing, and its error passes through") { fixture in
      #expect(throws: SampleError()) {
        try fixture.storage.importRows { writer in
          let now = try time("2026-01-01T00:00:00Z")
          try writer.ensureUser(person(1), externalID: nil, now: now)
          try writer.quarantine(QuarantinedRow(table: "users", reason: "x"), now: now)
          throw SampleError()
        }
      }
      let counts = try ["users", "quarantined_rows"].map { try fixture.count($0) }
      #expect(counts == [0, 0])
    },

    ConformanceCheck("a person is created once, with the id they had before") {
      let now = try time("2026-01-01T00:00:00Z")
      try $0.storage.importRows { writer in
        let isNew = try [
          writer.ensureUser(person(1), externalID: "ext-1", now: now),
          writer.ensureUser(person(1), externalID: "other", now: now),
          writer.ensureUser(person(2), externalID: nil, now: now),
        ]
        #expect(isNew == [true, false, true])
      }
      try $0.storage.importRows { writer in
        let isNew = try writer.ensureUser(person(2), externalID: "late", now: now)
        #expect(!isNew)
      }
      #expect(try $0.strings("SELECT external_id FROM users ORDER BY id") == ["ext-1", nil])
    },

    ConformanceCheck("a quarantined row says where it was and why") { fixture in
      let now = try time("2026-01-01T00:00:00Z")
      try fixture.storage.importRows { writer in
        try writer.quarantine(
          QuarantinedRow(
            runID: runID, table: "users", file: "users.csv", line: 7, column: "birth_date",
            reason: "not a date"), now: now)
        try writer.quarantine(QuarantinedRow(table: "users", reason: "no id"), now: now)
      }
      let columns = ["run_id", "table_name", "file", "line", "column_name", "reason"]
      let values = try columns.map { column in
        try fixture.strings(
          "SELECT CAST(\(column) AS TEXT) FROM quarantined_rows ORDER BY reason DESC")
      }
      #expect(
        values == [
          [runID.lowercased, nil], ["users", "users"], ["users.csv", nil], ["7", nil],
          ["birth_date", nil], ["not a date", "no id"],
        ])
    },

    ConformanceCheck("unknown columns, missing keys and rows of another length are refused") {
      try $0.addPersons(1)
      let fixture = $0
      let date = InputValue.day(try day("2026-01-01"))
      let columns = ["user_id", "metric_date", "source"]
      let row: [InputValue] = [.uuid(person(1)), date, .text("w")]
      let error = expectStorageError(.unknownColumn) {
        try fixture.add(.wearableDailyMetrics, columns + ["stepz"], [row + [.real(1)]])
      }
      #expect(error?.message.contains("'stepz'") == true)
      expectStorageError(.unexpected) {
        try fixture.add(.wearableDailyMetrics, ["user_id", "steps"], [])
      }
      expectStorageError(.unexpected) {
        try fixture.add(.wearableDailyMetrics, columns + ["source"], [])
      }
      expectStorageError(.unexpected) {
        try fixture.add(.wearableDailyMetrics, columns + ["steps"], [row])
      }
      #expect(try $0.count("wearable_daily_metrics") == 0)
    },

    ConformanceCheck("rows that break a constraint are refused by table, without values") {
      try $0.addPersons(1)
      let fixture = $0
      let columns = ["user_id", "metric_date", "source"]
      let date = InputValue.day(try day("2026-01-01"))
      let stranger = expectStorageError(.constraint) {
        try fixture.add(
          .wearableDailyMetrics, columns, [[.uuid(person(66)), date, .text("w")]])
      }
      #expect(stranger?.message.contains("wearable_daily_metrics") == true)
      #expect(stranger?.description.contains(person(66).lowercased) == false)
      let role = expectStorageError(.constraint) {
        try fixture.add(
          .familyMembers, ["family_id", "user_id", "role", "invite_status"],
          [[.uuid(person(9)), .uuid(person(1)), .text("emperor"), .text("accepted")]])
      }
      #expect(role?.message.contains("family_members") == true)
      #expect(role?.description.contains("emperor") == false)
      let exclusion = ["subject_user_id", "excluded_user_id"]
      for other in [1, 66] {
        let refused = expectStorageError(.constraint) {
          try fixture.add(
            .alertRecipientExclusions, exclusion, [[.uuid(person(1)), .uuid(person(other))]])
        }
        #expect(refused?.message.contains("alert_recipient_exclusions") == true)
        #expect(refused?.description.contains(person(other).lowercased) == false)
      }
    },
  ]

  static let injection = [
    ConformanceCheck("names that look like SQL are data") {
      let nasty = [
        "'; DROP TABLE users; --", "\"", "a\\'b", "%s", "ÿ日本\u{1F3C3}", " ", "null",
        String(repeating: "x", count: 300),
      ]
      try $0.addPersons(1)
      let now = try time("2026-01-01T00:00:00Z")
      let date = try day("2026-01-01")
      try $0.storage.importRows { writer in
        for (index, text) in nasty.enumerated() {
          try writer.ensureUser(person(10 + index), externalID: text, now: now)
          try writer.quarantine(QuarantinedRow(table: text, file: text, reason: text), now: now)
        }
      }
      try $0.add(
        .wearableDailyMetrics, ["user_id", "metric_date", "source"],
        nasty.map { [.uuid(person(1)), .day(date), .text($0)] })
      let states = try nasty.map { try alertState(1, metric: $0) }
      _ = try $0.write(states)

      let external = try $0.strings("SELECT external_id FROM users WHERE external_id IS NOT NULL")
      #expect(Set(external) == Set(nasty))
      #expect(Set(try $0.strings("SELECT reason FROM quarantined_rows")) == Set(nasty))
      let rows = try $0.storage.makeReader().rows(of: [person(1)], "2026-01-01", "2026-01-01")
      #expect(Set(rows.map(\.source)) == Set(nasty))
      for state in states {
        let filter = AlertFilter(metric: state.series.metric)
        #expect(try $0.storage.alertStates(matching: filter) == [state])
      }
    },

    ConformanceCheck("a text with a NUL is stored whole or refused, never cut") {
      try $0.addPersons(1)
      let source = "ring\u{0}'; --"
      do {
        try $0.add(
          .wearableDailyMetrics, ["user_id", "metric_date", "source"],
          [[.uuid(person(1)), .day(try day("2026-01-01")), .text(source)]])
      } catch is StorageError {
        #expect(try $0.count("wearable_daily_metrics") == 0)
        return
      }
      let rows = try $0.storage.makeReader().rows(of: [person(1)], "2026-01-01", "2026-01-01")
      #expect(rows.map(\.source) == [source])
    },
  ]
}
