import Foundation
import Synchronization
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// The evaluation of one person between nights.
@Suite("One person now")
struct PersonOutcomeTests {
  private static let first = Day(ordinal: 20_000)
  private let person = UUID(name: "person now")
  private let other = UUID(name: "another person")

  /// Steps that fall by half on the last three of 44 days.
  private static let falling: SeriesNotation = "8000x40 4000x4"
  /// The day before: two nights before the last of these days.
  private static let night = first + 41
  private static let now = first + 43

  private func series(_ notation: SeriesNotation, of person: UUID? = nil) -> BatchDatabase.Series {
    var values: [Day: Double] = [:]
    for (index, value) in notation.values.enumerated() where !value.isNaN {
      values[Self.first + index] = value
    }
    return .init(person: person ?? self.person, metric: "steps", values: values)
  }

  /// A database after a night, in which steps have fallen since, and the same without an evaluation.
  private func databases(
    _ kind: DatabaseKind, mode: RunRecord.Mode = .shadow
  ) throws -> (BatchDatabase, alone: BatchDatabase, Thresholds) {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    try database.insert([series("8000x41"), series("8000x50", of: other)])
    try database.run(
      Self.night...Self.night, thresholds: thresholds, kind: .run, mode: mode)
    let alone = try database.copy()
    return (database, alone, thresholds)
  }

  @Test(
    "finds an alert at once, which the next night confirms", arguments: DatabaseKind.allCases,
    RunRecord.Mode.allCases)
  func confirms(kind: DatabaseKind, mode: RunRecord.Mode) throws {
    let (database, alone, thresholds) = try databases(kind, mode: mode)
    let queue: DeliveryQueue = mode == .live ? .live : .shadow
    try database.insert([series(Self.falling)])
    let outcome = try database.evaluate(person, on: Self.now, thresholds: thresholds, mode: mode)
    let alert = try #require(outcome.changed.first)
    #expect(outcome.changed.count == 1)
    #expect(alert.episode.isActive)
    // To the person, by two channels.
    #expect(outcome.enqueued == 2)
    #expect(try database.planned(queue).count == 2)
    #expect(
      try database.database.rows(
        "SELECT alert_state_id, revision, confirmed FROM provisional_alerts")
        == ["\(alert.id.lowercased)|1|"])
    #expect(try database.events() == [.provisional])
    #expect(try database.marks().count == 3)

