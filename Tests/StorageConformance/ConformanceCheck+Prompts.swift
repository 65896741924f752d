import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Raised alerts, pings, reminders of check-ins, and the answers of caregivers.
  static let prompts = [
    ConformanceCheck("a person has one active alert, and a member resolves it") { fixture in
      try fixture.addHousehold()
      let now = try time("2026-03-01T03:00:00.000001Z")
      let raised = try fixture.storage.raiseAlert(by: person(1), at: now)
      #expect(raised == RaisedAlert(by: person(1), at: now))
      #expect(try fixture.storage.raiseAlert(by: person(1), at: now.adding(seconds: 5)) == raised)
      for other in [4, 5, 6] {
        expectStorageError(.permissionDenied) {
          _ = try fixture.storage.resolveRaisedAlert(raised.id, by: person(other), at: now)
        }
      }
      expectStorageError(.notFound) {
        _ = try fixture.storage.resolveRaisedAlert(UUID(name: "none"), by: person(1), at: now)
      }
      expectStorageError(.notFound) { _ = try fixture.storage.raiseAlert(by: person(9), at: now) }
      let end = now.adding(seconds: 60)
      var resolved = raised
      (resolved.resolvedAt, resolved.resolvedBy) = (end, person(2))
      #expect(
        try fixture.storage.resolveRaisedAlert(raised.id, by: person(2), at: end) == resolved)
      // The first resolution stays.
      #expect(
        try fixture.storage.resolveRaisedAlert(
          raised.id, by: person(1), at: end.adding(seconds: 9)) == resolved)
      let next = try fixture.storage.raiseAlert(by: person(1), at: end)
      #expect(next.id != raised.id)
      #expect(try fixture.storage.raisedAlerts(of: person(1)) == [next, resolved])
      expectStorageError(.ended) { _ = try fixture.storage.raiseAgain(raised, resolving: next) }
    },

    ConformanceCheck("a raised alert is planned once, with a call upon each responder") { fixture in
      try fixture.addHousehold()
      let now = try time("2026-03-01T03:00:00Z")
      let raised = try fixture.storage.raiseAlert(by: person(1), at: now)
      let prompt = try #require(
        try fixture.storage.duePrompts(of: Prompt.Kind.allCases, at: now, limit: 9).first)
      #expect(prompt.kind == .raisedAlert && prompt.id == raised.id && prompt.person == person(1))
      #expect(
        Set(prompt.members.map { "\($0.user == person(5)) \($0.isExcluded) \($0.role)" })
          == [
            "false false responder", "false false member", "false false dependent",
            "true true admin",
          ])
      let notices = prompt.notices(zones: utc, at: now)
      #expect(Set(notices.map(\.recipient)) == [person(2)])
      #expect(try fixture.storage.plan(prompt, notices, at: now))
      #expect(try !fixture.storage.plan(prompt, notices, at: now))
      #expect(try fixture.storage.duePrompts(of: Prompt.Kind.allCases, at: now, limit: 9).isEmpty)
      #expect(
        try fixture.strings(
          """
          SELECT notification_type || ' ' || channel || ' ' || priority || ' ' || status
          FROM notification_queue ORDER BY channel
          """) == [
            "raised_alert in_app critical pending", "raised_alert push critical pending",
          ])
      #expect(
        try fixture.strings(
          """
          SELECT escalation_type || ' ' || status || CAST(level AS TEXT) || CAST(window_minutes AS TEXT)
          FROM escalation_log
          """) == ["panic_button pending210"])
      // Its end cancels what waits, and closes the call.
      _ = try fixture.storage.resolveRaisedAlert(
        raised.id, by: person(1), at: now.adding(seconds: 1))
      #expect(
        try fixture.strings(
          "SELECT DISTINCT status || ' ' || status_reason FROM notification_queue")
          == ["cancelled resolved"])
      #expect(try fixture.strings("SELECT status FROM escalation_log") == ["resolved"])
    },

    ConformanceCheck("a raised alert without an answer goes on to the next caregiver") {
      fixture in
      try fixture.addHousehold()
      try fixture.add(
        .caregiverPriority, ["user_id", "caregiver_id", "priority"],
        [[.uuid(person(1)), .uuid(person(3)), .integer(1)]])
      let now = try time("2026-03-01T12:00:00Z")
      let raised = try fixture.storage.raiseAlert(by: person(1), at: now)
      let prompt = try #require(
        try fixture.storage.duePrompts(of: Prompt.Kind.allCases, at: now, limit: 9).first)
      _ = try fixture.storage.plan(prompt, prompt.notices(zones: utc, at: now), at: now)
      let policy = EscalationPolicy(raisedAlerts: 10)
      func step(minutes: Int64) throws -> (EscalationCourse, EscalationStep)? {
        let later = now.adding(seconds: minutes * 60)
        let found = try fixture.storage.unansweredAlerts(
          of: .raisedAlert, at: .day21,
          in: EscalationWindows(ofSender: EscalationWindow(minutes: 10, at: later)), limit: 9)
        guard let alert = found.first?.id else { return nil }
        let course = try #require(
          try fixture.storage.escalationCourse(of: alert, .raisedAlert, at: .day21, asOf: later))
        return (course, course.next(by: policy, zones: utc, at: later))
      }
      #expect(try step(minutes: 9) == nil)
      let (course, next) = try #require(try step(minutes: 10))
      guard case .call(let call, _) = next else {
        Issue.record("no call: \(next)")
        return
      }
      #expect(call.recipient == .member(person(3)))
      let later = now.adding(seconds: 600)
      #expect(try fixture.storage.carryOut(next, of: course, at: later) == 1)
      #expect(
        try fixture.strings(
          """
          SELECT CAST(step AS TEXT) || ' ' || status || ' ' || CAST(window_minutes AS TEXT)
          FROM escalation_log ORDER BY step
          """) == ["0 expired 0", "1 pending 10"])
      #expect(
        try fixture.strings(
          "SELECT DISTINCT template_id FROM notification_queue WHERE notification_type = 'escalation'"
        ) == ["escalation.caregiver"])
      // The caregiver says how it is; nothing more is sent.
      let answer = try fixture.storage.resolveEscalation(
        course.callID(ofStep: 1), .contactedPatient, by: person(3), at: later)
      #expect(answer.resolution == .contactedPatient && answer.resolvedAt == later)
      #expect(
        try fixture.strings(
          "SELECT DISTINCT status FROM notification_queue WHERE notification_type = 'escalation'")
          == ["cancelled"])
      let after = try #require(
        try fixture.storage.escalationCourse(
          of: raised.id, .raisedAlert, at: .day21, asOf: later))
      #expect(
        after.next(by: policy, zones: utc, at: later.adding(seconds: 6_000)) == .end(.resolved))
    },

    ConformanceCheck("a caregiver resolves a call, once, and no other does") { fixture in
      try fixture.addHousehold()
      let now = try time("2026-03-01T12:00:00Z")
      _ = try fixture.storage.raiseAlert(by: person(1), at: now)
      let prompt = try #require(
        try fixture.storage.duePrompts(of: Prompt.Kind.allCases, at: now, limit: 9).first)
      _ = try fixture.storage.plan(prompt, prompt.notices(zones: utc, at: now), at: now)
      let id = try #require(
        try fixture.strings("SELECT CAST(id AS TEXT) FROM escalation_log").first
          .flatMap { $0 }.flatMap(UUID.init(uuidString:)))
      for other in [1, 3, 4, 5, 6] {
        expectStorageError(.permissionDenied) {
          _ = try fixture.storage.resolveEscalation(id, .falseAlarm, by: person(other), at: now)
        }
      }
      expectStorageError(.constraint) {
        _ = try fixture.storage.resolveEscalation(id, .noResponse, by: person(2), at: now)
      }
      expectStorageError(.notFound) {
        _ = try fixture.storage.resolveEscalation(
          UUID(name: "none"), .falseAlarm, by: person(2), at: now)
      }
      // A late answer counts in the place of none.
      try fixture.execute(
        "UPDATE escalation_log SET status = 'expired', resolution = 'no_response', resolved_at = '\(now)'"
      )
      for resolution in EscalationResolution.ofMembers {
        #expect(
          try fixture.storage.resolveEscalation(id, resolution, by: person(2), at: now)
            == EscalationAnswer(escalation: id, resolution: .confirmedOK, resolvedAt: now))
      }
      // Whom the person has excluded since reads nothing of it.
      try fixture.execute(
        "INSERT INTO alert_recipient_exclusions (subject_user_id, excluded_user_id) VALUES ('\(person(1).lowercased)', '\(person(2).lowercased)')"
      )
      expectStorageError(.permissionDenied) {
        _ = try fixture.storage.resolveEscalation(id, .falseAlarm, by: person(2), at: now)
      }
    },

    ConformanceCheck("a ping is answered in time by the member who is asked") { fixture in
      try fixture.addHousehold()
      let now = try time("2026-03-01T03:00:00.000001Z")
      let ping = try fixture.storage.ping(person(1), by: person(2), at: now)
      #expect(ping == Ping(from: person(2), to: person(1), at: now))
      #expect(
        try fixture.storage.ping(person(1), by: person(2), at: now.adding(seconds: 60)) == ping)
      for (recipient, sender) in [(1, 4), (1, 5), (1, 6), (2, 2)] {
        expectStorageError(.permissionDenied) {
          _ = try fixture.storage.ping(person(recipient), by: person(sender), at: now)
        }
      }
      expectStorageError(.notFound) {
        _ = try fixture.storage.ping(person(9), by: person(2), at: now)
      }
      let due = try fixture.storage.duePrompts(of: Prompt.Kind.allCases, at: now, limit: 9)
      let prompt = try #require(due.first)
      #expect(due.count == 1 && prompt.kind == .ping && prompt.expiresAt == ping.expiresAt)
      #expect(
        try fixture.storage.plan(prompt, prompt.notices(zones: utc, at: now), at: now))
      for other in [2, 3, 6] {
        expectStorageError(.permissionDenied) {
          _ = try fixture.storage.respond(to: ping.id, by: person(other), at: now)
        }
      }
      let later = now.adding(seconds: 120)
      let answered = try fixture.storage.respond(to: ping.id, by: person(1), at: later)
      #expect(answered.status == .responded && answered.respondedAt == later)
      #expect(
        try fixture.storage.respond(to: ping.id, by: person(1), at: later.adding(seconds: 1))
          == answered)
      #expect(try fixture.strings("SELECT kind FROM check_ins") == ["responder"])
      #expect(
        try fixture.strings("SELECT DISTINCT status FROM notification_queue") == ["cancelled"])
      // The next one expires.
      let second = try fixture.storage.ping(person(1), by: person(2), at: later)
      let end = second.expiresAt
      expectStorageError(.ended) {
        _ = try fixture.storage.respond(to: second.id, by: person(1), at: end)
      }
      #expect(try fixture.storage.duePrompts(of: Prompt.Kind.allCases, at: end, limit: 9).isEmpty)
      #expect(try fixture.storage.expirePings(at: end.adding(seconds: -1)) == 0)
      #expect(try fixture.storage.expirePings(at: end) == 1)
      let third = try fixture.storage.ping(person(1), by: person(2), at: end)
      #expect(
        try fixture.storage.pings(of: person(1)).map(\.status)
          == [.pending, .expired, .responded])
      #expect(try fixture.storage.pings(of: person(3)).isEmpty)
      #expect(third.id != second.id)
    },

    ConformanceCheck("a person is reminded of a check-in once, before the deadline") { fixture in
      try fixture.addHousehold()
      let start = try time("2026-03-01T08:00:00Z")
      // Every day with an hour of grace, and a reminder two hours before.
      try fixture.add(
        .checkInPlans,
        ["user_id", "interval_minutes", "grace_minutes", "starts_at", "reminder_minutes"],
        [
          [.uuid(person(1)), .integer(1_440), .integer(60), .timestamp(start), .integer(120)],
          [.uuid(person(2)), .integer(1_440), .integer(0), .timestamp(start), .null],
        ])
      func due(_ instant: String) throws -> [Prompt] {
        try fixture.storage.duePrompts(of: Prompt.Kind.allCases, at: time(instant), limit: 9)
      }
      #expect(try due("2026-03-02T05:59:59.999999Z").isEmpty)
      // One that passes over the grace reaches no one in time.
      #expect(try due("2026-03-02T09:00:00Z").isEmpty)
      let now = try time("2026-03-02T06:00:00Z")
      let prompt = try #require(try due("2026-03-02T06:00:00Z").first)
      #expect(prompt.kind == .checkInReminder && prompt.person == person(1))
      #expect(prompt.expiresAt == (try time("2026-03-02T09:00:00Z")))
      let notices = prompt.notices(zones: utc, at: now)
      // Quiet hours end at seven.
      #expect(
        notices.map { "\($0.recipient == person(1)) \($0.channel.rawValue) \($0.scheduledFor)" }
          == [
            "true push 2026-03-02T07:00:00.000000Z", "true in_app 2026-03-02T06:00:00.000000Z",
          ])
      #expect(try fixture.storage.plan(prompt, notices, at: now))
      #expect(try !fixture.storage.plan(prompt, notices, at: now))
      #expect(try due("2026-03-02T06:30:00Z").isEmpty)
      // A check-in begins the next interval.
      try fixture.storage.record(CheckIn(of: person(1), at: now.adding(seconds: 60)))
      #expect(try due("2026-03-02T06:30:00Z").isEmpty)
      #expect(try due("2026-03-03T04:01:00Z").map(\.intervalStart) == [now.adding(seconds: 60)])
    },
  ]

  private static let utc = ZoneCatalog.system
}

extension StorageFixture {
  /// Family 51, of person 1 and others.
  ///
  /// 2 is its responder, 3 a member and 4 a dependent; 1 has excluded the administrator 5. 6 is in none.
  fileprivate func addHousehold() throws {
    try addPersons(1, 2, 3, 4, 5, 6)
    let rows: [(Int, FamilyMember.Role)] = [
      (1, .member), (2, .responder), (3, .member), (4, .dependent), (5, .admin),
    ]
    try add(
      .familyMembers, ["family_id", "user_id", "role", "invite_status"],
      rows.map {
        [.uuid(person(51)), .uuid(person($0.0)), .text($0.1.rawValue), .text("accepted")]
      })
    try add(
      .alertRecipientExclusions, ["subject_user_id", "excluded_user_id"],
      [[.uuid(person(1)), .uuid(person(5))]])
  }
}

extension Storage {
  /// Raises an alert at the instant of one that is over, when none is active.
  fileprivate func raiseAgain(
    _ alert: RaisedAlert, resolving active: RaisedAlert
  ) throws -> RaisedAlert {
    _ = try resolveRaisedAlert(active.id, by: active.person, at: active.raisedAt)
    return try raiseAlert(by: alert.person, at: alert.raisedAt)
  }
}
