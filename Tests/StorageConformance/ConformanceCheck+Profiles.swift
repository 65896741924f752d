import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  private static let other = Profile(version: "v2", digest: String(repeating: "cd", count: 32))

  private static func record(
    _ profile: Profile, in fixture: any StorageFixture
  ) throws {
    try fixture.execute(
      """
      INSERT INTO database_profile (part, profile, version, digest, adopted_at)
      VALUES ('patterns', '\(profile.id)', '\(profile.version)', '\(profile.digest)',
        '2026-03-01T02:00:00.000000Z')
      """)
  }

  static let profiles = [
    ConformanceCheck("alerts of two profiles stand side by side, and each reads its own") {
      try $0.addPersons(1)
      let (own, others) = (try alertState(1), try alertState(1, profile: other))
      #expect(own.id != others.id)
      _ = try $0.write([own])
      _ = try $0.write([others])
      #expect(try Set($0.storage.alertStates(matching: AlertFilter())) == [own, others])
      let reader = try $0.storage.makeReader()
      let since = try day("2026-02-01")
      for state in [own, others] {
        let found = try reader.alertStates(of: [person(1)], in: state.profile, touchedSince: since)
        #expect(found == [state])
      }
      // The same of one profile twice is one row.
      _ = try $0.write([own])
      #expect(try $0.count("pattern_alert_state") == 2)
    },

    ConformanceCheck("families read the alerts of the database's own profile") {
      try $0.addPersons(1, 2)
      try $0.add(
        .familyMembers, ["family_id", "user_id", "role", "invite_status"],
        [1, 2].map {
          [.uuid(person(51)), .uuid(person($0)), .text("admin"), .text("accepted")]
        })
      let (own, others) = (try alertState(1), try alertState(1, profile: other))
      _ = try $0.write([own])
      _ = try $0.write([others])
      let today = try day("2026-02-10")
      func shown() throws -> Set<PatternAlertState> {
        Set(try fixture.storage.familyAlerts(of: person(51), for: person(2), on: today))
      }
      let fixture = $0
      // Where two were mixed and none is recorded, an alert too many is better than none.
      #expect(try shown() == [own, others])
      try record(other, in: fixture)
      #expect(try shown() == [others])
      #expect(try fixture.storage.databaseProfiles().map(\.profile) == [other])
      #expect(
        try fixture.storage.activeProfiles() == [
          ActiveProfile(profile: sampleProfile, alerts: 1),
          ActiveProfile(profile: other, alerts: 1),
        ])
    },
  ]
}