    try alone.insert([series(Self.falling)])
    for database in [database, alone] {
      let run = try database.run(
        Self.now...Self.now, thresholds: thresholds, kind: .run, mode: mode)
      #expect(run.status == .succeeded)
    }
    try expectSame(database.alertStates(), alone.alertStates())
    #expect(try database.planned(queue) == alone.planned(queue))
    #expect(try database.marks() == [])
    #expect(try database.events() == [.provisional, .confirmed])
  }

  @Test(
    "is taken back by a night that does not find it", arguments: DatabaseKind.allCases,
    RunRecord.Mode.allCases)
  func retracts(kind: DatabaseKind, mode: RunRecord.Mode) throws {
    let (database, alone, thresholds) = try databases(kind, mode: mode)
    let queue: DeliveryQueue = mode == .live ? .live : .shadow
    try database.insert([series(Self.falling)])
    try database.evaluate(person, on: Self.now, thresholds: thresholds, mode: mode)
    for database in [database, alone] {
      try database.insert([series("8000x44")])
      try database.run(Self.now...Self.now, thresholds: thresholds, kind: .run, mode: mode)
    }
    #expect(try alone.alertStates() == [])
    let state = try #require(try database.storage.alertStates(matching: AlertFilter()).first)
    #expect(state.episode.resolution == .init(day: Self.now, reason: .retracted))
    #expect(state.lastNotifiedLevel == nil)
    #expect(state.shadowNotifiedLevel == nil)
    #expect(try database.planned(queue) == [])
    #expect(
      try database.database.rows("SELECT DISTINCT status, status_reason FROM \(queue.rawValue)")
        == ["skipped|resolved"])
    #expect(try database.database.count("escalation_log") == 0)
    #expect(try database.marks() == [])
    #expect(try database.events() == [.provisional, .retracted])

    // Found again, it is notified as if it were new.
    for database in [database, alone] {
      try database.insert([series("8000x40 4000x5")])
      try database.run(
        (Self.now + 1)...(Self.now + 1), thresholds: thresholds, kind: .run, mode: mode)
    }
    try expectSame(database.alertStates(), alone.alertStates())
    #expect(try database.planned(queue) == alone.planned(queue))
    #expect(try !alone.planned(queue).isEmpty)
  }

  @Test("changes nothing when it is repeated", arguments: DatabaseKind.allCases)
  func repeats(kind: DatabaseKind) throws {
    let (database, _, thresholds) = try databases(kind, mode: .live)
    try database.insert([series(Self.falling)])
    for count in 1...3 {
      let outcome = try database.evaluate(
        person, on: Self.now, thresholds: thresholds, mode: .live)
      #expect(outcome.enqueued == (count == 1 ? 2 : 0))
    }
    #expect(try database.planned(.live).count == 2)
    #expect(try database.database.count("held_notifications") == 0)
    #expect(
      try database.storage.alertStates(matching: AlertFilter()).map(\.lastNotifiedLevel) == [.day3])
    // One record counts them all.
    let records = try database.storage.runs(limit: 10).filter { $0.kind == .person }
    #expect(records.map(\.counts.persons) == [3])
    #expect(records.map(\.counts.notificationsEnqueued) == [2])
    #expect(records.map(\.status) == [.succeeded])
  }

  @Test("restores an alert that it has changed", arguments: DatabaseKind.allCases)
  func restores(kind: DatabaseKind) throws {
    let (database, alone, thresholds) = try databases(kind)
    for database in [database, alone] {
      try database.insert([series(Self.falling)])
      try database.run(Self.now...Self.now, thresholds: thresholds, kind: .run)
    }
    try database.insert([series("8000x40 4000x8")])
    let outcome = try database.evaluate(person, on: Self.first + 47, thresholds: thresholds)
    #expect(outcome.changed.map(\.episode.level) == [.day7])
    #expect(outcome.enqueued == 2)
    for database in [database, alone] {
      try database.insert([series("8000x40 4000x4 8000x4")])
      let night = Self.first + 47
      try database.run(night...night, thresholds: thresholds, kind: .run)
    }
    try expectSame(database.alertStates(), alone.alertStates())
    #expect(try database.planned(.shadow) == alone.planned(.shadow))
    #expect(try database.marks() == [])
  }

  @Test("keeps what was sent from being sent again", arguments: DatabaseKind.allCases)
  func keepsSent(kind: DatabaseKind) throws {
    let (database, _, thresholds) = try databases(kind, mode: .live)
    try database.insert([series(Self.falling)])
    try database.evaluate(person, on: Self.now, thresholds: thresholds, mode: .live)
    try database.database.execute("UPDATE notification_queue SET status = 'sent'")
    // The fall began a day earlier: another alert in place of the one that members know of.
    try database.insert([series("8000x39 4000x5")])
    try database.run(Self.now...Self.now, thresholds: thresholds, kind: .run, mode: .live)
    let states = try database.storage.alertStates(matching: AlertFilter())
    #expect(states.count == 2)
    #expect(states.filter(\.episode.isActive).map(\.lastNotifiedLevel) == [.day3])
    #expect(try database.database.count("notification_queue") == 2)
    #expect(try database.planned(.live).count == 2)
  }

  @Test("evaluates a person once where two ask at the same time", arguments: DatabaseKind.allCases)
  func together(kind: DatabaseKind) throws {
    let (database, _, thresholds) = try databases(kind, mode: .live)
    try database.insert([series(Self.falling)])
    let person = person
    let failures = FailureCount()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        try database.evaluate(
          person, on: Self.now, thresholds: thresholds, mode: .live, waitingFor: .seconds(3600))
      } catch {
        failures.add()
      }
    }
    #expect(failures.count == 0)
    #expect(try database.planned(.live).count == 2)
    #expect(
      try database.database.rows("SELECT revision FROM provisional_alerts") == ["4"])
    #expect(
      try database.storage.runs(limit: 10).filter { $0.kind == .person }.map(\.counts.persons)
        == [4])
  }

  @Test(
    "waits for another evaluation of the person no longer than it may",
    arguments: DatabaseKind.allCases)
  func isBusy(kind: DatabaseKind) throws {
    let (database, _, thresholds) = try databases(kind)
    let lock = try database.storage.acquirePersonLock(for: person)
    try withExtendedLifetime(lock) {
      let error = #expect(throws: StorageError.self) {
        try database.evaluate(person, on: Self.now, thresholds: thresholds)
      }
      #expect(error?.code == .locked)
      // Another person does not have to wait, and a night does not either.
      try database.evaluate(other, on: Self.now, thresholds: thresholds)
      try database.run(Self.now...Self.now, thresholds: thresholds, kind: .run)
    }
  }

  @Test("is seen by a night that has read the person before", arguments: DatabaseKind.allCases)
  func overtakesNight(kind: DatabaseKind) throws {
    let (database, alone, thresholds) = try databases(kind)
    let person = person
    try database.insert([series(Self.falling)])
    let interrupted = InterruptedStorage(database.storage) { [database] in
      try database.evaluate(person, on: Self.now, thresholds: thresholds)
    }
    try database.run(
      Self.now...Self.now, thresholds: thresholds, kind: .run, through: interrupted)
    try alone.insert([series(Self.falling)])
    try alone.run(Self.now...Self.now, thresholds: thresholds, kind: .run)
    #expect(try database.events() == [.provisional, .confirmed])
    #expect(try database.marks() == [])
    try expectSame(database.alertStates(), alone.alertStates())
  }

  @Test(
    "begins again where a night has written the person meanwhile",
    arguments: DatabaseKind.allCases)
  func isOvertakenByNight(kind: DatabaseKind) throws {
    let (database, _, thresholds) = try databases(kind)
    try database.insert([series(Self.falling)])
    let interrupted = InterruptedStorage(database.storage) { [database] in
      try database.run(Self.now...Self.now, thresholds: thresholds, kind: .run)
    }
    let outcome = try database.evaluate(
      person, on: Self.now, thresholds: thresholds, through: interrupted)
    #expect(outcome.changed == [])
    #expect(try database.marks() == [])
    #expect(try database.planned(.shadow).count == 2)
  }

  @Test("leaves a flood of notifications to the night", arguments: DatabaseKind.allCases)
  func keepsToRateLimit(kind: DatabaseKind) throws {
    let (database, alone, thresholds) = try databases(kind, mode: .live)
    try database.insert([series(Self.falling)])
    let outcome = try database.evaluate(
      person, on: Self.now, thresholds: thresholds, mode: .live, rateLimit: .count(0))
    #expect(outcome.enqueued == 0)
    #expect(outcome.leftToNight == 2)
    #expect(try database.planned(.live) == [])
    try alone.insert([series(Self.falling)])
    for database in [database, alone] {
      try database.run(Self.now...Self.now, thresholds: thresholds, kind: .run, mode: .live)
    }
    #expect(try database.planned(.live) == alone.planned(.live))
    #expect(try database.planned(.live).count == 2)
  }

  @Test("leaves what a night holds to the decision about it", arguments: DatabaseKind.allCases)
  func leavesHeld(kind: DatabaseKind) throws {
    let (database, _, thresholds) = try databases(kind, mode: .live)
    try database.insert([series(Self.falling)])
    let held = try database.run(
      Self.now...Self.now, thresholds: thresholds, kind: .run, mode: .live, rateLimit: .count(0))
    #expect(held.counts.notificationsHeld == 2)
    let outcome = try database.evaluate(
      person, on: Self.now, thresholds: thresholds, mode: .live)
    #expect(outcome.enqueued == 0)
    #expect(try database.planned(.live) == [])
  }

  @Test(
    "refuses an unknown person, and a database without a night",
    arguments: DatabaseKind.allCases)
  func refuses(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    try database.insert([series(Self.falling)])
    let early = #expect(throws: BatchError.self) {
      try database.evaluate(person, on: Self.now, thresholds: thresholds)
    }
    #expect(early?.code == .noNight)
    try database.run(Self.night...Self.night, thresholds: thresholds, kind: .run)
    let unknown = #expect(throws: BatchError.self) {
      try database.evaluate(UUID(name: "stranger"), on: Self.now, thresholds: thresholds)
    }
    #expect(unknown?.code == .unknownPerson)
    let otherProfile = #expect(throws: StorageError.self) {
      try database.evaluate(person, on: Self.now, thresholds: BatchDatabase.thresholds("v2"))
    }
    #expect(otherProfile?.code == .otherProfile)
    #expect(try database.storage.runs(limit: 10).allSatisfy { $0.kind != .person })
  }
}

private final class FailureCount: Sendable {
  private let number = Mutex(0)
  func add() { number.withLock { $0 += 1 } }
  var count: Int { number.withLock { $0 } }
}
