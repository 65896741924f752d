import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// The invariants of episodes.md section 4 against a real database, on more than a thousand random
/// series each.
@Suite struct ReplayTests {
  static let first = RandomHistories.first
  static let historyDays = 190
  static let evaluated = (first + 150)...(first + historyDays - 1)

  /// Fewer where it takes longer: what the core makes of many histories does not depend on where
  /// they are.
  private func personCount(_ kind: DatabaseKind) -> Int {
    switch kind {
    case .sqlite: 180
    case .postgres: 45
    }
  }

  /// Fewer likewise.
  private func nights(_ kind: DatabaseKind) -> ClosedRange<Day> {
    switch kind {
    case .sqlite: Self.evaluated
    case .postgres: (Self.evaluated.upperBound - 15)...Self.evaluated.upperBound
    }
  }

  /// A database with the same random histories every time.
  private func database(
    _ kind: DatabaseKind, seed: Int, persons: Int? = nil
  ) throws -> BatchDatabase {
    try RandomHistories(
      seed: seed, persons: persons ?? personCount(kind), days: Self.historyDays
    ).database(kind)
  }

  @Test(arguments: DatabaseKind.withProfiles)
  func nightlyRunsAndOneBackfillLeaveTheSameRows(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let nightly = try database(kind, seed: 1)
    let backfill = try nightly.copy()
    try nightly.runNightly(nights(kind), thresholds: thresholds)
    let record = try backfill.run(nights(kind), thresholds: thresholds)
    let few = kind == .sqlite ? 1000 : 250
    #expect(record.counts.series > few)
    #expect(try backfill.alertStates().count > (profile.hasPrefix("v3") ? few / 50 : few / 2))
    #expect(try backfill.queue().count > (profile.hasPrefix("v3") ? few / 50 : few / 2))
    try expectSame(nightly.dump(), backfill.dump())
  }

  @Test(arguments: DatabaseKind.withProfiles)
  func chunksBatchesAndThreadsChangeNoRow(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let fresh = try database(kind, seed: 2)
    let whole = try fresh.copy()
    try whole.run(Self.evaluated, thresholds: thresholds)
    let expected = try whole.dump()
    for seed in 1...Repetitions.count(fast: 1, long: 6) {
      var random = SeededGenerator(seed: seed)
      let chunked = try fresh.copy()
      var start = Self.evaluated.lowerBound
      while start <= Self.evaluated.upperBound {
        let end = min(start + Int.random(in: 0...25, using: &random), Self.evaluated.upperBound)
        try chunked.run(
          start...end, thresholds: thresholds, workers: Int.random(in: 1...3, using: &random),
          batchSize: Int.random(in: 1...60, using: &random))
        start = end + 1
      }
      try expectSame(chunked.dump(), expected, "seed \(seed)")
    }
  }

  @Test(arguments: DatabaseKind.withProfiles)
  func aSecondRunChangesNothingAndPlansNothing(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let database = try database(kind, seed: 3)
    try database.run(Self.evaluated, thresholds: thresholds)
    let tables = ["pattern_alert_state", "shadow_notification_queue", "notification_queue"]
    let before = try tables.flatMap { try database.rows(of: $0) }
    let again = try database.run(Self.evaluated, thresholds: thresholds)
    let last = Self.evaluated.upperBound
    let night = try database.run(last...last, thresholds: thresholds, kind: .run)
    #expect(try tables.flatMap { try database.rows(of: $0) } == before)
    for record in [again, night] {
      #expect(record.counts.episodesOpened == 0)
      #expect(record.counts.episodesEscalated == 0)
      #expect(record.counts.episodesResolved == 0)
      #expect(record.counts.notificationsEnqueued == 0)
    }
  }

  @Test(arguments: DatabaseKind.withProfiles)
  func aPersonsRowsDoNotDependOnOtherPersons(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let all = try database(kind, seed: 4)
    let parts = try all.copy()
    try all.run(Self.evaluated, thresholds: thresholds)
    for remainder in [2, 0, 1] {
      let persons = (0..<personCount(kind)).filter { $0 % 3 == remainder }
        .map { UUID(name: "replay person \($0)") }
      try parts.run(Self.evaluated, thresholds: thresholds, persons: Set(persons))
    }
    try expectSame(parts.dump(), all.dump())
  }

  @Test(arguments: DatabaseKind.withProfiles)
  func missedNightsAreCaughtUp(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let nightly = try database(kind, seed: 5, persons: 40)
    let missed = try nightly.copy()
    let nights = nights(kind)
    try nightly.runNightly(nights, thresholds: thresholds)
    var random = SeededGenerator(seed: 5)
    for day in nights
    where day == nights.lowerBound || day == nights.upperBound || !random.chance(0.4) {
      try missed.run(day...day, thresholds: thresholds, kind: .run)
    }
    // A level that was passed on a missed night is not notified afterwards, so only episodes
    // compare.
    let withoutNotified = { (rows: [String]) in
      rows.map { $0.replacing(/shadow_notified_level=\S+/, with: "") }
    }
    try expectSame(withoutNotified(missed.alertStates()), withoutNotified(nightly.alertStates()))
    #expect(try Set(missed.queue().map(Self.key)).count == missed.queue().count)
  }

  @Test(arguments: DatabaseKind.allCases)
  func shadowAndLivePlanTheSameRows(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let days = Self.evaluated.lowerBound...(Self.evaluated.lowerBound + 14)
    let shadow = try database(kind, seed: 6, persons: 60)
    let live = try shadow.copy()
    try shadow.runNightly(days, thresholds: thresholds, mode: .shadow)
    try live.runNightly(days, thresholds: thresholds, mode: .live)
    let planned = try shadow.queue(.shadow)
    #expect(planned.count > 50)
    // Only what is sent has a sender, goes to a contact, is read, or is a prompt.
    let names =
      "delivered_at|emergency_contact_id|fencing_token|lease_owner|lease_until|next_attempt_at"
      + "|prompt_id|read_at"
    let sender = try Regex("(\(names))=\\S+ ?")
    try expectSame(
      live.enqueued().map { $0.replacing(sender, with: "") }, planned.map(BatchDatabase.planned))
    #expect(try live.queue(.shadow).isEmpty)
    #expect(try shadow.queue(.live).isEmpty)
    // The two differ in the column of the notified level.
    let mixed = { (rows: [String]) in
      rows.map { row in
        let levels = row.matches(of: /(?:last|shadow)_notified_level=(\S+)/).map(\.output.1)
        return row.replacing(/(last|shadow)_notified_level=\S+/, with: "")
          + levels.filter { $0 != "NULL" }.joined(separator: " ")
      }
    }
    try expectSame(mixed(live.alertStates()), mixed(shadow.alertStates()))
  }

  @Test(arguments: DatabaseKind.allCases)
  func atMostOneEpisodeOfASeriesIsActive(kind: DatabaseKind) throws {
    let fresh = try database(kind, seed: 7)
    for profile in ["v1", "v2"] {
      let database = try fresh.copy()
      try database.run(Self.evaluated, thresholds: BatchDatabase.thresholds(profile))
      let states = try database.storage.alertStates(matching: AlertFilter())
      #expect(states.count > (kind == .sqlite ? 500 : 125))
      let active = states.filter(\.episode.isActive).map(\.series)
      #expect(Set(active).count == active.count)
      #expect(states.allSatisfy { $0.episode.activeSince <= $0.episode.lastEvaluated })
    }
  }

  private static func key(_ row: String) -> String {
    String(row.firstMatch(of: /dedupe_key=(\S+)/)?.output.1 ?? "")
  }
}
