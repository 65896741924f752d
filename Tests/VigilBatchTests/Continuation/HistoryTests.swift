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

/// Nights that read rows from copies find what nights find that read all rows.
@Suite struct HistoryTests {
  private static let first = RandomHistories.first

  /// A change of rows between two nights.
  private enum Change: CaseIterable {
    case lateValue, otherDay, removedDays, otherSource, removedSource, newPerson, removedPerson
    case otherWorkouts, everyRow
    case lateDose, changedDose, movedDose, removedDoses, impossibleDose, everyDose
    case otherMedication, removedMedication, otherSchedule, countedUnits
  }

  private static let takers = 4
  private static let instants: Set = ["run_id", "computed_at", "created_at", "updated_at"]

  /// An instant, as both databases read it.
  private static func noon(_ day: Day) -> String { "\(day)T12:00:00.000000Z" }

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
    let taker = Int.random(in: 0..<Self.takers, using: &random)
    let medications = [0, 1].map { DoseSample.medication(person: taker, medication: $0) }
    let medication = "medication_id = '\(medications[0].lowercased)'"
    let noon = Self.noon(late)
    let around = "scheduled_time BETWEEN '\(Self.noon(late - 2))' AND '\(Self.noon(late + 2))'"
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
      case .lateDose, .impossibleDose:
        // SQLite takes a 31st of any month.
        let isImpossible = change == .impossibleDose && database.database.kind == .sqlite
        let time = isImpossible ? "\(late)".prefix(8) + "31T12:00:00.000000Z" : noon[...]
        try execute(
          """
          INSERT INTO dose_history (
            id, medication_id, status, scheduled_time, actual_time, recorded_timezone, created_at,
            updated_at
          ) VALUES (
            '\(UUID(name: "late dose \(day) \(late)").lowercased)', '\(medications[0].lowercased)',
            'skipped', '\(time)', NULL, 'Europe/Madrid', '\(noon)', '\(noon)'
          ) ON CONFLICT (id) DO NOTHING
          """)
      case .changedDose:
        try execute(
          "UPDATE dose_history SET status = 'missed', actual_time = NULL WHERE \(medication) AND \(around)"
        )
      case .movedDose:
        try execute(
          "UPDATE dose_history SET actual_time = '\(Self.noon(late + 9))' WHERE \(medication) AND \(around)"
        )
      case .removedDoses:
        try execute("DELETE FROM dose_history WHERE \(medication) AND \(around)")
      case .everyDose:
        try execute("UPDATE dose_history SET status = 'skipped' WHERE \(around)")
      case .otherMedication:
        try execute(
          """
          UPDATE dose_history SET medication_id = '\(medications[1].lowercased)', schedule_id = NULL
          WHERE \(medication) AND \(around)
          """)
      case .removedMedication:
        try execute("DELETE FROM medications WHERE id = '\(medications[1].lowercased)'")
      case .otherSchedule:
        // Its doses lose it.
        try execute(
          "DELETE FROM schedules WHERE id = '\(DoseSample.schedule(person: taker, medication: 1).lowercased)'"
        )
      case .countedUnits:
        // What was taken since is read, however long ago.
        try execute(
          """
          UPDATE medications SET refill_remaining_quantity = 90, refill_counted_at = '\(noon)',
            refill_reminder_threshold = 20, refill_reminder_enabled = TRUE
          WHERE id = '\(medications[0].lowercased)'
          """)
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
      try copied.insertDoses(persons: Self.takers, from: Self.first, days: 175, seed: seed)
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
        try expectSameResults(copied, plain, label)
        try expectSame(copied.records(), plain.records(), label)
        changes = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let change = Change.allCases.randomElement(using: &random) ?? .lateValue
          try make(change, in: [copied, plain], persons: &persons, before: day, using: &random)
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
      for database in [copied, plain] {
        try database.run(
          night...night, thresholds: thresholds, kind: .run, batchSize: 2, log: log)
      }
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
