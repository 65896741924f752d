import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// No recipient is notified of a level of an alert twice, whatever comes again: runs, data, or
/// queue rows that a sender has pruned.
@Suite struct NotifiedLevelsTests {
  static let first = Day(ordinal: 20_000)
  private let person = UUID(name: "notified person")

  /// A queue row's dedupe key: member, alert, recipient, channel and level.
  private struct Key: Hashable {
    var alert: UUID
    var recipient: UUID
    var channel: String
    var level: Int

    init(_ text: String) throws {
      let parts = text.split(separator: ":").map(String.init)
      alert = try #require(UUID(uuidString: parts[1]))
      recipient = try #require(UUID(uuidString: parts[2]))
      channel = parts[3]
      level = try #require(Int(parts[4]))
    }
  }

  /// Takes everything out of the queue, as a sender does that keeps nothing of what it sent.
  private func prune(_ database: BatchDatabase, _ queue: DeliveryQueue) throws -> [Key] {
    let keys = try database.database.rows("SELECT dedupe_key FROM \(queue.rawValue)").map(Key.init)
    if !keys.isEmpty { try database.database.execute("DELETE FROM \(queue.rawValue)") }
    return keys
  }

  /// The notified levels, each of which must be on both channels of a person without a profile.
  private func levels(_ keys: [Key]) throws -> [Int] {
    let byChannel = Dictionary(grouping: keys, by: \.channel).mapValues { $0.map(\.level).sorted() }
    if keys.isEmpty { return [] }
    #expect(Set(byChannel.keys) == ["push", "in_app"])
    #expect(byChannel["push"] == byChannel["in_app"])
    return try #require(byChannel["push"])
  }

