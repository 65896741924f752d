import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// The notifications that live runs plan, and the decisions about them.
  static let holding = [
    ConformanceCheck("what a live run plans goes out when it ends, at once and once") {
      let (run, states) = try $0.liveRun(of: 3)
      #expect(try $0.count("notification_queue") == 0)
      #expect(try $0.storage.run(id: run.id)?.counts.notificationsEnqueued == 0)
      let ended = try $0.end(run, .succeeded, rateLimit: .count(3))
      #expect(ended.status == .succeeded)
      #expect(ended.counts.notificationsEnqueued == 3)
      #expect(ended.counts.notificationsHeld == 0)
      #expect(try $0.count("notification_queue") == 3)
      let notified = try $0.storage.alertStates(matching: AlertFilter())
      #expect(notified.map(\.lastNotifiedLevel) == states.map(\.episode.level))
      #expect(
        notified.allSatisfy { $0.lastNotifiedAt?.description == "2026-03-01T02:05:00.000000Z" })
      #expect(notified.allSatisfy { $0.shadowNotifiedLevel == nil })
      // Nothing is left for a second time.
      #expect(try $0.end(run, .succeeded, rateLimit: .count(0)).counts.notificationsEnqueued == 3)
      #expect(try $0.count("notification_queue") == 3)
    },

    ConformanceCheck("what was due while it was held can be given another time") {
      let (run, _) = try $0.liveRun(of: 2)
      _ = try $0.end(run, .succeeded, rateLimit: .count(0))
      let storage = $0.storage
      let now = try time("2026-03-01T09:00:00Z")
      let overdue = try storage.withRuns { try $0.overdue(of: run.id, at: now) }
      #expect(overdue.map(\.recipient) == [person(1), person(2)])
      #expect(overdue.allSatisfy { $0.channel == .push && $0.priority == .high })
      #expect(
        try storage.withRuns { try $0.overdue(of: run.id, at: time("2026-03-01T07:00:00Z")) }
          .isEmpty)
      try storage.withRuns { runs in
        try runs.reschedule(
          overdue[0], of: run.id, for: time("2026-03-01T09:30:00Z"),
          until: time("2026-03-02T09:30:00Z"), because: nil)
      }
      _ = try $0.decide(.release, run)
      let times = try $0.strings(
        """
        SELECT CAST(count(*) AS TEXT) FROM notification_queue
        WHERE scheduled_for = '2026-03-01T09:30:00.000000Z'
          AND expires_at = '2026-03-02T09:30:00.000000Z'
          AND member_user_id = '\(person(1).lowercased)'
        OR scheduled_for = '2026-03-01T07:00:00.000000Z'
          AND expires_at = '2026-03-02T07:00:00.000000Z'
          AND member_user_id = '\(person(2).lowercased)'
        """)
      #expect(times == ["2"])
    },

    ConformanceCheck("a run that would send too much sends nothing and asks") {
      let (run, _) = try $0.liveRun(of: 3)
      let held = try $0.end(run, .succeeded, rateLimit: .count(2))
      #expect(held.status == .held)
      #expect(held.counts.notificationsHeld == 3)
      #expect(held.counts.notificationsEnqueued == 0)
      #expect(
        held.error
          == "notifications about 3 persons are held back, more than the 2 that the rate limit allows"
      )
      #expect(try $0.count("notification_queue") == 0)
      let states = try $0.storage.alertStates(matching: AlertFilter())
      #expect(states.count == 3)
      #expect(states.allSatisfy { $0.lastNotifiedLevel == nil })
      // The same command with another limit lets it go.
      let again = try $0.begin(workOf("again", mode: .live))
      #expect(again.id == run.id)
      #expect(try $0.end(again, .succeeded, rateLimit: .count(3)).status == .succeeded)
      #expect(try $0.count("notification_queue") == 3)
    },

    ConformanceCheck("the rate limit counts persons, however many hear of each") { fixture in
      let (run, states) = try fixture.liveRun(of: 2)
      let more = try (20..<26).map { number in
        try fixture.addPersons(number)
        return try notification(about: states[0], to: number)
      }
      let texts = try more.map {
        try notification(about: states[0], to: $0.recipient, channel: .sms)
      }
      _ = try fixture.storage.write(
        BatchWrite(
          alertStates: [], notifications: more + texts, queue: .live, runID: run.id,
          writtenAt: fixture.startOfShard(1, of: run), checkpoint: sampleCheckpoint(13, 14)))
      let held = try fixture.end(run, .succeeded, rateLimit: .count(1))
      #expect(
        held.error
          == "notifications about 2 persons are held back, more than the 1 that the rate limit allows"
      )
      let again = try fixture.begin(workOf("again", mode: .live))
      #expect(
        try fixture.end(again, .succeeded, rateLimit: .count(2)).counts.notificationsEnqueued == 14)
    },

    ConformanceCheck("a shard answers for its own persons, and waits again for a decision") {
      let run = try $0.begin(workOf("a", shards: 2, mode: .live), shard: 1)
      _ = try $0.begin(workOf("b", shards: 2, mode: .live), shard: 2)
      try $0.hold(of: run, shard: 1, persons: 1, 2)
      try $0.hold(of: run, shard: 2, persons: 3, 4, 5)
      let first = try $0.end(run, shard: 1, .succeeded, rateLimit: .count(2))
      #expect(first.counts.notificationsEnqueued == 2)
      #expect(first.counts.notificationsHeld == 3)
      let second = try $0.end(run, shard: 2, .succeeded, rateLimit: .count(2))
      #expect(second.status == .held)
      #expect(
        second.error?.hasPrefix("shard 2/2: notifications about 3 persons are held back") == true)
      // The same commands again stay with the run, and do not get round the rate limit.
      for _ in 1...2 {
        for (index, name) in [(1, "c"), (2, "d")] {
          #expect(try $0.begin(workOf(name, shards: 2, mode: .live), shard: index).id == run.id)
          let again = try $0.end(run, shard: index, .succeeded, rateLimit: .count(2))
          #expect(again.status == .held)
        }
      }
      #expect(try $0.count("notification_queue") == 2)
      #expect(try $0.decide(.release, run).status == .succeeded)
      #expect(try $0.count("notification_queue") == 5)
    },

    ConformanceCheck("a run that failed notifies of nothing, and its continuation does") {
      let (run, _) = try $0.liveRun(of: 2)
      let failed = try $0.end(run, .failed, error: "the disk is full", rateLimit: .count(2))
      #expect(failed.status == .failed)
      #expect(failed.error == "the disk is full")
      #expect(failed.counts.notificationsHeld == 2)
      #expect(try $0.count("notification_queue") == 0)
      let again = try $0.begin(workOf("again", mode: .live))
      #expect(again.id == run.id)
      #expect(try $0.end(again, .succeeded, rateLimit: .count(2)).counts.notificationsEnqueued == 2)
    },

    ConformanceCheck("a process whose shard was taken over records nothing") { fixture in
      let (run, _) = try fixture.liveRun(of: 2)
      let lost = try #require(
        try fixture.storage.withRuns { try $0.shards(of: run.id).first })
      _ = try fixture.begin(workOf("successor", mode: .live))
      for status in [ShardRecord.Status.failed, .succeeded] {
        var ending = lost
        ending.status = status
        let (storage, ended) = (fixture.storage, ending)
        expectStorageError(.locked) {
          _ = try storage.withRuns { runs in
            try runs.end(ended, rateLimit: .count(9), at: time("2026-03-01T02:05:00Z"))
          }
        }
      }
      #expect(try fixture.storage.run(id: run.id)?.status == .running)
      #expect(try fixture.count("notification_queue") == 0)
    },

    ConformanceCheck("a recipient is called upon for a pattern, missed doses or silence") {
      try $0.addPersons(1, 2)
      let silences = try ["inactivity", "check_in_overdue"].map {
        try alertState(1, metric: $0, pattern: .silence)
      }
      let states =
        try ["steps", "dose_adherence_pct"].map { try alertState(1, metric: $0) } + silences
      let notified = try states.flatMap { state in
        try [1, 2].map { try notification(about: state, to: $0) }
      }
      #expect(try $0.release(states, notified) == 8)
      #expect(
        try $0.strings(
          "SELECT escalation_type || ' ' || status FROM escalation_log ORDER BY escalation_type")
          == [
            "inactivity pending", "inactivity pending", "missed_dose pending",
            "pattern_anomaly pending",
          ].flatMap { [$0, $0] })
      let caregivers = try $0.strings("SELECT CAST(caregiver_id AS TEXT) FROM escalation_log")
      #expect(Set(caregivers) == [person(1).lowercased, person(2).lowercased])
    },

    ConformanceCheck("of several levels of an alert the highest goes out") {
      let (run, states) = try $0.liveRun(of: 1)
      var lower = states[0]
      lower.episode.level = .day3
      _ = try $0.storage.write(
        BatchWrite(
          alertStates: [], notifications: [notification(about: lower, to: person(1))],
          queue: .live, runID: run.id, writtenAt: run.startedAt))
      #expect(try $0.end(run, .succeeded, rateLimit: .count(9)).counts.notificationsEnqueued == 1)
      #expect(
        try $0.strings(
          "SELECT template_id || ' ' || status || ' ' || coalesce(status_reason, '')"
            + " FROM notification_queue ORDER BY template_id")
          == [
            "pattern_alert.level_3 skipped superseded", "pattern_alert.level_7 pending quiet_hours",
          ])
      #expect(
        try $0.strings(
          "SELECT CAST(level AS TEXT) || outcome FROM held_notifications ORDER BY level")
          == ["3superseded", "7released"])
    },

    ConformanceCheck("only notifications that are still current are released") {
      let (run, _) = try $0.liveRun(of: 6)
      _ = try $0.end(run, .succeeded, rateLimit: .count(0))
      func update(_ number: Int, _ assignments: String) -> String {
        """
        UPDATE pattern_alert_state SET \(assignments)
        WHERE user_id = '\(person(number).lowercased)'
        """
      }
      try $0.execute(
        update(
          1,
          "episode_status = 'resolved', resolved_on = '2026-03-01', resolution_reason = 'recovered'"
        ))
      try $0.execute(update(2, "dismissed_at = '2026-03-01T02:00:00.000000Z'"))
      try $0.execute(update(3, "snooze_until = '2026-03-01'"))
      try $0.execute(update(4, "last_notified_level = 7"))
      // Snoozed up to the evaluated day: over.
      try $0.execute(update(5, "snooze_until = '2026-02-28'"))
      let released = try $0.decide(.release, run)
      #expect(released.status == .succeeded)
      #expect(released.error == nil)
      #expect(released.counts.notificationsEnqueued == 2)
      #expect(released.counts.notificationsHeld == 0)
      let notified = try $0.strings(
        """
        SELECT CAST(member_user_id AS TEXT) FROM notification_queue WHERE status = 'pending'
        ORDER BY member_user_id
        """)
      #expect(notified == [person(5).lowercased, person(6).lowercased])
      #expect(
        try $0.strings("SELECT outcome FROM held_notifications ORDER BY member_user_id")
          == ["resolved", "dismissed", "snoozed", "repeated", "released", "released"])
      // The queue has the reason why the others were withheld.
      #expect(
        try $0.strings(
          """
          SELECT status || ' ' || status_reason FROM notification_queue WHERE status <> 'pending'
          ORDER BY member_user_id
          """) == ["skipped resolved", "skipped dismissed", "skipped snoozed"])
    },

    ConformanceCheck("discarded notifications are never sent, and their level counts as notified") {
      let (run, _) = try $0.liveRun(of: 2)
      _ = try $0.end(run, .succeeded, rateLimit: .count(0))
      let discarded = try $0.decide(.discard, run)
      #expect(discarded.status == .succeeded)
      #expect(discarded.counts.notificationsEnqueued == 0)
      #expect(discarded.counts.notificationsHeld == 0)
      #expect(try $0.count("notification_queue") == 0)
      let states = try $0.storage.alertStates(matching: AlertFilter())
      #expect(states.allSatisfy { $0.lastNotifiedLevel == .day7 && $0.lastNotifiedAt == nil })
      #expect(try $0.decide(.release, run).counts.notificationsEnqueued == 0)
    },

    ConformanceCheck("of two runs that hold the same notification, only one sends it") {
      let (old, states) = try $0.liveRun(of: 2)
      _ = try $0.end(old, .succeeded, rateLimit: .count(0))
      var work = try workOf("new", mode: .live)
      work.days = work.days.lowerBound...(work.days.upperBound + 1)
      let new = try $0.begin(work)
      try $0.hold(states, of: new, shard: 1, isKnown: true)
      #expect(try $0.end(new, .succeeded, rateLimit: .count(2)).counts.notificationsEnqueued == 2)
      #expect(try $0.count("notification_queue") == 2)
      #expect(try $0.storage.run(id: old.id)?.counts.notificationsHeld == 0)
      let left = try $0.decide(.release, old)
      #expect(left.counts.notificationsEnqueued == 0)
      #expect(left.counts.notificationsHeld == 0)
      #expect(try $0.count("notification_queue") == 2)
    },

    ConformanceCheck("a notification is not sent again after the queue was emptied") {
      let (run, states) = try $0.liveRun(of: 2)
      _ = try $0.end(run, .succeeded, rateLimit: .count(2))
      try $0.execute("DELETE FROM notification_queue")
      var work = try workOf("new", mode: .live)
      work.kind = .run
      let new = try $0.begin(work)
      try $0.hold(states, of: new, shard: 1, isKnown: true)
      #expect(try $0.end(new, .succeeded, rateLimit: .count(2)).counts.notificationsEnqueued == 0)
      #expect(try $0.count("notification_queue") == 0)
    },

    ConformanceCheck("a decision about a run that is not there is refused") {
      let storage = $0.storage
      expectStorageError(.notFound) {
        _ = try storage.withRuns { runs in
          try runs.decide(.release, run: UUID(name: "unknown"), at: time("2026-03-01T02:00:00Z"))
        }
      }
    },

    ConformanceCheck("going live makes running episodes count as notified, once") {
      try $0.addPersons(1, 2, 3)
      var notified = try alertState(3)
      notified.lastNotifiedLevel = .day7
      notified.lastNotifiedAt = try time("2026-02-08T03:04:05Z")
      _ = try $0.write([alertState(1), alertState(2, resolvedOn: "2026-02-11"), notified])
      let now = try time("2026-03-05T00:00:00Z")
      let storage = $0.storage
      #expect(try storage.withRuns { try $0.goLive(at: now) } == 1)
      #expect(try storage.withRuns { try $0.goLive(at: now) } == 0)
      let states = try $0.storage.alertStates(matching: AlertFilter())
      #expect(states.map(\.lastNotifiedLevel) == [.day7, nil, .day7])
      #expect(states.map(\.lastNotifiedAt) == [nil, nil, notified.lastNotifiedAt])
      #expect(states[0].updatedAt == now)
    },

    ConformanceCheck("going live takes back what runs hold") {
      let (run, _) = try $0.liveRun(of: 2)
      _ = try $0.end(run, .succeeded, rateLimit: .count(0))
      let storage = $0.storage
      let now = try time("2026-03-05T00:00:00Z")
      #expect(try storage.withRuns { try $0.goLive(at: now) } == 2)
      #expect(try storage.run(id: run.id)?.counts.notificationsHeld == 0)
      #expect(try $0.decide(.release, run).counts.notificationsEnqueued == 0)
    },

    ConformanceCheck("discarding does not wait for a snooze to end") {
      let (run, _) = try $0.liveRun(of: 1)
      _ = try $0.end(run, .succeeded, rateLimit: .count(0))
      try $0.execute("UPDATE pattern_alert_state SET snooze_until = '2026-03-20'")
      _ = try $0.decide(.discard, run)
      let states = try $0.storage.alertStates(matching: AlertFilter())
      #expect(states.map(\.lastNotifiedLevel) == [.day7])
    },
  ]
}

