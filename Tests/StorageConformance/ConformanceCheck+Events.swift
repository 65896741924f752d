import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Several alerts that are one event.
  static let events = [
    ConformanceCheck("the event of an alert is read as it was written, by person and by id") {
      let (start, joined) = try $0.event()
      _ = try $0.write([start, joined])
      let states = try $0.storage.alertStates(matching: AlertFilter())
      #expect(Set(states.map(\.eventID)) == [start.id])
      #expect(states.filter(\.startsEvent).map(\.id) == [start.id])
      let reader = try $0.storage.makeReader()
      let found = try reader.alertStates(withIDs: [joined.id, UUID(name: "another")])
      #expect(found.map(\.id) == [joined.id])
      #expect(try reader.alertStates(withIDs: []).isEmpty)
    },

    ConformanceCheck("an alert that comes into another event takes over what members have set") {
      var (start, joined) = try $0.event()
      joined.eventID = joined.id
      _ = try $0.write([start, joined])
      _ = try $0.act(.snooze(until: try day("2026-03-12")), on: joined)
      _ = try $0.act(.dismiss, on: start)
      let dismissed = try #require(
        try $0.storage.alertStates(matching: AlertFilter(id: UUIDPrefix(start.id))).first)
      // What a run has read before the actions does not undo them.
      _ = try $0.write([start])
      let kept = try $0.storage.alertStates(matching: AlertFilter(id: UUIDPrefix(start.id)))
      #expect(kept.map(\.dismissedAt) == [dismissed.dismissedAt])
      joined.eventID = start.id
      joined.dismissedAt = dismissed.dismissedAt
      _ = try $0.write([joined])
      let taken = try $0.storage.alertStates(matching: AlertFilter(id: UUIDPrefix(joined.id)))
      #expect(taken.map(\.dismissedAt) == [dismissed.dismissedAt])
      #expect(taken.map(\.snoozeUntil) == [nil])
    },

    ConformanceCheck("notifications and escalations of an event end with its last alert") {
      try $0.addFamily(1, 2)
      var (start, joined) = try $0.event(resolvedOn: "2026-02-10")
      let run = try $0.hold([start, joined], [try notification(about: start, to: 2)])
      _ = try $0.end(run, .succeeded, rateLimit: .count(1))
      #expect(try $0.states() == ["pending quiet_hours"])
      #expect(try $0.escalations() == ["pending"])

      joined.episode.resolution = .init(day: try day("2026-02-11"), reason: .recovered)
      joined.episode.lastEvaluated = try day("2026-02-11")
      let next = try $0.hold([joined], [], named: "the next night")
      _ = try $0.end(next, .succeeded, rateLimit: .count(1))
      #expect(try $0.states() == ["cancelled resolved"])
      #expect(try $0.escalations() == ["resolved"])
    },

    ConformanceCheck("going live counts the level of an event, not only that of its start") {
      let (start, joined) = try $0.event(resolvedOn: "2026-02-10", joinedLevel: .day14)
      try $0.addPersons(2)
      _ = try $0.write([start, joined, alertState(2)])
      let storage = $0.storage
      let now = try time("2026-03-05T00:00:00Z")
      #expect(try storage.withRuns { try $0.goLive(at: now) } == 3)
      #expect(try storage.withRuns { try $0.goLive(at: now) } == 0)
      let levels = try storage.alertStates(matching: AlertFilter(users: [person(1)]))
      #expect(levels.map(\.lastNotifiedLevel) == [.day14, .day14])
    },

    ConformanceCheck("what a member sets is set for all alerts of the event") {
      try $0.addFamily(1, 2)
      let (start, joined) = try $0.event(resolvedOn: "2026-02-10")
      let run = try $0.hold([start, joined], [try notification(about: start, to: 2)])
      _ = try $0.end(run, .succeeded, rateLimit: .count(1))
      let storage = $0.storage
      func all<Value>(_ value: (PatternAlertState) -> Value) throws -> [Value] {
        try storage.alertStates(matching: AlertFilter()).map(value)
      }
      let until = try day("2026-03-12")
      let snoozed = try $0.act(.snooze(until: until), on: joined)
      #expect(snoozed.notifications == 1)
      #expect(snoozed.otherAlerts == 1)
      #expect(try $0.states() == ["cancelled snoozed"])
      #expect(try all(\.snoozeUntil) == [until, until])
      // Its own alert has ended; its event has not.
      let restored = try $0.act(.restore, on: start, at: "2026-03-01T04:00:00Z")
      #expect(restored.notifications == 1)
      #expect(try all(\.snoozeUntil) == [nil, nil])
      let known = try $0.act(.acknowledge, on: joined, by: 2, at: "2026-03-01T04:30:00Z")
      #expect(known.escalations == 1)
      #expect(try all(\.acknowledgedBy) == [person(2), person(2)])
      let dismissed = try $0.act(.dismiss, on: joined, at: "2026-03-01T05:00:00Z")
      #expect(dismissed.notifications == 1)
      #expect(try all { $0.dismissedAt != nil } == [true, true])
      for alert in [start, joined] {
        #expect(try storage.actions(on: alert.id).count == 4)
      }
    },

    ConformanceCheck("no action is possible on an event that has ended") { fixture in
      let (start, joined) = try fixture.event(
        resolvedOn: "2026-02-10", joinedResolvedOn: "2026-02-11")
      _ = try fixture.write([start, joined])
      for alert in [start, joined] {
        _ = expectStorageError(.ended) { _ = try fixture.act(.dismiss, on: alert) }
      }
      #expect(try fixture.count("alert_actions") == 0)
    },
  ]
}

extension StorageFixture {
  /// Two alerts of the person 1, of which the first started the event; neither is written.
  fileprivate func event(
    resolvedOn: String? = nil, joinedResolvedOn: String? = nil, joinedLevel: AlertLevel = .day7
  ) throws -> (start: PatternAlertState, joined: PatternAlertState) {
    if try count("users") == 0 { try addPersons(1) }
    let start = try alertState(1, metric: "hrv_ms", resolvedOn: resolvedOn)
    var joined = try alertState(1, level: joinedLevel, resolvedOn: joinedResolvedOn)
    joined.eventID = start.id
    return (start, joined)
  }

  /// A live run that has written the alerts of one person, with their notifications.
  fileprivate func hold(
    _ states: [PatternAlertState], _ notifications: [PlannedNotification],
    named name: String = "live"
  ) throws -> RunRecord {
    var work = try workOf(name, mode: .live)
    if name != "live" { work.engineVersion = name }
    let run = try begin(work)
    _ = try storage.write(
      BatchWrite(
        alertStates: states, notifications: notifications, queue: .live, runID: run.id,
        writtenAt: startOfShard(1, of: run), checkpoint: sampleCheckpoint(11, 11)))
    return run
  }
}
