import Foundation
import InMemoryLogging
import Logging
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Nights that read metric rows from copies find what nights find that read all rows.
@Suite struct HistoryTests {
  private static let first = RandomHistories.first

  /// A change of rows between two nights.
  private enum Change: CaseIterable {
    case lateValue, otherDay, removedDays, otherSource, removedSource, newPerson, removedPerson
    case otherWorkouts, everyRow
  }

  /// Carries a change out in both databases.
  private func make(
    _ change: Change, in databases: [BatchDatabase], persons: inout [UUID], before day: Day,
    using random: inout SeededGenerator
  ) throws {
    let person = persons[Int.random(in: persons.indices, using: &random)]
    let late = day - Int.random(in: 1...120, using: &random)
    let value = Double.random(in: 100...20_000, using: &random).rounded()
    let rows = "wearable_daily_metrics"
    let own = "user_id = '\(person.lowercased)'"
    let added = UUID(name: "history person \(day) \(persons.count)")
    let values = Dictionary(uniqueKeysWithValues: (0..<60).map { (day - $0, value + Double($0)) })
    for database in databases {
      func execute(_ sql: String) throws { try database.database.execute(sql) }
      switch change {
      case .lateValue:
        try execute("UPDATE \(rows) SET steps = \(value) WHERE \(own) AND metric_date = '\(late)'")
      case .otherDay:
        // The first row of the person comes before all others.
        try execute(
          """
          UPDATE \(rows) SET metric_date = '\(late - 200)' WHERE \(own) AND metric_date = (
            SELECT min(metric_date) FROM \(rows) WHERE \(own)
          ) AND metric_date > '\(late - 200)'
          """)
      case .removedDays:
        try execute(
          "DELETE FROM \(rows) WHERE \(own) AND metric_date BETWEEN '\(late)' AND '\(late + 3)'")
      case .otherSource:
        try database.insert(
          [.init(person: person, metric: "steps", values: [late: value, late + 1: value])],
          source: "other")
      case .removedSource:
        try execute("DELETE FROM \(rows) WHERE source = 'other'")
      case .newPerson:
        try database.insert([.init(person: added, metric: "steps", values: values)])
      case .removedPerson:
        try execute("DELETE FROM \(rows) WHERE \(own)")
      case .otherWorkouts:
        try database.insert([], workouts: [person: [late, day]])
      case .everyRow:
        try execute("UPDATE \(rows) SET sleep_minutes = sleep_minutes + 1 WHERE steps > \(value)")
      }
    }
    if change == .newPerson { persons.append(added) }
  }