extension StorageFixture {
  /// A live run that has written a batch: for each of some persons an alert and a notification.
  func liveRun(
    of count: Int, firstPerson: Int = 1, named name: String = "live", since: String = "2026-02-01"
  ) throws -> (run: RunRecord, states: [PatternAlertState]) {
    var work = try workOf(name, mode: .live)
    if name != "live" { work.engineVersion = name }
    let run = try begin(work)
    let states = try (firstPerson..<firstPerson + count).map { number in
      try addPersons(number)
      return try alertState(number, since: since)
    }
    try hold(states, of: run, shard: 1)
    return (run, states)
  }

  func hold(of run: RunRecord, shard: Int, persons numbers: Int...) throws {
    for number in numbers { try addPersons(number) }
    try hold(try numbers.map { try alertState($0) }, of: run, shard: shard)
  }

  /// - Parameter isKnown: Whether the alerts are in the database as they are.
  func hold(
    _ states: [PatternAlertState], of run: RunRecord, shard: Int, isKnown: Bool = false
  ) throws {
    let notifications = try states.map { state in
      try notification(about: state, to: state.series.user)
    }
    _ = try storage.write(
      BatchWrite(
        alertStates: isKnown ? [] : states, notifications: notifications, queue: .live,
        runID: run.id, writtenAt: startOfShard(shard, of: run),
        checkpoint: sampleCheckpoint(shard * 10 + 1, shard * 10 + states.count, shard: shard)))
  }

  func decide(
    _ decision: HeldDecision, _ run: RunRecord
  ) throws -> RunRecord {
    let now = try time("2026-03-01T09:00:00Z")
    return try storage.withRuns { try $0.decide(decision, run: run.id, at: now) }
  }
}
