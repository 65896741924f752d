import Foundation
import TestDatabases
import Testing
import VigilBatch
import VigilModel
import VigilStorage

/// Rows of doses that cannot be used count for the limit like those of metrics (specification, runs.md
/// section 5): a run that took all doses to be missed would alarm everybody.
@Suite("Unusable doses")
struct UnusableDosesTests {
  private static let start = Day(ordinal: 20_454)  // 2026-01-01

  private func run(
    _ database: BatchDatabase, on day: Day, maxBadRowFraction: Double = 0.01
  ) throws -> RunRecord {
    try database.run(
      day...day, thresholds: BatchDatabase.thresholds("v1"), kind: .run,
      maxBadRowFraction: maxBadRowFraction)
  }

  @Test("too many fail the run before it writes", arguments: DatabaseKind.allCases)
  func refuses(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try database.insertDoses(persons: 3, from: Self.start, days: 75, seed: 3)
    let day = Self.start + 60
    let medication = DoseSample.medication(person: 1, medication: 0).lowercased
    try database.database.execute(
      "UPDATE dose_history SET recorded_timezone = 'Nowhere' WHERE medication_id = '\(medication)'")
    let error = try #require(throws: BatchError.self) { try run(database, on: day) }
    #expect(error.code == .tooManyUnusableRows)
    #expect(error.description.contains("of dose_history with an unknown time zone"))
    #expect(!error.description.contains("estimate"))
    for table in [
      "dose_analytics", "pattern_alert_state", "batch_checkpoints", "schedule_versions",
    ] {
      #expect(try database.database.count(table) == 0)
    }
    #expect(try database.storage.runs(limit: 1).map(\.status) == [.failed])
    #expect(try run(database, on: day, maxBadRowFraction: 0.5).status == .succeeded)
    #expect(try database.database.count("quarantined_rows") > 50)
  }

  @Test("one in a thousand does no harm", arguments: DatabaseKind.allCases)
  func putsUpWithFew(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try database.insertDoses(persons: 4, from: Self.start, days: 75, seed: 3)
    let dose = DoseSample.dose(person: 1, medication: 0, day: 50, time: 0).lowercased
    try database.database.execute(
      "UPDATE dose_history SET recorded_timezone = 'Nowhere' WHERE id = '\(dose)'")
    #expect(try run(database, on: Self.start + 60).status == .succeeded)
    #expect(try database.database.count("quarantined_rows") == 1)
  }

  @Test("of many persons a part stands for all")
  func estimates() throws {
    let database = try BatchDatabase(.sqlite)
    try database.insertDoses(persons: 1_100, from: Self.start, days: 2, seed: 3)
    let day = Self.start + 1
    try database.database.execute("UPDATE dose_history SET recorded_timezone = 'Nowhere'")
    let error = try #require(throws: BatchError.self) { try run(database, on: day) }
    #expect(error.description.contains("cannot be used (doses by an estimate)"))
    #expect(try database.database.count("dose_analytics") == 0)
  }
}
