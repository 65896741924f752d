import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  private static let columns = [
    "user_id", "metric_type", "direction", "limit_value", "days", "severity", "starts_on",
    "ends_on", "set_by",
  ]

  static let limits = [
    ConformanceCheck("limits come by person, in order") {
      try $0.addPersons(1, 2, 3)
      let (first, last) = (try day("2026-05-01"), try day("2026-06-30"))
      func row(_ number: Int, _ direction: String, _ value: Double, _ days: Int64) -> [InputValue] {
        [
          .uuid(person(number)), .text("resting_hr"), .text(direction), .real(value),
          .integer(days), .text("critical"), .day(first), .day(last), .text("Dr. Lee"),
        ]
      }
      try $0.add(
        .personLimits, columns,
        [row(1, "below", 40.5, 1), row(1, "above", 100, 3), row(3, "above", 120, 1)])
      let reader = try $0.storage.makeReader()
      let found = try reader.limits(of: [person(2), person(1), person(9)])
      let pulse = MetricType("resting_hr")
      #expect(
        found.personal == [
          person(1): [
            PersonLimit(
              CriticalLimit(metric: pulse, .above, 100, days: 3, severity: .critical),
              on: first...last, setBy: "Dr. Lee"),
            PersonLimit(
              CriticalLimit(metric: pulse, .below, 40.5, days: 1, severity: .critical),
              on: first...last, setBy: "Dr. Lee"),
          ]
        ])
      #expect(found.unusable.isEmpty)
      #expect(try reader.limits(of: []).personal.isEmpty)
    },

    ConformanceCheck("a limit that cannot be is refused") { fixture in
      try fixture.addPersons(1)
      let id = person(1).lowercased
      let rows = [
        "'near', 90, 1, 'watch', '2026-01-01', '2026-01-02', 'Dr. Lee'",
        "'below', 90, 0, 'watch', '2026-01-01', '2026-01-02', 'Dr. Lee'",
        "'below', 90, 8, 'watch', '2026-01-01', '2026-01-02', 'Dr. Lee'",
        "'below', 90, 1, 'red', '2026-01-01', '2026-01-02', 'Dr. Lee'",
        "'below', 90, 1, 'watch', '2026-01-03', '2026-01-02', 'Dr. Lee'",
        "'below', 90, 1, 'watch', '2026-01-01', '2026-01-02', ' '",
      ]
      for row in rows {
        #expect(throws: (any Error).self, "\(row)") {
          try fixture.execute(
            """
            INSERT INTO person_limits (
              user_id, metric_type, direction, limit_value, days, severity, starts_on, ends_on, set_by
            ) VALUES ('\(id)', 'steps', \(row))
            """)
        }
      }
      #expect(try fixture.count("person_limits") == 0)
    },

    ConformanceCheck(
      "a limit that no day can have is refused, and one at the ends of what days can have is not"
    ) {
      fixture in
      try fixture.addPersons(1)
      func add(_ metric: MetricType, _ value: Double, _ days: Int) throws {
        try fixture.execute(
          """
          INSERT INTO person_limits (
            user_id, metric_type, direction, limit_value, days, severity, starts_on, ends_on, set_by
          ) VALUES (
            '\(person(1).lowercased)', '\(metric)', 'above', \(value), \(days), 'watch', '2026-01-01', '2026-01-02', 'Dr. Lee'
          )
          """)
      }
      for (metric, values) in MetricType.possibleValues {
        try add(metric, values.lowerBound, 1)
        try add(metric, values.upperBound, 2)
        for value in [values.lowerBound - 0.5, values.upperBound + 0.5, 900_000] {
          #expect(throws: (any Error).self, "\(metric) \(value)") { try add(metric, value, 3) }
        }
      }
      // What days can have of another is the operator's to know.
      try add(MetricType("grip_strength"), 900_000, 1)
    },

    ConformanceCheck("limits are added, ended and removed by their keys") {
      try $0.addPersons(1, 2)
      let (first, last) = (try day("2026-05-01"), try day("2026-06-30"))
      let pulse = MetricType("resting_hr")
      let slow = PersonLimit(
        CriticalLimit(metric: pulse, .above, 100.5, days: 3, severity: .critical),
        on: first...last, setBy: "Dr. Lee")
      var quick = slow
      quick.limit = CriticalLimit(metric: pulse, .above, 120)
      let storage = $0.storage
      #expect(try storage.limitedPersons().isEmpty)
      #expect(try storage.add(slow, of: person(2), note: "new tablets"))
      #expect(try storage.add(quick, of: person(2), note: nil))
      var other = slow
      other.limit.value = 90
      #expect(try !storage.add(other, of: person(2), note: nil), "the same key")
      #expect(try storage.limitedPersons() == [person(2)])
      func limits() throws -> [PersonLimit] {
        try storage.makeReader().limits(of: [person(2)]).personal[person(2)] ?? []
      }
      #expect(try limits() == [quick, slow])
      #expect(try !storage.end(slow, of: person(1), on: first))
      #expect(try storage.end(slow, of: person(2), on: first))
      var ended = slow
      ended.days = first...first
      #expect(try limits() == [quick, ended])
      #expect(throws: StorageError.self) { try storage.end(quick, of: person(2), on: first - 1) }
      #expect(throws: StorageError.self) { try storage.add(slow, of: person(9), note: nil) }
      #expect(try storage.remove(quick, of: person(2)))
      #expect(try !storage.remove(quick, of: person(2)))
      #expect(try limits() == [ended])
    },
  ]
}
