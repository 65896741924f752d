import Foundation
import InMemoryLogging
import Logging
import TestDatabases
import TestSupport
import Testing
import VigilDetection
import VigilModel
import VigilStorage

@testable import VigilBatch

/// Nights that read rows from copies find what nights find that read all rows.
@Suite struct HistoryTests {
  private static let first = RandomHistories.first

  private static let instants: Set = ["run_id", "computed_at", "created_at", "updated_at"]

  @Test(arguments: DatabaseKind.allCases, ["v1", "v3"])
  func nightsFindTheSameWithAndWithoutCopies(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    for seed in 1...Repetitions.count(fast: 1, long: 12) {
      var random = SeededGenerator(seed: seed)
      let histories = try RandomHistories(seed: seed, persons: 12, days: 175)
      let copied = try histories.database(kind)
      try copied.insertDoses(
        persons: HistoryChanges.takers, from: Self.first, days: 175, seed: seed)
      let plain = try copied.copy()
      let history = try HistoryChanges(of: [copied, plain], persons: histories.persons)
      var day = Self.first + 150
      var changes: [String] = []
      while day < Self.first + 172 {
        let candidate =
          Int.random(in: 0..<4, using: &random) == 0
          ? try BatchDatabase.thresholds("v2", digest: String(repeating: "2", count: 64)) : nil
        if Int.random(in: 0..<4, using: &random) == 0 {
          // A night that was cut off, and is continued after further changes.
          for database in [copied, plain] {
            try database.run(
              day...day, thresholds: thresholds, candidate: candidate, stoppingAfter: 2,
              kind: .run, batchSize: 3, usesHistory: database === copied)
          }
          try history.make(.lateValue, before: day, using: &random)
        }
        // As one engine, or as two at once.
        let shards = try Bool.random(using: &random) ? [RunShard.whole] : halves()
        for database in [copied, plain] {
          try WorkerThreads.run(
            shards.map { [day] shard in
              {
                try database.run(
                  day...day, thresholds: thresholds, candidate: candidate, kind: .run,
                  batchSize: 5, shard: shard, usesHistory: database === copied,
                  through: shard == .whole ? nil : database.database.open())
              }
            })
        }
        let label = "seed \(seed), \(day), after \(changes)"
        try expectSameResults(copied, plain, label)
        try expectSame(copied.records(), plain.records(), label)
        changes = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let change = HistoryChanges.Change.allCases.randomElement(using: &random) ?? .lateValue
          try history.make(change, before: day, using: &random)
          changes.append("\(change)")
        }
        day = day + Int.random(in: 1...4, using: &random)
      }
      for table in ["metric_history", "medication_history"] {
        #expect(try copied.database.count(table) > 0)
        #expect(try plain.database.count(table) == 0)
      }
    }
  }

  private func halves() throws -> [RunShard] {
    try (1...2).map { try #require(RunShard($0, of: 2)) }
  }

  /// A database with metrics of six persons and medications of six others, and copies of the night `night`.
  private func database(
    _ kind: DatabaseKind, seed: Int, days: Int = 165, _ thresholds: Thresholds
  ) throws -> BatchDatabase {
    let histories = try RandomHistories(seed: seed, persons: 6, days: days)
    let database = try histories.database(kind)
    try database.insertDoses(persons: 6, from: Self.first, days: days, seed: seed)
    try database.runNightly(Self.night...Self.night, thresholds: thresholds)
    return database
  }

  private static let night = first + 150

  /// The persons or medications with copies.
  private func owners(_ subject: HistorySubject, _ database: BatchDatabase) throws -> Int {
    try database.database.rows("SELECT DISTINCT \(subject.owner) FROM \(subject.table)").count
  }

  private static let owners: [HistorySubject: Int] = [.metrics: 12, .doses: 12]

  private func expectSameResults(
    _ one: BatchDatabase, _ other: BatchDatabase, _ label: String = ""
  ) throws {
    try expectSame(one.dump(), other.dump(), label)
    try expectSame(one.vitality(), other.vitality(), label)
    try expectSame(
      one.rows(of: "dose_analytics", without: Self.instants),
      other.rows(of: "dose_analytics", without: Self.instants), label)
  }

  /// A night uses the contents of a copy, and where these are not what the rows are, a night finds it when the copy has
  /// its turn.
  @Test(arguments: DatabaseKind.allCases, HistorySubject.allCases)
  func aCopyThatDiffersIsFoundWithinItsTurn(kind: DatabaseKind, subject: HistorySubject) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let copied = try database(kind, seed: 3, days: 190, thresholds)
    let plain = try copied.copy()
    // The rows change behind the triggers' back.
    let change =
      subject == .metrics
      ? "UPDATE wearable_daily_metrics SET steps = steps / 3 WHERE steps > 0"
      : "UPDATE dose_history SET status = 'skipped' WHERE status = 'taken'"
    try withoutTriggers(of: copied.database, kind, subject) {
      try copied.database.execute(change)
    }
    try plain.database.execute(change)
    let log = InMemoryLogHandler()
    let next = Self.night + 1
    try copied.run(next...next, thresholds: thresholds, kind: .run, log: log)
    try plain.run(next...next, thresholds: thresholds, kind: .run)
    #expect(
      try copied.dump() != plain.dump()
        || copied.rows(of: "dose_analytics", without: Self.instants)
          != plain.rows(of: "dose_analytics", without: Self.instants)
    )
    for night in next + 1...next + 29 {
      try copied.run(night...night, thresholds: thresholds, kind: .run, batchSize: 2, log: log)
    }
    #expect(
      log.entries.contains {
        "\($0.message)".hasPrefix("Copies of rows differed")
          && "\($0.metadata)".contains(subject.rawValue)
      })
    let again = try copied.copy()
    let last = next + 30
    for database in [copied, again] {
      try database.run(
        last...last, thresholds: thresholds, kind: .run, usesHistory: database === copied)
    }
    try expectSameResults(copied, again)
  }

  private func withoutTriggers(
    of database: TestDatabase, _ kind: DatabaseKind, _ subject: HistorySubject,
    _ body: () throws -> Void
  ) throws {
    switch kind {
    case .sqlite:
      let triggers = try database.rows(
        """
        SELECT name, replace(sql, char(10), ' ') FROM sqlite_master
        WHERE type = 'trigger' AND tbl_name = '\(subject.source)'
        """
      ).map { $0.split(separator: "|", maxSplits: 1) }
      for trigger in triggers { try database.execute("DROP TRIGGER \(trigger[0])") }
      try body()
      for trigger in triggers { try database.execute(String(trigger[1])) }
    case .postgres:
      try database.execute("ALTER TABLE \(subject.source) DISABLE TRIGGER USER")
      try body()
      try database.execute("ALTER TABLE \(subject.source) ENABLE TRIGGER USER")
    }
  }

  @Test(arguments: DatabaseKind.allCases, HistorySubject.allCases)
  func withoutItsTriggersATableHasNoCopies(kind: DatabaseKind, subject: HistorySubject) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let copied = try database(kind, seed: 4, thresholds)
    for subject in HistorySubject.allCases {
      #expect(try owners(subject, copied) == Self.owners[subject])
    }
    let name = "vigil_\(kind == .sqlite && subject == .doses ? "doses" : "history")_update"
    try copied.database.execute(
      "DROP TRIGGER \(name)" + (kind == .sqlite ? "" : " ON \(subject.source)"))
    try copied.runNightly((Self.night + 1)...(Self.night + 1), thresholds: thresholds)
    for other in HistorySubject.allCases {
      #expect(try owners(other, copied) == (other == subject ? 0 : Self.owners[other]))
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func whereTablesAreEmptiedNoCopyIsLeft(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let copied = try database(kind, seed: 6, thresholds)
    let plain = try copied.copy()
    let day = Self.night
    let values = Dictionary(uniqueKeysWithValues: (0..<60).map { (day - $0, 5_000.0) })
    for database in [copied, plain] {
      for table in ["wearable_daily_metrics", "dose_history"] {
        try database.database.execute(
          kind == .sqlite ? "DELETE FROM \(table)" : "TRUNCATE \(table)")
      }
      try database.insert(
        (0..<3).map { .init(person: DoseSample.person($0), metric: "steps", values: values) })
      try database.run(
        day + 1...day + 1, thresholds: thresholds, kind: .run, usesHistory: database === copied)
    }
    try expectSameResults(copied, plain)
  }

  @Test(arguments: DatabaseKind.allCases, HistorySubject.allCases)
  func aDamagedCopyIsNotUsed(kind: DatabaseKind, subject: HistorySubject) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let copied = try database(kind, seed: 5, thresholds)
    let plain = try copied.copy()
    try copied.database.execute(
      "UPDATE \(subject.table) SET rows = "
        + (kind == .sqlite
          ? "substr(rows, 2)" : "set_byte(rows, 10, 255 - get_byte(rows, 10))"))
    let log = InMemoryLogHandler()
    for night in Self.night + 1...Self.night + 3 {
      try copied.run(night...night, thresholds: thresholds, kind: .run, log: log)
      try plain.run(night...night, thresholds: thresholds, kind: .run)
    }
    try expectSameResults(copied, plain)
    // The first of these nights has found it and removed all copies, so that the next made new ones.
    #expect(
      log.entries.filter { "\($0.message)".hasPrefix("Copies of rows differed") }.count == 1)
    #expect(try owners(subject, copied) == Self.owners[subject])
  }
}
