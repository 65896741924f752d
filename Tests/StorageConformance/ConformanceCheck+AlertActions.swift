import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// The actions of members on alerts.
  static let alertActions = [
    ConformanceCheck("a snooze cancels what waits, and restoring brings it back") {
      let alert = try $0.notifiedAlert()
      let until = try day("2026-03-12")
      let snoozed = try $0.act(.snooze(until: until), on: alert)
      #expect(snoozed.alert.snoozeUntil == until)
      #expect(snoozed.notifications == 1)
      #expect(try $0.states() == ["cancelled snoozed"])
      let restored = try $0.act(.restore, on: alert, at: "2026-03-01T04:00:00Z")
      #expect(restored.alert.snoozeUntil == nil)
      #expect(restored.notifications == 1)
      // It is due later than now, as it was.
      #expect(try $0.states() == ["pending quiet_hours"])
      #expect(try $0.act(.restore, on: alert, at: "2026-03-01T04:00:01Z").notifications == 0)
    },

    ConformanceCheck("a notification that expired during a snooze does not come back") {
      let alert = try $0.notifiedAlert()
      _ = try $0.act(.dismiss, on: alert)
      let restored = try $0.act(.restore, on: alert, at: "2026-03-02T07:00:00Z")
      #expect(restored.alert.dismissedAt == nil)
      #expect(restored.notifications == 0)
      #expect(try $0.states() == ["cancelled dismissed"])
    },

    ConformanceCheck("a dismissal cancels what waits and leaves what was sent") {
      let alert = try $0.notifiedAlert(channels: .push, .inApp)
      try $0.execute("UPDATE notification_queue SET status = 'sent' WHERE channel = 'in_app'")
      let dismissed = try $0.act(.dismiss, on: alert)
      #expect(dismissed.alert.dismissedAt == dismissed.action.at)
      #expect(dismissed.notifications == 1)
      #expect(try $0.states() == ["cancelled dismissed", "sent quiet_hours"])
      let again = try $0.act(.dismiss, on: alert, at: "2026-03-01T05:00:00Z")
      #expect(again.alert.dismissedAt == dismissed.action.at)
      #expect(again.notifications == 0)
    },

    ConformanceCheck("an acknowledgement answers open escalations, and only those") {
      try $0.addFamily(1, 2)
      let alert = try $0.notifiedAlert(to: 2)
      let other = try $0.notifiedAlert(3, to: 3)
      #expect(try $0.escalations() == ["pending", "pending"])
      let acknowledged = try $0.act(.acknowledge, on: alert, by: 2)
      #expect(acknowledged.escalations == 1)
      #expect(acknowledged.notifications == 0)
      #expect(acknowledged.alert.acknowledgedBy == person(2))
      #expect(acknowledged.alert.acknowledgedAt == acknowledged.action.at)
      #expect(Set(try $0.escalations()) == ["acknowledged", "pending"])
      #expect(try $0.states(of: alert) == ["pending quiet_hours"])
      // Who says it first is kept.
      let again = try $0.act(.acknowledge, on: alert, by: 1, at: "2026-03-01T05:00:00Z")
      #expect(again.alert.acknowledgedBy == person(2))
      #expect(again.escalations == 0)
      let others = try $0.storage.alertStates(matching: AlertFilter(id: UUIDPrefix(other.id)))
      #expect(others.map(\.acknowledgedAt) == [nil])
    },

    ConformanceCheck("a dismissal ends open escalations") {
      try $0.addFamily(1, 2)
      let alert = try $0.notifiedAlert(to: 2)
      #expect(try $0.act(.dismiss, on: alert, by: 2).escalations == 1)
      #expect(try $0.escalations() == ["resolved"])
    },

    ConformanceCheck("a group is sent while one of its alerts is neither snoozed nor dismissed") {
      let alerts = try $0.notifiedGroup()
      #expect(try $0.groupState() == ["pending quiet_hours"])
      #expect(try $0.act(.dismiss, on: alerts[0]).notifications == 0)
      #expect(try $0.groupState() == ["pending quiet_hours"])
      let until = try day("2026-03-12")
      #expect(
        try $0.act(.snooze(until: until), on: alerts[1], at: "2026-03-01T04:00:00Z").notifications
          == 1)
      #expect(try $0.groupState() == ["cancelled snoozed"])
      #expect(
        try $0.act(.restore, on: alerts[0], at: "2026-03-01T05:00:00Z").notifications == 1)
      #expect(try $0.groupState() == ["pending quiet_hours"])
      #expect(try $0.states().filter { $0 == "skipped grouped" }.count == 2)
    },

    ConformanceCheck("on the day on which a snooze ends, notifications of its alert resume") {
      let alerts = try $0.notifiedGroup()
      _ = try $0.act(.snooze(until: try day("2026-03-02")), on: alerts[0])
      // That day has come.
      _ = try $0.act(.dismiss, on: alerts[1], at: "2026-03-02T05:00:00Z")
      #expect(try $0.groupState() == ["pending quiet_hours"])
    },

    ConformanceCheck("actions are recorded once, in order of time") {
      try $0.addFamily(1, 2)
      let alert = try $0.notifiedAlert()
      let until = try day("2026-03-12")
      for _ in 1...2 { _ = try $0.act(.snooze(until: until), on: alert) }
      _ = try $0.act(.acknowledge, on: alert, by: 2, at: "2026-03-01T02:59:59Z")
      _ = try $0.act(.restore, on: alert, at: "2026-03-01T04:00:00Z")
      let actions = try $0.storage.actions(on: alert.id)
      #expect(actions.map(\.kind) == [.acknowledge, .snooze(until: until), .restore])
      #expect(actions.map(\.actor) == [person(2), person(1), person(1)])
      #expect(actions[1].at == (try time("2026-03-01T03:00:00Z")))
      #expect(try $0.storage.actions(on: UUID(name: "another")).isEmpty)
    },

    ConformanceCheck("who is not of the family, or has not accepted, is refused") { fixture in
      try fixture.addFamily(1, 2)
      try fixture.addPersons(3, 4)
      try fixture.add(
        .familyMembers, ["family_id", "user_id", "role", "invite_status"],
        [
          [
            .uuid(UUID(name: "family")), .uuid(person(4)), .text("admin"), .text("pending"),
          ]
        ])
      let alert = try fixture.notifiedAlert()
      for number in [3, 4] {
        expectStorageError(.permissionDenied) {
          _ = try fixture.act(.dismiss, on: alert, by: number)
        }
      }
      expectStorageError(.notFound) { _ = try fixture.act(.dismiss, on: alert, by: 9) }
      expectStorageError(.notFound) { _ = try fixture.act(.dismiss, on: try alertState(2)) }
      #expect(try fixture.count("alert_actions") == 0)
      #expect(try fixture.states() == ["pending quiet_hours"])
      #expect(try fixture.act(.dismiss, on: alert, by: 2).notifications == 1)
    },

    ConformanceCheck("about an alert that is over nothing can be said") { fixture in
      try fixture.addPersons(1)
      let over = try alertState(1, resolvedOn: "2026-02-11")
      _ = try fixture.write([over])
      for kind in [AlertAction.Kind.acknowledge, .snooze(until: try day("2026-03-12")), .restore] {
        expectStorageError(.ended) { _ = try fixture.act(kind, on: over) }
      }
      #expect(try fixture.count("alert_actions") == 0)
    },
  ]
}

