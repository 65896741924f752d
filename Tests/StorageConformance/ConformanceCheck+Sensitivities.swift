import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  static let sensitivities = [
    ConformanceCheck("sensitivities come by person, without those that change nothing") {
      try $0.addPersons(1, 2, 3)
      try $0.add(
        .sensitivityOverrides, ["user_id", "metric_type", "sensitivity"],
        [
          [.uuid(person(1)), .text("steps"), .text("off")],
          [.uuid(person(1)), .text("combined"), .text("higher")],
          [.uuid(person(1)), .text("hrv_ms"), .text("normal")],
          [.uuid(person(2)), .text("steps"), .text("normal")],
          [.uuid(person(3)), .text("steps"), .text("lower")],
        ])
      let reader = try $0.storage.makeReader()
      let found = try reader.sensitivities(of: [person(2), person(1), person(9)])
      #expect(
        found.personal == [
          person(1): PersonalSensitivity([MetricType("steps"): .off, .combined: .higher])
        ])
      #expect(found.unusable.isEmpty)
      #expect(try reader.sensitivities(of: []).personal.isEmpty)
    },

    ConformanceCheck("an unknown sensitivity is refused") { fixture in
      try fixture.addPersons(1)
      #expect(throws: (any Error).self) {
        try fixture.execute(
          "INSERT INTO sensitivity_overrides VALUES ('\(person(1).lowercased)', 'steps', 'sometimes')"
        )
      }
      #expect(try fixture.count("sensitivity_overrides") == 0)
    },
  ]
}
