import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

/// Missed doses under v3, through the engine and both databases.
@Suite struct DoseEvidenceRunTests {
  private static let start = Day(ordinal: 20_454)  // 2026-01-01
  private static let days = (start + 50)...(start + 74)

  private func database(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try database.insertDoses(persons: 4, from: Self.start, days: 75, seed: 3)
    return database
  }

  private func alerts(_ database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(
      matching: AlertFilter(metric: MetricType("dose_adherence_pct")))
  }

  @Test(arguments: DatabaseKind.allCases)
  func nightsAndABackfillFindTheDosesThatWereMissed(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let nightly = try database(kind)
    try nightly.runNightly(Self.days, thresholds: thresholds)
    let backfill = try database(kind)
    try backfill.run(Self.days, thresholds: thresholds, workers: 2, batchSize: 2)
    try expectSame(nightly.alertStates(), backfill.alertStates())
    try expectSame(nightly.queue(), backfill.queue())
    let found = try alerts(backfill)
    // Of 95 % of the doses, 20 % are left from day 56 on.
    #expect(found.count == 4)
    for alert in found {
      let doses = try #require(alert.episode.doses)
      #expect(alert.episode.isActive && alert.startsEvent)
      #expect((Self.start + 54...Self.start + 60).contains(alert.episode.activeSince))
      #expect(doses.openedOn >= alert.episode.activeSince + 2)
      #expect(doses.missedShare > 0.5 && doses.anchor.missedShare < 0.15)
      #expect(doses.recordedOn != nil)
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func aBackfillResumesWhatAnotherFound(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let whole = try database(kind)
    try whole.run(Self.days, thresholds: thresholds)
    let resumed = try database(kind)
    try resumed.run(
      Self.days.lowerBound...(Self.start + 62), thresholds: thresholds)
    try resumed.run(
      (Self.start + 63)...Self.days.upperBound, thresholds: thresholds)
    try expectSame(resumed.alertStates(), whole.alertStates())
  }

  @Test func bothDatabasesHoldTheSame() throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let found = try DatabaseKind.allCases.map { kind in
      let database = try database(kind)
      try database.run(Self.days, thresholds: thresholds)
      return try database.alertStates()
    }
    try expectSame(found[0], found[1])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aPayloadSaysHowManyDosesWereMissed(kind: DatabaseKind) throws {
    let database = try database(kind)
    try database.run(Self.days, thresholds: BatchDatabase.thresholds("v3"))
    let payloads = try database.queue().filter { $0.contains("dose_adherence_pct") }
    for payload in payloads {
      #expect(payload.contains(#""is_recorded":true"#) && payload.contains(#""usual":{"#))
    }
  }
}
