import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// The choices of persons about calls when alerts about them have no answer.
  static let escalationChoices = [
    ConformanceCheck("a person chooses windows by level, none, or those of the sender") { fixture in
      try fixture.addPersons(1, 2)
      #expect(try fixture.storage.escalationChoices(of: person(1)).isEmpty)
      #expect(try fixture.storage.chosenWindows().isEmpty)
      #expect(
        try fixture.storage.choose(.after(minutes: 60), at: [.day14], by: person(1))
          == [.day14: .after(minutes: 60)])
      #expect(
        try fixture.storage.choose(.off, at: [.day3, .day7], by: person(1))
          == [.day3: .off, .day7: .off, .day14: .after(minutes: 60)])
      #expect(
        try fixture.storage.choose(.after(minutes: 10_080), at: [.day14], by: person(2))
          == [.day14: .after(minutes: 10_080)])
      #expect(try fixture.storage.chosenWindows() == [.day14: [60, 10_080]])
      #expect(
        try fixture.storage.choose(.after(minutes: 5), at: [.day14], by: person(1))[.day14]
          == .after(minutes: 5))
      #expect(
        try fixture.storage.choose(nil, at: [.day7, .day14], by: person(1)) == [.day3: .off])
      #expect(try fixture.storage.choose(nil, at: AlertLevel.allCases, by: person(1)).isEmpty)
      #expect(try fixture.storage.escalationChoices(of: person(2)).count == 1)
    },

    ConformanceCheck("choices come with who can be called upon") { fixture in
      let now = try time("2026-03-01T00:00:00Z")
      try fixture.addPersons(1, 2, 3, 4)
      #expect(try fixture.storage.escalationSettings(asOf: now).isEmpty)
      func member(_ number: Int, _ role: String, _ status: String = "accepted") -> [InputValue] {
        [.uuid(person(9)), .uuid(person(number)), .text(role), .text(status)]
      }
      try fixture.add(
        .familyMembers, ["family_id", "user_id", "role", "invite_status"],
        [
          member(1, "member"), member(2, "responder"), member(3, "member"),
          member(4, "admin", "pending"),
        ])
      _ = try fixture.storage.choose(.after(minutes: 30), at: [.day14, .day3], by: person(1))
      _ = try fixture.storage.choose(.off, at: [.day7], by: person(2))
      _ = try fixture.storage.choose(.after(minutes: 5), at: [.day21], by: person(4))
      try fixture.execute(
        """
        INSERT INTO emergency_contacts (id, user_id, priority, channel, address, opted_in_at, revoked_at) VALUES
          ('\(person(7).lowercased)', '\(person(4).lowercased)', 1, 'sms', '+4915550102', '\(now)', NULL),
          ('\(person(8).lowercased)', '\(person(1).lowercased)', 1, 'sms', '+4915550103', '\(now)', '\(now)')
        """)
      func setting(
        _ number: Int, _ level: AlertLevel, _ choice: EscalationChoice, _ hasCaregiver: Bool,
        _ hasContact: Bool
      ) -> EscalationSetting {
        EscalationSetting(
          person: person(number), level: level, choice: choice, hasCaregiver: hasCaregiver,
          hasContact: hasContact)
      }
      #expect(
        try fixture.storage.escalationSettings(asOf: now) == [
          setting(1, .day3, .after(minutes: 30), true, false),
          setting(1, .day14, .after(minutes: 30), true, false),
          // Only 1 and 3 are left, who may not be called without a priority.
          setting(2, .day7, .off, false, false),
          setting(4, .day21, .after(minutes: 5), false, true),
        ])
      let before = try fixture.storage.escalationSettings(asOf: now.adding(seconds: -1))
      #expect(before.last?.hasContact == false)
      try fixture.execute(
        "INSERT INTO caregiver_priority (user_id, caregiver_id, priority) VALUES ('\(person(2).lowercased)', '\(person(3).lowercased)', 1)"
      )
      #expect(try fixture.storage.escalationSettings(asOf: now)[2].hasCaregiver)
    },

    ConformanceCheck("a window has from five minutes to a week, and is of a known person") {
      fixture in
      try fixture.addPersons(1)
      for minutes in [Int.min, -1, 0, 4, 10_081, Int(Int32.max) + 1] {
        fixture.expectRefusal(of: .after(minutes: minutes), by: 1, .constraint)
      }
      fixture.expectRefusal(of: .off, by: 9, .notFound)
      for values in ["14, 4", "14, 10081", "14, 0", "1, 60", "0, NULL"] {
        #expect(throws: (any Error).self, "\(values)") {
          try fixture.execute(
            "INSERT INTO escalation_settings (user_id, level, window_minutes) VALUES ('\(person(1).lowercased)', \(values))"
          )
        }
      }
      #expect(try fixture.storage.escalationChoices(of: person(1)).isEmpty)
    },

    ConformanceCheck("each unanswered alert is found after the window of its person") { fixture in
      // Four persons with an alert of level 7, of which person 5 was notified at midnight.
      try fixture.addPersons(5)
      let alerts = try (1...4).map { number in
        try fixture.addPersons(number)
        let alert = try alertState(number)
        _ = try fixture.release([alert], [try notification(about: alert, to: 5)])
        return alert.id
      }
      let start = try time("2026-03-01T00:00:00Z")
      try fixture.execute(
        """
        UPDATE escalation_log SET triggered_at = '\(start)',
          expires_at = '\(start.adding(seconds: EscalationCall.lifetimeSeconds))'
        """)
      _ = try fixture.storage.choose(.after(minutes: 30), at: [.day7], by: person(1))
      _ = try fixture.storage.choose(.off, at: [.day7], by: person(2))
      _ = try fixture.storage.choose(.after(minutes: 2_880), at: [.day7], by: person(3))
      // A choice for another level is none for this one.
      _ = try fixture.storage.choose(.off, at: [.day14], by: person(4))
      func found(minutes: Int, by policy: EscalationPolicy) throws -> [UnansweredAlert] {
        let now = start.adding(seconds: Int64(minutes) * 60)
        let windows = policy.windows(
          of: .alert, at: .day7, chosen: try fixture.storage.chosenWindows()[.day7] ?? [], at: now)
        let alerts = try fixture.storage.unansweredAlerts(
          of: .alert, at: .day7, in: windows, limit: 9)
        return alerts.inOrder
      }
      let soon = UnansweredAlert(alerts[0], chosen: .after(minutes: 30))
      let late = UnansweredAlert(alerts[2], chosen: .after(minutes: 2_880))
      let fourth = UnansweredAlert(alerts[3])
      let policy = EscalationPolicy(alerts: [.day7: 60])
      #expect(try found(minutes: 29, by: policy).isEmpty)
      #expect(try found(minutes: 30, by: policy) == [soon])
      #expect(try found(minutes: 60, by: policy) == [soon, fourth].inOrder)
      #expect(try found(minutes: 2_879, by: policy).isEmpty)
      #expect(try found(minutes: 2_880, by: policy) == [late])
      // A sender without a window for the level follows those that persons have chosen.
      let none = EscalationPolicy(alerts: [:])
      #expect(try found(minutes: 60, by: none) == [soon])
      _ = try fixture.storage.choose(nil, at: [.day7], by: person(1))
      #expect(try found(minutes: 60, by: none).isEmpty)
      #expect(try found(minutes: 60, by: policy) == [UnansweredAlert(alerts[0]), fourth].inOrder)
    },
  ]
}

extension StorageFixture {
  fileprivate func expectRefusal(
    of choice: EscalationChoice, by number: Int, _ code: StorageError.Code
  ) {
    expectStorageError(code) {
      _ = try storage.choose(choice, at: [.day7], by: person(number))
    }
  }
}

extension [UnansweredAlert] {
  fileprivate var inOrder: [UnansweredAlert] { sorted { $0.id.lowercased < $1.id.lowercased } }
}
