import Foundation
import TestDatabases
import Testing
import VigilModel
import VigilStorage

@testable import VigilBatch

/// The expiry date of a medication, from the night that finds it near to the queue.
@Suite("Expiry dates in runs")
struct ExpiryRunTests {
  private static let expiry = 20

  private func database(_ kind: DatabaseKind, expires day: Int? = expiry) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try MorningTablets.insertFamily(into: database)
    try state(expiry: day, in: database)
    try MorningTablets.insertSchedule(into: database)
    return database
  }

  private func state(
    expiry day: Int?, missedAfter minutes: Int64? = nil, in database: BatchDatabase
  ) throws {
    try database.storage.importRows { writer in
      let medications = try writer.inserter(
        into: .medications,
        columns: [
          "id", "user_id", "name", "dosage", "form", "start_date", "expires_on",
          "missed_after_minutes",
        ], now: BatchDatabase.now)
      try medications.upsert([
        .uuid(MorningTablets.tablets), .uuid(MorningTablets.anna), .text("Secretin"), .text("5 mg"),
        .text("pill"), .day(MorningTablets.start),
        day.map { .day(MorningTablets.start + $0) } ?? .null,
        minutes.map { .integer($0) } ?? .null,
      ])
    }
  }

  private func night(
    _ days: ClosedRange<Int>, profile: String = "v3", mode: RunRecord.Mode = .live,
    in database: BatchDatabase
  ) throws {
    try MorningTablets.take(Array(0...days.upperBound), in: database)
    try database.run(
      (MorningTablets.start + days.lowerBound)...(MorningTablets.start + days.upperBound),
      thresholds: BatchDatabase.thresholds(profile), kind: days.count == 1 ? .run : .backfill,
      mode: mode, continuing: false, at: MorningTablets.instant(after: days.upperBound, hours: 0))
  }

  private func alerts(in database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter(metric: .expiryDue))
  }

  private func templates(in database: BatchDatabase) throws -> [String] {
    try database.database.rows(
      """
      SELECT template_id FROM notification_queue
      WHERE template_id LIKE 'expiry_due.%' AND channel = 'push' ORDER BY created_at, level
      """)
  }

  @Test(arguments: DatabaseKind.allCases, ["v1", "v3"])
  func nightsNotifyAtEachLevelUntilThereIsANewPackage(kind: DatabaseKind, profile: String) throws {
    let database = try database(kind)
    for day in 10...32 {
      try night(day...day, profile: profile, in: database)
      let alert = try alerts(in: database).first
      #expect((alert == nil) == (day < 13), "\(day)")
      #expect(alert.map { $0.episode.activeSince - MorningTablets.start } ?? 13 == 13)
    }
    let alert = try #require(try alerts(in: database).first)
    #expect(alert.series.medication == MorningTablets.tablets && alert.episode.isActive)
    #expect(alert.episode.level.rawValue == 21 && alert.episode.duration == 20)
    #expect(
      try templates(in: database) == [3, 7, 14, 21].map { "expiry_due.level_\($0)" })
    // The new package: a later date ends the alert with the next night, and notifies no one.
    try state(expiry: 400, in: database)
    try night(33...33, profile: profile, in: database)
    let ended = try #require(try alerts(in: database).first)
    #expect(ended.episode.resolution?.reason == .recovered)
    #expect(try templates(in: database).count == 4)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aBackfillWritesWhatNightsWrite(kind: DatabaseKind) throws {
    let nights = try database(kind)
    for day in 10...24 { try night(day...day, mode: .shadow, in: nights) }
    let backfill = try database(kind)
    try night(10...24, mode: .shadow, in: backfill)
    let found = try [nights, backfill].map { try alerts(in: $0).map(\.episode) }
    #expect(found[0] == found[1] && found[0].count == 1)
    // Without a date there is none.
    let none = try database(kind, expires: nil)
    try night(10...24, mode: .shadow, in: none)
    #expect(try alerts(in: none).isEmpty)
  }

  @Test("a dose is missed after the time of its medication")
  func missedAfter() throws {
    func missed(after minutes: Int64?, hours: Int64) throws -> String? {
      let database = try database(.sqlite, expires: nil)
      try state(expiry: nil, missedAfter: minutes, in: database)
      try MorningTablets.take(Array(0...9), in: database)
      let day = MorningTablets.start + 10
      try database.run(
        day...day, thresholds: BatchDatabase.thresholds("v3"), kind: .run, mode: .shadow,
        continuing: false, at: day.midnight.adding(seconds: (8 + hours) * 3600))
      return try database.database.rows(
        """
        SELECT missed_doses FROM dose_analytics
        WHERE medication_id IS NOT NULL AND period_end = '\(day)' AND period_start = '\(day - 6)'
        """
      ).first
    }
    // The flexibility is an hour: after 4 hours more, or after what the row says.
    #expect(try missed(after: nil, hours: 4) == "0")
    #expect(try missed(after: nil, hours: 6) == "1")
    #expect(try missed(after: 30, hours: 2) == "1")
    #expect(try missed(after: 1440, hours: 12) == "0")
  }
}
