import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

/// Changes of rows between two nights, carried out in databases that are to stay equal.
final class HistoryChanges {
  enum Change: CaseIterable {
    case lateValue, otherDay, removedDays, otherSource, removedSource, newPerson, removedPerson
    case otherWorkouts, everyRow
    case lateDose, changedDose, movedDose, removedDoses, impossibleDose, everyDose
    case otherMedication, removedMedication, otherSchedule, countedUnits
    case archivedRows, restoredRows, erasedPerson
  }

  /// The persons who take medications.
  static let takers = 4

  private let databases: [BatchDatabase]
  private var persons: [UUID]
  /// By database, what has gone from it.
  private let archives: [Archive]
  private let key: ErasureKey

  init(of databases: [BatchDatabase], persons: [UUID]) throws {
    self.databases = databases
    self.persons = persons
    key = try #require(ErasureKey(secret: Data("0123456789abcdef".utf8)))
    archives = databases.map { _ in Archive() }
  }

  private final class Archive: RowArchive {
    private(set) var rows: [ArchivedRows] = []
    private var kept = 0

    func begin() { rows.removeLast(rows.count - kept) }
    func add(_ rows: ArchivedRows) { self.rows.append(rows) }
    func complete() { kept = rows.count }
  }

  /// An instant, as both databases read it.
  private static func noon(_ day: Day) -> String { "\(day)T12:00:00.000000Z" }

  /// Carries a change out in all databases.
  func make(_ change: Change, before day: Day, using random: inout SeededGenerator) throws {
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
    let erased = Bool.random(using: &random) ? person : DoseSample.person(taker)
    let around = "scheduled_time BETWEEN '\(Self.noon(late - 2))' AND '\(Self.noon(late + 2))'"
    for (index, database) in databases.enumerated() {
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
          ) SELECT '\(UUID(name: "late dose \(day) \(late)").lowercased)', id, 'skipped', '\(time)',
            NULL, 'Europe/Madrid', '\(noon)', '\(noon)'
          FROM medications WHERE id = '\(medications[0].lowercased)'
          ON CONFLICT (id) DO NOTHING
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
            AND EXISTS (SELECT 1 FROM medications WHERE id = '\(medications[1].lowercased)')
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
      case .archivedRows:
        _ = try database.storage.removeOldRows(
          [RetentionCutoff(.metrics, before: late), RetentionCutoff(.doses, before: late)],
          at: BatchDatabase.now, into: archives[index])
      case .restoredRows:
        _ = try database.storage.restoreRows { insert in
          for rows in archives[index].rows { _ = try insert(rows) }
        }
      case .erasedPerson:
        _ = try database.storage.erase(
          erased, recording: ErasedPerson(erased, by: key, at: BatchDatabase.now))
      }
    }
    if change == .newPerson { persons.append(added) }
  }
}
