import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilModel
import VigilStorage

/// Rows that `Storage.pruneQueues` has removed count as if they were still there.
@Suite struct PrunedQueueTests {
  private static let first = Day(ordinal: 20_000)
  private let person = UUID(name: "notified person")

  /// A month after everything that tests do.
  private func prune(_ database: BatchDatabase) throws -> PrunedRows {
    let now = BatchDatabase.now.adding(seconds: 60 * 24 * 3600)
    return try database.storage.pruneQueues(
      endedBefore: now.adding(seconds: -30 * 24 * 3600), at: now)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aNightRepeatedAfterAPruneNotifiesOfNothingTwice(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let histories = try RandomHistories(seed: 21, persons: 30, days: 170)
    let database = try histories.database(kind)
    let last = histories.days.upperBound
    func night() throws -> Int {
      try database.run(last...last, thresholds: thresholds, kind: .run, mode: .live)
        .counts.notificationsEnqueued
    }
    let enqueued = try night()
    #expect(enqueued > 20)
    try database.database.execute("UPDATE notification_queue SET status = 'sent'")
    let pruned = try prune(database)
    #expect(pruned.notifications == enqueued)
    #expect(pruned.remembered == enqueued)
    #expect(pruned.held == enqueued)
    #expect(try database.queue(.live).isEmpty)
    #expect(try night() == 0)
    // Not even where the alerts have no notified level.
    let forget = "UPDATE pattern_alert_state SET last_notified_level = NULL"
    try database.database.execute(forget)
    #expect(try night() == 0)
    #expect(try database.queue(.live).isEmpty)
    // It is the ids that keep it from that.
    try database.database.execute("DELETE FROM spent_notifications")
    try database.database.execute(forget)
    #expect(try night() == enqueued)
  }

  @Test(arguments: DatabaseKind.allCases)
  func anAlertIsNotifiedAfterItsSnoozeThoughItsRowWasPruned(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    let notation: SeriesNotation = "8000x30 4000x12"
    let values = notation.values.enumerated().map { (Self.first + $0, $1) }
    try database.insert([
      .init(person: person, metric: "steps", values: Dictionary(uniqueKeysWithValues: values))
    ])
    func nights(_ days: ClosedRange<Int>) throws {
      try database.runNightly(
        (Self.first + days.lowerBound)...(Self.first + days.upperBound), thresholds: thresholds,
        mode: .live)
    }
    func rows() throws -> [String] {
      try database.database.rows(
        """
        SELECT DISTINCT template_id, status, status_reason FROM notification_queue
        WHERE template_id <> 'pattern_alert.level_3' ORDER BY 1, 2
        """)
    }
    try nights(30...32)
    let alert = try #require(try database.storage.alertStates(matching: AlertFilter()).first)
    #expect(alert.lastNotifiedLevel == .day3)
    let end = Self.first + 38
    _ = try database.storage.carryOut(
      AlertAction(.snooze(until: end), alert: alert.id, by: person, at: BatchDatabase.now))
    try nights(33...37)
    #expect(try rows() == ["pattern_alert.level_7|skipped|snoozed"])
    let pruned = try prune(database)
    #expect(pruned.notifications > pruned.remembered)
    #expect(try rows().isEmpty)
    // Notifications resume on the day on which the snooze ends.
    try nights(38...38)
    #expect(try rows().map { $0.prefix(29) } == ["pattern_alert.level_7|pending"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aRunThatWasCutOffPlansAgainWhatWasPruned(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let histories = try RandomHistories(seed: 21, persons: 30, days: 170)
    let undisturbed = try histories.database(kind)
    let last = histories.days.upperBound
    let expected = try undisturbed.run(last...last, thresholds: thresholds, kind: .run, mode: .live)
    let database = try histories.database(kind)
    let cutOff = try database.run(
      last...last, thresholds: thresholds, stoppingAfter: 2, kind: .run, mode: .live, batchSize: 7)
    #expect(cutOff.status == .interrupted)
    let pruned = try prune(database)
    #expect(pruned.held > 0)
    #expect(pruned.checkpoints >= 2)
    let continued = try database.run(
      last...last, thresholds: thresholds, kind: .run, mode: .live, batchSize: 7)
    #expect(continued.id == cutOff.id)
    #expect(continued.counts.notificationsEnqueued == expected.counts.notificationsEnqueued)
    try expectSame(database.queue(.live), undisturbed.queue(.live))
  }
}