  @Test(arguments: DatabaseKind.allCases, ["v1", "v2"])
  func everyLevelIsNotifiedOnceAfterCorrectionsPruningAndRepeatedRuns(
    kind: DatabaseKind, profile: String
  ) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let history = try LateHistory(
      seed: 2, persons: 30, days: 170, nights: kind == .sqlite ? 20 : 12, thresholds: thresholds)
    #expect(history.histories.seriesCount > 200)
    let database = try history.databaseBeforeFirstNight(kind)
    var notified: Set<Key> = []
    for night in history.nights {
      try history.update(database, before: night)
      let reruns = night == history.nights.upperBound ? 10 : 1
      for rerun in 0...reruns {
        try database.run(night...night, thresholds: thresholds, kind: .run, mode: .live)
        let keys = try prune(database, .live)
        #expect(keys.isEmpty || rerun == 0, "\(night) repeated a notification when it ran again")
        #expect(notified.isDisjoint(with: keys), "\(night) repeated a notification")
        notified.formUnion(keys)
        try expectNoLevelOfARetractedAlert(keys, in: database)
      }
    }
    #expect(notified.count > 50)
  }

  @Test(arguments: DatabaseKind.allCases)
  func anAlertLongAfterARetractedOneIsNotified(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    func insert(_ notation: SeriesNotation) throws {
      let values = notation.values.enumerated().map { (Self.first + $0, $1) }
      try database.insert([
        .init(
          person: person, metric: "steps",
          values: Dictionary(uniqueKeysWithValues: values.filter { !$0.1.isNaN }))
      ])
    }
    // A drop that is notified at levels 3 and 7; then no data arrive for weeks.
    try insert("8000x30 4000x8")
    try database.runNightly(
      (Self.first + 30)...(Self.first + 37), thresholds: thresholds, mode: .live)
    let alert = try #require(try database.storage.alertStates(matching: AlertFilter()).first)
    #expect(alert.lastNotifiedLevel == .day7)
    // It never was, and something else begins.
    try insert("8000x56 4000x3")
    let night = Self.first + 58
    try database.run(night...night, thresholds: thresholds, kind: .run, mode: .live)
    let states = try database.storage.alertStates(matching: AlertFilter())
    #expect(states.map(\.episode.resolution?.reason) == [.retracted, nil])
    let notified = try prune(database, .live).map { [$0.alert.lowercased, "\($0.level)"] }
    #expect(notified.contains([states[1].id.lowercased, "3"]))
  }

  /// No alert of `keys` has a level that a retracted one has notified of the same days.
  private func expectNoLevelOfARetractedAlert(_ keys: [Key], in database: BatchDatabase) throws {
    let states = try database.storage.alertStates(matching: AlertFilter())
    let byID = Dictionary(uniqueKeysWithValues: states.map { ($0.id, $0) })
    let retracted = Dictionary(
      grouping: states.filter { $0.episode.resolution?.reason == .retracted }, by: \.series)
    for key in keys {
      let alert = try #require(byID[key.alert])
      for other in retracted[alert.series] ?? [] where days(other).overlaps(days(alert)) {
        #expect((other.lastNotifiedLevel?.rawValue ?? 0) < key.level)
      }
    }
  }

  private func days(_ state: PatternAlertState) -> ClosedRange<Day> {
    state.episode.activeSince...state.episode.lastDeviating
  }

  @Test(arguments: DatabaseKind.allCases)
  func tenRunsOfALiveDayFillTheQueueOnce(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let histories = try RandomHistories(seed: 21, persons: 30, days: 170)
    let database = try histories.database(kind)
    let last = histories.days.upperBound
    let enqueued = try (0..<10).map { _ in
      try database.run(last...last, thresholds: thresholds, kind: .run, mode: .live)
        .counts.notificationsEnqueued
    }
    #expect(enqueued[0] > 20)
    #expect(enqueued[1...].allSatisfy { $0 == 0 })
    #expect(try database.queue(.live).count == enqueued[0])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aFinishedDayThatIsRunAgainHoldsNothing(kind: DatabaseKind) throws {
    var thresholds = try BatchDatabase.thresholds("v2")
    thresholds.notify.onRecovery = true
    let database = try BatchDatabase(kind)
    try insert("8000x30 4000x8 8000x10", into: database)
    for night in (Self.first + 30)...(Self.first + 44) {
      var held: [Int] = []
      for _ in 0...2 {
        try database.run(night...night, thresholds: thresholds, kind: .run, mode: .live)
        held.append(try database.database.count("held_notifications"))
      }
      #expect(Set(held).count == 1, "\(night): \(held)")
    }
    let notified = try database.database.rows(
      "SELECT DISTINCT notification_type FROM notification_queue ORDER BY 1")
    #expect(notified == ["pattern_alert", "pattern_recovery"])
    // Nor does it where a sender keeps nothing of what it has sent.
    let later = BatchDatabase.now.adding(seconds: 40 * 86_400)
    try database.database.execute("UPDATE notification_queue SET status = 'sent'")
    #expect(try database.storage.pruneQueues(endedBefore: later, at: later).notifications > 0)
    for offset in 40...44 {
      let night = Self.first + offset
      try database.run(night...night, thresholds: thresholds, kind: .run, mode: .live)
    }
    #expect(try database.database.count("held_notifications") == 0)
  }

  @Test(arguments: DatabaseKind.allCases, [RunRecord.Mode.live, .shadow])
  func aRetractedAlertThatComesBackKeepsItsNotifiedLevel(
    kind: DatabaseKind, mode: RunRecord.Mode
  ) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    let days = (Self.first + 30)...(Self.first + 32)
    try insert("8000x30 4000x8", into: database)
    try database.runNightly(days, thresholds: thresholds, mode: mode)
    let queue: DeliveryQueue = mode == .live ? .live : .shadow
    let notified = try prune(database, queue)
    #expect(try levels(notified) == [3])
    let before = try #require(try states(database).first)

    try insert("8000x38", into: database)
    try run(database, on: 33, mode, thresholds)
    #expect(try states(database).map(\.episode.resolution?.reason) == [.retracted])
    try insert("8000x30 4000x8", into: database)
    try run(database, on: 34, mode, thresholds)
    let after = try #require(try states(database).first)
    #expect(after.id == before.id)
    #expect(after.episode.isActive)
    #expect(try prune(database, queue).isEmpty)
    try run(database, on: 35, mode, thresholds)
    #expect(try levels(prune(database, queue)) == [7])
  }

  @Test(arguments: DatabaseKind.allCases, [RunRecord.Mode.live, .shadow])
  func anAlertWhoseFirstDayShiftsIsNotNotifiedAgain(
    kind: DatabaseKind, mode: RunRecord.Mode
  ) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    try insert("8000x30 4000x10", into: database)
    try database.runNightly(
      (Self.first + 30)...(Self.first + 32), thresholds: thresholds, mode: mode)
    let queue: DeliveryQueue = mode == .live ? .live : .shadow
    #expect(try levels(prune(database, queue)) == [3])

    // The drop began two days later than it seemed.
    try insert("8000x32 4000x8", into: database)
    try run(database, on: 33, mode, thresholds)
    #expect(try prune(database, queue).isEmpty)
    let rows = try states(database)
    #expect(rows.map(\.episode.isActive) == [false, true])
    #expect(
      rows.map { mode == .live ? $0.lastNotifiedLevel : $0.shadowNotifiedLevel } == [.day3, .day3])
    // A night later it comes out that there was one day more, and then that there was not.
    try insert("8000x31 4000x9", into: database)
    try run(database, on: 34, mode, thresholds)
    try insert("8000x32 4000x8", into: database)
    try run(database, on: 35, mode, thresholds)
    #expect(try prune(database, queue).isEmpty)
    for day in 36...39 { try run(database, on: day, mode, thresholds) }
    #expect(try levels(prune(database, queue)) == [7])
  }

  /// A login that only backfills may not write what members were notified of.
  ///
  /// A retracted alert that it finds again takes over no level from the one in its place. The next night looks at both
  /// once more, and does.
  @Test func aBackfillThatMayNotNotifyLeavesTheNotifiedLevelToTheNextNight() throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(.postgres)
    try insert("8000x30 4000x15", into: database)
    try database.runNightly(
      (Self.first + 30)...(Self.first + 32), thresholds: thresholds, mode: .live)
    #expect(try levels(prune(database, .live)) == [3])
    try insert("8000x31 4000x14", into: database)
    for day in 33...38 { try run(database, on: day, .live, thresholds) }
    #expect(try levels(prune(database, .live)) == [7])
    #expect(try states(database).map(\.lastNotifiedLevel) == [.day3, .day7])

    try insert("8000x30 4000x15", into: database)
    try database.run(
      (Self.first + 39)...(Self.first + 39), thresholds: thresholds, kind: .backfill,
      mode: .shadow, through: database.database.open(asMemberOf: "vigil_backfill"))
    #expect(try states(database).map(\.episode.isActive) == [true, false])
    #expect(try states(database).map(\.lastNotifiedLevel) == [.day3, .day7])

    try run(database, on: 40, .live, thresholds)
    #expect(try prune(database, .live).isEmpty)
    #expect(try states(database).map(\.lastNotifiedLevel) == [.day7, .day7])
  }

  @Test(arguments: DatabaseKind.allCases, [RunRecord.Mode.live, .shadow])
  func anAlertThatComesBackWithAnotherFirstDayIsNotNotifiedAgain(
    kind: DatabaseKind, mode: RunRecord.Mode
  ) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    try insert("8000x30 4000x10", into: database)
    try database.runNightly(
      (Self.first + 30)...(Self.first + 32), thresholds: thresholds, mode: mode)
    let queue: DeliveryQueue = mode == .live ? .live : .shadow
    #expect(try levels(prune(database, queue)) == [3])
    // One night sees no drop at all, the next sees it begin a day later.
    try insert("8000x40", into: database)
    try run(database, on: 33, mode, thresholds)
    try insert("8000x31 4000x9", into: database)
    try run(database, on: 34, mode, thresholds)
    #expect(try states(database).map(\.episode.isActive) == [false, true])
    #expect(try prune(database, queue).isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases, [RunRecord.Mode.live, .shadow])
  func whatWasInheritedPassesOnToTheEpisodeThatSupersedes(
    kind: DatabaseKind, mode: RunRecord.Mode
  ) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    try insert("8000x30 4000x4 8000x12", into: database)
    try database.runNightly(
      (Self.first + 30)...(Self.first + 44), thresholds: thresholds, mode: mode)
    let queue: DeliveryQueue = mode == .live ? .live : .shadow
    #expect(try levels(prune(database, queue)) == [3])
    #expect(try states(database).map(\.episode.resolution?.reason) == [.recovered])
    // The drop began later and never quite went away until the next one superseded it, long after the
    // end of the notified episode.
    try insert("8000x32 4000x2 6500x10 4000x2", into: database)
    try run(database, on: 45, mode, thresholds)
    #expect(
      try states(database).map(\.episode.resolution?.reason) == [.retracted, .superseded, nil])
    #expect(try prune(database, queue).isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aShadowNightInheritsTheNotifiedLevelOfLiveNights(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    try insert("8000x30 4000x10", into: database)
    try database.runNightly(
      (Self.first + 30)...(Self.first + 32), thresholds: thresholds, mode: .live)
    try insert("8000x32 4000x8", into: database)
    try run(database, on: 33, .shadow, thresholds)
    #expect(try states(database).map(\.lastNotifiedLevel) == [.day3, .day3])
    _ = try prune(database, .live)
    try run(database, on: 34, .live, thresholds)
    #expect(try prune(database, .live).isEmpty)
  }

  // MARK: Helpers

  private func insert(_ notation: SeriesNotation, into database: BatchDatabase) throws {
    let values = notation.values.enumerated().map { (Self.first + $0, $1) }
    try database.insert([
      .init(
        person: person, metric: "steps", values: Dictionary(uniqueKeysWithValues: values))
    ])
  }

  private func run(
    _ database: BatchDatabase, on day: Int, _ mode: RunRecord.Mode, _ thresholds: Thresholds
  ) throws {
    try database.run(
      (Self.first + day)...(Self.first + day), thresholds: thresholds, kind: .run, mode: mode)
  }

  private func states(_ database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter())
  }
}