extension StorageFixture {
  /// Persons who have accepted to be of one family, the first of them as its administrator.
  func addFamily(_ numbers: Int...) throws {
    for number in numbers { try addPersons(number) }
    try add(
      .familyMembers, ["family_id", "user_id", "role", "invite_status"],
      numbers.map {
        [
          .uuid(UUID(name: "family")), .uuid(person($0)),
          .text($0 == numbers[0] ? "admin" : "member"), .text("accepted"),
        ]
      })
  }

  /// An alert of which notifications wait in the queue until the morning of 2026-03-01.
  ///
  /// - Parameter recipient: The recipient; the person where it is nil.
  func notifiedAlert(
    _ number: Int = 1, to recipient: Int? = nil,
    channels: PlannedNotification.Channel...
  ) throws -> PatternAlertState {
    try addPersons(number)
    let alert = try alertState(number)
    let channels = channels.isEmpty ? [.push] : channels
    #expect(
      try release(
        [alert],
        try channels.map { try notification(about: alert, to: recipient ?? number, channel: $0) })
        == channels.count)
    return alert
  }

  /// Two alerts of one person and the notification that groups theirs; all three are in the queue.
  func notifiedGroup() throws -> [PatternAlertState] {
    try addPersons(1)
    let alerts = try ["steps", "hrv_ms"].map { try alertState(1, metric: $0) }
    let notifications = try alerts.map { alert in
      var notification = try notification(about: alert, to: 1)
      notification.groupNight = try day("2026-02-28")
      return notification
    }
    #expect(try release(alerts, notifications) == 3)
    return alerts
  }

  func act(
    _ kind: AlertAction.Kind, on alert: PatternAlertState, by actor: Int = 1,
    at instant: String = "2026-03-01T03:00:00Z"
  ) throws -> AlertActionOutcome {
    try storage.carryOut(
      AlertAction(kind, alert: alert.id, by: person(actor), at: try time(instant)))
  }

  /// Status and reason of the queue's rows.
  ///
  /// - Parameter alert: Of which alert; nil for all.
  func states(of alert: PatternAlertState? = nil) throws -> [String?] {
    let condition = alert.map { "WHERE alert_state_id = '\($0.id.lowercased)'" } ?? ""
    return try strings(
      "SELECT status || ' ' || coalesce(status_reason, '') FROM notification_queue \(condition)"
        + " ORDER BY 1")
  }

  fileprivate func groupState() throws -> [String?] {
    try strings(
      """
      SELECT status || ' ' || coalesce(status_reason, '') FROM notification_queue
      WHERE notification_type = 'pattern_alert_group'
      """)
  }

  /// The status of every escalation.
  func escalations() throws -> [String?] {
    try strings("SELECT status FROM escalation_log ORDER BY id")
  }
}
