import Foundation
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilSQLite
import VigilStorage

/// The invariants of episodes.md section 4 against a real database, on more than a thousand random
/// series each.
@Suite struct ReplayTests {
  static let first = Day(ordinal: 20_000)
  static let historyDays = 190
  static let evaluated = (first + 150)...(first + historyDays - 1)
  static let personCount = 180

  /// A database with the same random histories every time.
  private func database(seed: Int, persons: Int = personCount) throws -> BatchDatabase {
    let database = try BatchDatabase()
    let metrics = try BatchDatabase.thresholds("v1").wearableMetrics.map(\.metric.rawValue)
    var series: [BatchDatabase.Series] = []
    var workouts: [UUID: Set<Day>] = [:]
    var members: [FamilyMember] = []
    for index in 0..<persons {
      let person = UUID(name: "replay person \(index)")
      for (offset, metric) in metrics.enumerated() {
        let history = RandomSeries(
          seed: seed * 100_000 + index * 100 + offset, days: Self.historyDays)
        series.append(
          .init(person: person, metric: metric, values: history.byDay(from: Self.first)))
        if offset == 0 { workouts[person] = Set(history.workouts.map { Self.first + $0 }) }
      }
      let family = UUID(name: "replay family \(index / 3)")
      members.append(
        FamilyMember(
          family: family, user: person, role: index % 3 == 0 ? .admin : .member,
          inviteStatus: index % 5 == 0 ? .pending : .accepted))
    }
    try database.insert(series, workouts: workouts)
    try database.insert(members)
    return database
  }

  @Test(arguments: ["v1", "v2"])
  func nightlyRunsAndOneBackfillLeaveTheSameRows(profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let nightly = try database(seed: 1)
    try nightly.runNightly(Self.evaluated, thresholds: thresholds)
    let backfill = try database(seed: 1)
    let record = try backfill.run(Self.evaluated, thresholds: thresholds)
    #expect(record.counts.series > 1000)
    #expect(try backfill.alertStates().count > 500)
    #expect(try backfill.queue().count > 500)
    try expectSame(nightly.dump(), backfill.dump())
  }

  @Test(arguments: ["v1", "v2"])
  func chunksBatchesAndThreadsChangeNoRow(profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let whole = try database(seed: 2)
    try whole.run(Self.evaluated, thresholds: thresholds)
    let expected = try whole.dump()
    for seed in 1...3 {
      var random = SeededGenerator(seed: seed)
      let chunked = try database(seed: 2)
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

  @Test(arguments: ["v1", "v2"])
  func aSecondRunChangesNothingAndPlansNothing(profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let database = try database(seed: 3)
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

  @Test(arguments: ["v1", "v2"])
  func aPersonsRowsDoNotDependOnOtherPersons(profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let all = try database(seed: 4)
    try all.run(Self.evaluated, thresholds: thresholds)
    let parts = try database(seed: 4)
    for remainder in [2, 0, 1] {
      let persons = (0..<Self.personCount).filter { $0 % 3 == remainder }
        .map { UUID(name: "replay person \($0)") }
      try parts.run(Self.evaluated, thresholds: thresholds, persons: Set(persons))
    }
    try expectSame(parts.dump(), all.dump())
  }

  @Test(arguments: ["v1", "v2"])
  func missedNightsAreCaughtUp(profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let nightly = try database(seed: 5, persons: 40)
    try nightly.runNightly(Self.evaluated, thresholds: thresholds)
    let missed = try database(seed: 5, persons: 40)
    var random = SeededGenerator(seed: 5)
    for day in Self.evaluated
    where day == Self.evaluated.lowerBound || day == Self.evaluated.upperBound
      || !random.chance(0.4)
    {
      try missed.run(day...day, thresholds: thresholds, kind: .run)
    }
    // A level that was passed on a missed night is not told afterwards, so only episodes compare.
    let withoutNotified = { (rows: [String]) in
      rows.map { $0.replacing(/shadow_notified_level=\S+/, with: "") }
    }
    try expectSame(withoutNotified(missed.alertStates()), withoutNotified(nightly.alertStates()))
    #expect(try Set(missed.queue().map(Self.key)).count == missed.queue().count)
  }

  @Test func shadowAndLivePlanTheSameRows() throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let days = Self.evaluated.lowerBound...(Self.evaluated.lowerBound + 14)
    let shadow = try database(seed: 6, persons: 60)
    try shadow.runNightly(days, thresholds: thresholds, mode: .shadow)
    let live = try database(seed: 6, persons: 60)
    try live.runNightly(days, thresholds: thresholds, mode: .live)
    let planned = try shadow.queue(.shadow)
    #expect(planned.count > 50)
    try expectSame(live.queue(.live), planned)
    #expect(try live.queue(.shadow).isEmpty)
    #expect(try shadow.queue(.live).isEmpty)
    let mixed = { (rows: [String]) in
      rows.map {
        $0.replacing(/(last|shadow)_notified_level=(\S+)/) { "notified=\($0.output.2)" }
          .replacing("notified=NULL", with: "").replacing(#/ +/#, with: " ")
      }
    }
    #expect(try mixed(live.alertStates()) == mixed(shadow.alertStates()))
  }

  @Test func atMostOneEpisodeOfASeriesIsActive() throws {
    for profile in ["v1", "v2"] {
      let database = try database(seed: 7)
      try database.run(Self.evaluated, thresholds: BatchDatabase.thresholds(profile))
      let states = try database.storage.alertStates(matching: AlertFilter())
      #expect(states.count > 500)
      let active = states.filter(\.episode.isActive).map(\.series)
      #expect(Set(active).count == active.count)
      #expect(states.allSatisfy { $0.episode.activeSince <= $0.episode.lastEvaluated })
    }
  }

  private static func key(_ row: String) -> String {
    String(row.firstMatch(of: /dedupe_key=(\S+)/)?.output.1 ?? "")
  }

  /// Compares two dumps and names the first rows that differ.
  private func expectSame(_ found: [String], _ expected: [String], _ label: String = "") throws {
    let isSame = found == expected
    let missing = Set(expected).subtracting(found).sorted()
    let extra = Set(found).subtracting(expected).sorted()
    #expect(
      isSame,
      "\(label) missing \(missing.count): \(missing.first ?? "") extra \(extra.count): \(extra.first ?? "")"
    )
  }
}
