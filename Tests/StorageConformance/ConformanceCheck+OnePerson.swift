import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Evaluations of single persons, and the nights that settle them.
  static let onePerson = [
    ConformanceCheck("one evaluation of a person at a time has the lock") { fixture in
      try fixture.addPersons(1, 2)
      var lock: (any PersonLock)? = try fixture.storage.acquirePersonLock(for: person(1))
      for storage in [fixture.storage, try fixture.reopened()] {
        let error = #expect(throws: StorageError.self) {
          _ = try storage.acquirePersonLock(for: person(1))
        }
        #expect(error?.code == .locked)
        #expect(error?.description.contains(person(1).lowercased) == false)
        withExtendedLifetime(try storage.acquirePersonLock(for: person(2))) {}
        // A night does not wait for it.
        withExtendedLifetime(try storage.acquireRunLock(for: runID)) {}
      }
      withExtendedLifetime(lock) { lock = nil }
      withExtendedLifetime(try fixture.reopened().acquirePersonLock(for: person(1))) {}
    },

    ConformanceCheck("an alert of an evaluation is provisional with what the night before left") {
      fixture in
      try fixture.addPersons(1, 2)
      let known = withEvidence(try alertState(1))
      _ = try fixture.write([known, try alertState(2)])
      var changed = known
      changed.episode.level = .day14
      let added = try alertState(1, metric: "hrv_ms")
      let bases = [known.id: known]
      #expect(try !fixture.evaluate([changed, added], bases: bases).isOvertaken)
      let marks = try fixture.marks()
      #expect(
        marks.map(\.row.id) == [changed.id, added.id].sorted { $0.lowercased < $1.lowercased })
      #expect(Set(marks.map(\.row)) == [changed, added])
      #expect(marks.map(\.revision) == [1, 1])
      // Every column of the row comes back as it was.
      #expect(marks.compactMap(\.confirmed) == [known])

      // An evaluation keeps what the night left, however often it changes the alert.
      changed.episode.level = .day21
      #expect(try !fixture.evaluate([changed, added], bases: bases).isOvertaken)
      #expect(try fixture.marks().map(\.revision) == [2, 2])
      #expect(try fixture.marks().compactMap(\.confirmed) == [known])
      let run = try #require(try fixture.storage.runs(limit: 5).first { $0.kind == .person })
      #expect(run.counts.persons == 2)
    },

    ConformanceCheck("a batch of a night is written only with the marks that it has seen") {
      fixture in
      try fixture.addPersons(1)
      let state = try alertState(1)
      #expect(try !fixture.evaluate([state], bases: [:]).isOvertaken)
      let seen = try fixture.marks()
      #expect(try fixture.settle([state], seen: []).isOvertaken)
      #expect(try !fixture.evaluate([state], bases: [:]).isOvertaken)
      #expect(try fixture.settle([state], seen: seen).isOvertaken)
      #expect(try fixture.marks().count == 1)
      #expect(try !fixture.settle([state], seen: fixture.marks()).isOvertaken)
      #expect(try fixture.marks() == [])
      #expect(
        try fixture.storage.outboxEvents(after: 0, limit: 10).map(\.kind)
          == [.provisional, .provisional, .confirmed])
      // Nor is an evaluation that has seen other alerts than there are.
      #expect(try fixture.evaluate([state], bases: [:], before: []).isOvertaken)
    },

    ConformanceCheck("events of a night are of alerts without an evaluation of their own") {
      fixture in
      try fixture.addPersons(1)
      let (evaluated, found) = (try alertState(1), try alertState(1, metric: "hrv_ms"))
      #expect(try !fixture.evaluate([evaluated], bases: [:]).isOvertaken)
      #expect(
        try !fixture.settle(
          [evaluated, found], seen: fixture.marks(),
          events: [evaluated.id: .opened, found.id: .opened]
        ).isOvertaken)
      let events = try fixture.storage.outboxEvents(after: 0, limit: 10)
      #expect(events.map(\.kind) == [.provisional, .confirmed, .opened])
      #expect(events.map(\.alert) == [evaluated.id, evaluated.id, found.id])
      #expect(events.map(\.person) == [person(1), person(1), person(1)])
    },

    ConformanceCheck("events are listed in their order, and pruned by their age") { fixture in
      try fixture.addPersons(1, 2)
      #expect(
        try !fixture.evaluate([try alertState(1), try alertState(1, metric: "hrv_ms")], bases: [:])
          .isOvertaken)
      let events = try fixture.storage.outboxEvents(after: 0, limit: 10)
      #expect(events.map(\.person) == [person(1), person(1)])
      #expect(Set(events.map(\.alert)).count == 2)
      #expect(try fixture.storage.outboxEvents(after: events[0].id, limit: 10) == [events[1]])
      #expect(try fixture.storage.outboxEvents(after: 0, limit: 1) == [events[0]])
      let (early, late) = (try time("2026-03-01T02:00:00Z"), try time("2026-03-01T02:00:01Z"))
      #expect(try fixture.storage.prunableRows(endedBefore: early, at: late).events == 0)
      #expect(try fixture.storage.prunableRows(endedBefore: late, at: late).events == 2)
      #expect(try fixture.storage.pruneQueues(endedBefore: late, at: late).events == 2)
      #expect(try fixture.storage.outboxEvents(after: 0, limit: 10) == [])
    },
  ]
}

extension StorageFixture {
  fileprivate func marks() throws -> [ProvisionalAlert] {
    try storage.makeReader().provisionalAlerts(of: [person(1), person(2)])
  }

  /// Writes an evaluation of person 1.
  fileprivate func evaluate(
    _ states: [PatternAlertState], bases: [UUID: PatternAlertState],
    before: [PatternAlertState]? = nil
  ) throws -> BatchWriteResult {
    let now = try time("2026-03-01T02:00:00Z")
    var record = RunRecord(
      id: runID, kind: .person, days: try day("2026-02-10")...day("2026-02-10"), mode: .shadow,
      selection: runID, thresholds: sampleProfile, parts: [.patterns], vitality: nil,
      engineVersion: "test", host: "test", startedAt: now, finishedAt: now, status: .succeeded)
    record.counts.persons = 1
    let present = try storage.alertStates(matching: AlertFilter(users: [person(1)]))
    return try storage.write(
      BatchWrite(
        alertStates: states, notifications: [], queue: .shadow, runID: runID, writtenAt: now,
        settlement: Settlement(
          persons: [person(1)], profile: sampleProfile, provisional: marks(),
          evaluation: PersonEvaluation(
            person: person(1), record: record, alertsBefore: before ?? present, bases: bases,
            rateLimit: .standard))))
  }

  /// Writes a batch of a night.
  fileprivate func settle(
    _ states: [PatternAlertState], seen marks: [ProvisionalAlert],
    events: [UUID: OutboxEvent.Kind] = [:]
  ) throws -> BatchWriteResult {
    try storage.write(
      BatchWrite(
        alertStates: states, notifications: [], queue: .shadow, runID: runID,
        writtenAt: time("2026-03-01T02:00:00Z"), events: events,
        settlement: Settlement(
          persons: [person(1)], profile: sampleProfile, provisional: marks)))
  }
}