  @Test(arguments: DatabaseKind.allCases, ["v1", "v3"])
  func nightsFindTheSameWithAndWithoutCopies(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    for seed in 1...Repetitions.count(fast: 1, long: 12) {
      var random = SeededGenerator(seed: seed)
      let histories = try RandomHistories(seed: seed, persons: 12, days: 175)
      var persons = histories.persons
      let copied = try histories.database(kind)
      let plain = try copied.copy()
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
          try make(
            .lateValue, in: [copied, plain], persons: &persons, before: day, using: &random)
        }
        for database in [copied, plain] {
          try database.run(
            day...day, thresholds: thresholds, candidate: candidate, kind: .run,
            batchSize: 5, usesHistory: database === copied)
        }
        let label = "seed \(seed), \(day), after \(changes)"
        try expectSame(copied.dump(), plain.dump(), label)
        try expectSame(copied.vitality(), plain.vitality(), label)
        try expectSame(copied.records(), plain.records(), label)
        changes = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let change = Change.allCases.randomElement(using: &random) ?? .lateValue
          try make(change, in: [copied, plain], persons: &persons, before: day, using: &random)
          changes.append("\(change)")
        }
        day = day + Int.random(in: 1...4, using: &random)
      }
      #expect(try copied.database.count("metric_history") > 0)
      #expect(try plain.database.count("metric_history") == 0)
    }
  }

  /// A night uses the contents of a copy, and where these are not what the rows are, a night finds it when the copy has
  /// its turn.
  @Test(arguments: DatabaseKind.allCases)
  func aCopyThatDiffersIsFoundWithinItsTurn(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let histories = try RandomHistories(seed: 3, persons: 6, days: 190)
    let copied = try histories.database(kind)
    let day = Self.first + 150
    try copied.runNightly(day...day, thresholds: thresholds)
    let plain = try copied.copy()
    // The rows change behind the triggers' back.
    let change = "UPDATE wearable_daily_metrics SET steps = steps / 3 WHERE steps > 0"
    try withoutTriggers(of: copied.database, kind) { try copied.database.execute(change) }
    try plain.database.execute(change)
    let log = InMemoryLogHandler()
    try copied.run(day + 1...day + 1, thresholds: thresholds, kind: .run, log: log)
    try plain.run(day + 1...day + 1, thresholds: thresholds, kind: .run)
    #expect(try copied.dump() != plain.dump())
    for night in day + 2...day + 30 {
      for database in [copied, plain] {
        try database.run(
          night...night, thresholds: thresholds, kind: .run, batchSize: 2, log: log)
      }
    }
    #expect(
      log.entries.contains { "\($0.message)".hasPrefix("Copies of metric rows differed") })
    let again = try copied.copy()
    let last = day + 31
    for database in [copied, again] {
      try database.run(
        last...last, thresholds: thresholds, kind: .run, usesHistory: database === copied)
    }
    try expectSame(copied.dump(), again.dump())
  }

  private func withoutTriggers(
    of database: TestDatabase, _ kind: DatabaseKind, _ body: () throws -> Void
  ) throws {
    let table = "wearable_daily_metrics"
    switch kind {
    case .sqlite:
      let triggers = try database.rows(
        "SELECT replace(sql, char(10), ' ') FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '\(table)'"
      )
      for name in ["insert", "update", "delete"] {
        try database.execute("DROP TRIGGER vigil_history_\(name)")
      }
      try body()
      for trigger in triggers { try database.execute(trigger) }
    case .postgres:
      try database.execute("ALTER TABLE \(table) DISABLE TRIGGER USER")
      try body()
      try database.execute("ALTER TABLE \(table) ENABLE TRIGGER USER")
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func withoutItsTriggersADatabaseKeepsNoCopies(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try RandomHistories(seed: 4, persons: 3, days: 160).database(kind)
    let day = Self.first + 150
    try database.runNightly(day...day, thresholds: thresholds)
    #expect(try database.database.count("metric_history") == 3)
    try database.database.execute(
      kind == .sqlite
        ? "DROP TRIGGER vigil_history_update"
        : "DROP TRIGGER vigil_history_update ON wearable_daily_metrics")
    try database.runNightly((day + 1)...(day + 1), thresholds: thresholds)
    #expect(try database.database.count("metric_history") == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func whereTheTableIsEmptiedNoCopyIsLeft(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let histories = try RandomHistories(seed: 6, persons: 6, days: 165)
    let copied = try histories.database(kind)
    let day = Self.first + 150
    try copied.runNightly(day...day, thresholds: thresholds)
    #expect(try copied.database.count("metric_history") == 6)
    let plain = try copied.copy()
    let values = Dictionary(uniqueKeysWithValues: (0..<60).map { (day - $0, 5_000.0) })
    for database in [copied, plain] {
      let table = "wearable_daily_metrics"
      try database.database.execute(
        kind == .sqlite ? "DELETE FROM \(table)" : "TRUNCATE \(table)")
      try database.insert(
        histories.persons.prefix(3).map { .init(person: $0, metric: "steps", values: values) })
      try database.run(
        day + 1...day + 1, thresholds: thresholds, kind: .run, usesHistory: database === copied)
    }
    try expectSame(copied.dump(), plain.dump())
  }

  @Test(arguments: DatabaseKind.allCases)
  func aDamagedCopyIsNotUsed(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let copied = try RandomHistories(seed: 5, persons: 6, days: 165).database(kind)
    let day = Self.first + 150
    try copied.runNightly(day...day, thresholds: thresholds)
    let plain = try copied.copy()
    try copied.database.execute(
      kind == .sqlite
        ? "UPDATE metric_history SET rows = substr(rows, 2)"
        : "UPDATE metric_history SET rows = set_byte(rows, 40, 255 - get_byte(rows, 40))")
    let log = InMemoryLogHandler()
    for night in day + 1...day + 3 {
      try copied.run(night...night, thresholds: thresholds, kind: .run, log: log)
      try plain.run(night...night, thresholds: thresholds, kind: .run)
    }
    try expectSame(copied.dump(), plain.dump())
    // The first of these nights has found it and removed all copies, so that the next made new ones.
    #expect(
      log.entries.filter { "\($0.message)".hasPrefix("Copies of metric rows differed") }.count == 1)
    #expect(try copied.database.count("metric_history") == 6)
  }
}
