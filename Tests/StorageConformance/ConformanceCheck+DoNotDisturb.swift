import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// The hours in which recipients are not disturbed.
  static let doNotDisturb = [
    ConformanceCheck("hours of do-not-disturb come with the profile, also where there is none") {
      try $0.addPersons(1, 2, 3)
      let name = InputValue.text("Europe/Madrid")
      try $0.add(.userProfiles, ["user_id", "timezone"], [[.uuid(person(1)), name]])
      try $0.addDoNotDisturb(1, 6, "13:00", "15:00")
      try $0.addDoNotDisturb(1, 0, "22:00", "08:00")
      try $0.addDoNotDisturb(2, 3, "00:00", "00:00")
      let own = try [hours(0, "22:00", "08:00"), hours(6, "13:00", "15:00")]
      let expected = try [
        person(1): UserProfile(timeZone: "Europe/Madrid", doNotDisturb: own),
        person(2): UserProfile(switches: [.push: true], doNotDisturb: [hours(3, "00:00", "00:00")]),
      ]
      let persons = [person(1), person(2), person(3), person(1)]
      #expect(try $0.storage.makeReader().profiles(of: persons) == expected)
      #expect(try $0.storage.profiles(of: persons) == expected)
    },

    ConformanceCheck("a sender sees hours that were set after a row was planned") {
      try $0.addFamily(2, 1)
      _ = try $0.notifiedAlert(1, to: 2)
      let now = try time("2026-03-01T07:00:00Z")
      let claimed = try $0.storage.claim(
        DispatchClaim(
          channel: .push, owner: "sender", limit: 5, leaseUntil: now.adding(seconds: 60)),
        at: now)
      #expect(claimed.count == 1)
      try $0.addDoNotDisturb(2, 0, "06:00", "09:00")
      let found = try $0.storage.circumstances(of: claimed, countingSince: nil)
      #expect(
        found.values.map { $0.profile?.doNotDisturb } == [[try hours(0, "06:00", "09:00")]])
    },

    ConformanceCheck("a weekday is one, and a time is of whole minutes") { fixture in
      try fixture.addPersons(1)
      let day = "INSERT INTO do_not_disturb (user_id, weekday, starts_at, ends_at)"
      for values in ["7, '10:00', '11:00'", "-1, '10:00', '11:00'", "1, '10:00:30', '11:00'"] {
        #expect(throws: (any Error).self, "\(values)") {
          try fixture.execute("\(day) VALUES ('\(person(1).lowercased)', \(values))")
        }
      }
    },
  ]
}

private func hours(_ weekday: Int, _ start: String, _ end: String) throws -> WeeklyHours {
  WeeklyHours(
    weekday: weekday, start: try #require(TimeOfDay(start)), end: try #require(TimeOfDay(end)))
}

extension StorageFixture {
  fileprivate func addDoNotDisturb(
    _ number: Int, _ weekday: Int, _ start: String, _ end: String
  ) throws {
    try add(
      .doNotDisturb, ["user_id", "weekday", "starts_at", "ends_at"],
      [[.uuid(person(number)), .integer(Int64(weekday)), .text(start), .text(end)]])
  }
}
