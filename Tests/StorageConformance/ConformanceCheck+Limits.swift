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
  ]
}
