import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Seven persons with an alert each, and two families.
  ///
  /// Family 51 is 1, 2 and 3, while 4 has declined and 5 has not answered; family 52 is 1 and 6. 7 is
  /// in none.
  private static func addFamilies(to fixture: any StorageFixture) throws -> [PatternAlertState] {
    try fixture.addPersons(1, 2, 3, 4, 5, 6, 7)
    let rows: [(Int, Int, FamilyMember.Role, FamilyMember.InviteStatus)] = [
      (51, 1, .member, .accepted), (51, 2, .superadmin, .accepted), (51, 3, .admin, .accepted),
      (51, 4, .admin, .declined), (51, 5, .admin, .pending),
      (52, 1, .admin, .accepted), (52, 6, .member, .accepted),
    ]
    try fixture.add(
      .familyMembers, ["family_id", "user_id", "role", "invite_status"],
      rows.map {
        [.uuid(person($0.0)), .uuid(person($0.1)), .text($0.2.rawValue), .text($0.3.rawValue)]
      })
    let states = try (1...7).map { try alertState($0) }
    _ = try fixture.write(states)
    return states
  }

  static let familyAlerts = [
    ConformanceCheck("an accepted member reads the alerts of the family's other accepted members") {
      let states = try addFamilies(to: $0)
      let day = try day("2026-02-10")
      let expected = [
        (51, 1, [2, 3]), (51, 2, [1, 3]), (51, 3, [1, 2]), (52, 1, [6]), (52, 6, [1]),
      ]
      for (family, viewer, others) in expected {
        let found = try $0.storage.familyAlerts(of: person(family), for: person(viewer), on: day)
        #expect(
          Set(found) == Set(others.map { states[$0 - 1] }), "\(viewer) of \(family)")
        #expect(found.count == others.count)
      }
    },

    ConformanceCheck("a dependent reads of no other member, and acts on no alert of others") {
      fixture in
      let states = try addFamilies(to: fixture)
      try fixture.execute(
        """
        UPDATE family_members SET role = 'dependent' WHERE user_id = '\(person(1).lowercased)'
          AND family_id = '\(person(51).lowercased)';
        UPDATE family_members SET role = 'responder' WHERE user_id = '\(person(2).lowercased)'
        """)
      let day = try day("2026-02-10")
      let expected = [(51, 1, []), (51, 2, [1, 3]), (52, 1, [6])]
      for (family, viewer, others) in expected {
        let found = try fixture.storage.familyAlerts(
          of: person(family), for: person(viewer), on: day)
        #expect(Set(found) == Set(others.map { states[$0 - 1] }), "\(viewer) of \(family)")
      }
      #expect(
        try fixture.storage.familyInsights(of: person(51), for: person(1), on: nil, today: day)
          .isEmpty)
      let now = try time("2026-02-10T12:00:00Z")
      func acknowledge(_ alert: Int, by member: Int) throws {
        _ = try fixture.storage.carryOut(
          AlertAction(.acknowledge, alert: states[alert - 1].id, by: person(member), at: now))
      }
      expectStorageError(.permissionDenied) { try acknowledge(3, by: 1) }
      try acknowledge(1, by: 1)
      try acknowledge(1, by: 2)
      try acknowledge(6, by: 1)
    },

    ConformanceCheck("who is no accepted member is refused, in the same words as for no family") {
      fixture in
      _ = try addFamilies(to: fixture)
      let day = try day("2026-02-10")
      let strangers = [
        (51, 4), (51, 5), (51, 6), (51, 7), (51, 99), (52, 2), (52, 7), (98, 1), (98, 7), (98, 99),
      ]
      for (family, viewer) in strangers {
        let error = expectStorageError(.permissionDenied) {
          _ = try fixture.storage.familyAlerts(of: person(family), for: person(viewer), on: day)
        }
        #expect(error == .viewerIsNoMember, "\(viewer) of \(family)")
        #expect(error?.description.contains(person(family).lowercased) == false)
      }
    },

    ConformanceCheck("resolved, dismissed and snoozed alerts are not among a family's") {
      let states = try addFamilies(to: $0)
      let (today, viewer) = (try day("2026-02-10"), person(1))
      func read(_ fixture: any StorageFixture) throws -> [PatternAlertState] {
        try fixture.storage.familyAlerts(of: person(52), for: viewer, on: today)
      }
      let changes: [(change: String, isShown: Bool)] = [
        ("snooze_until = '2026-02-11'", false), ("snooze_until = '2026-02-10'", true),
        ("snooze_until = '2026-02-09'", true), ("snooze_until = NULL", true),
        ("dismissed_at = '2026-02-09T00:00:00.000000Z'", false), ("dismissed_at = NULL", true),
        ("acknowledged_at = '2026-02-09T00:00:00.000000Z'", true),
        (
          """
          episode_status = 'resolved', resolved_on = '2026-02-10', resolution_reason = 'recovered'
          """, false
        ),
      ]
      for (change, isShown) in changes {
        try $0.execute(
          "UPDATE pattern_alert_state SET \(change) WHERE user_id = '\(person(6).lowercased)'")
        #expect(
          try read($0).map(\.series) == (isShown ? [states[5].series] : []), "\(change)")
      }
    },

    ConformanceCheck("a family's alerts come by level, the highest first, then by age, then by id")
    {
      _ = try addFamilies(to: $0)
      let more = try [
        alertState(2, metric: "hrv_ms", since: "2026-01-20", level: .day21),
        alertState(3, metric: "hrv_ms", since: "2026-01-25", level: .day21),
        alertState(3, metric: "resting_hr", pattern: .rise, since: "2026-01-25", level: .day21),
        alertState(2, metric: "sleep_minutes", since: "2026-01-01", level: .day3),
      ]
      _ = try $0.write(more)
      let found = try $0.storage.familyAlerts(
        of: person(51), for: person(1), on: day("2026-02-10"))
      let expected = try (more + [alertState(2), alertState(3)]).sorted {
        let (left, right) = ($0.episode, $1.episode)
        return (-left.level.rawValue, left.activeSince, $0.id.lowercased)
          < (-right.level.rawValue, right.activeSince, $1.id.lowercased)
      }
      #expect(found.map(\.id) == expected.map(\.id))
      #expect(Set(found) == Set(expected))
    },

    ConformanceCheck("alerts of an event come together, also where others have a level in between")
    {
      _ = try addFamilies(to: $0)
      let start = try alertState(2, metric: "hrv_ms", since: "2026-01-20", level: .day3)
      var joined = try alertState(2, metric: "resting_hr", pattern: .rise, level: .day21)
      var ended = try alertState(
        2, metric: "sleep_minutes", level: .day21, resolvedOn: "2026-02-10")
      (joined.eventID, ended.eventID) = (start.id, start.id)
      _ = try $0.write([start, joined, ended])
      let found = try $0.storage.familyAlerts(
        of: person(51), for: person(1), on: day("2026-02-10"))
      #expect(Array(found.map(\.id).prefix(2)) == [joined.id, start.id])
      #expect(Set(found.dropFirst(2).map(\.series.user)) == [person(2), person(3)])
      #expect(found.count == 4)
    },
  ]
}
