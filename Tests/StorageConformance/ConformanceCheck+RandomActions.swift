import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Random actions of several members on the alerts of one group, two of which are one event.
  static let randomActions = (1...4).map { seed in
    ConformanceCheck("random actions leave the queue as a model of them does (seed \(seed))") {
      fixture in
      try fixture.addFamily(1, 2)
      try fixture.addPersons(3)
      let alerts = try fixture.groupOfEvents()
      var model = QueueModel(events: [[0, 1], [2], [3]])
      var generator = SeededGenerator(seed: seed)
      var now = try time("2026-03-01T03:00:00Z")
      for step in 1...25 {
        now = now.adding(seconds: Int64.random(in: 1...900, using: &generator))
        let place = Int.random(in: 0..<alerts.count, using: &generator)
        let kind: AlertAction.Kind =
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: .acknowledge
          case 1: .snooze(until: now.utcDay + Int.random(in: 1...3, using: &generator))
          case 2: .dismiss
          default: .restore
          }
        let alert = alerts[place]
        let actor = alert.series.user == person(3) ? 3 : Int.random(in: 1...2, using: &generator)
        _ = try fixture.storage.carryOut(
          AlertAction(kind, alert: alert.id, by: person(actor), at: now))
        model.apply(kind, to: place)
        let found = try fixture.queueByAlert(alerts)
        #expect(found == model.states, "step \(step): \(kind.word) of \(place)")
      }
      #expect(try fixture.count("alert_actions") == 25)
    }
  }
}

/// The waiting rows: one of each event by itself, and a group of all of them.
private struct QueueModel {
  let events: [[Int]]
  private(set) var states: [String]
  private var isQuiet: [Bool]

  init(events: [[Int]]) {
    self.events = events
    states = Array(repeating: "pending", count: events.count + 1)
    isQuiet = Array(repeating: false, count: events.count)
  }

  mutating func apply(_ kind: AlertAction.Kind, to alert: Int) {
    guard let event = events.firstIndex(where: { $0.contains(alert) }) else { return }
    let group = events.count
    switch kind {
    case .acknowledge: break
    case .snooze, .dismiss:
      let reason = kind == .dismiss ? "dismissed" : "snoozed"
      isQuiet[event] = true
      if states[event] == "pending" { states[event] = reason }
      if states[group] == "pending", !isQuiet.contains(false) { states[group] = reason }
    case .restore:
      isQuiet[event] = false
      states[event] = "pending"
      states[group] = "pending"
    }
  }
}

extension StorageFixture {
  /// The first two alerts are one event of the person 1, the third is another of theirs, and the last is of person 3.
  ///
  /// The recipient 1 has a row about the first alert of each event on one channel, and a group of them on another.
  fileprivate func groupOfEvents() throws -> [PatternAlertState] {
    var alerts = try ["hrv_ms", "steps", "sleep_minutes"].map { try alertState(1, metric: $0) }
    alerts[1].eventID = alerts[0].id
    alerts.append(try alertState(3))
    let starts = [alerts[0], alerts[2], alerts[3]]
    let single = try starts.map { try notification(about: $0, to: 1, channel: .email) }
    let grouped = try starts.map { alert in
      var row = try notification(about: alert, to: 1)
      row.groupNight = try day("2026-02-28")
      return row
    }
    #expect(try release(alerts, single + grouped) == 7)
    return alerts
  }

  /// The states of the rows of `groupOfEvents`, the group's last.
  fileprivate func queueByAlert(_ alerts: [PatternAlertState]) throws -> [String] {
    let state = "CASE status WHEN 'pending' THEN 'pending' ELSE status_reason END"
    let single = try [0, 2, 3].flatMap { place in
      try strings(
        """
        SELECT \(state) FROM notification_queue
        WHERE channel = 'email' AND alert_state_id = '\(alerts[place].id.lowercased)'
        """)
    }
    let group = try strings(
      "SELECT \(state) FROM notification_queue WHERE notification_type = 'pattern_alert_group'")
    return (single + group).compactMap(\.self)
  }
}
