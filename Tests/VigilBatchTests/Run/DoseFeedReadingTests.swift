import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilDetection
import VigilModel
import VigilStorage

/// A feed of doses that breaks (specification, evidence-doses.md section 8): one finding of the operator, and no alert
/// of a family.
@Suite struct DoseFeedReadingTests {
  private static let start = Day(ordinal: 20_454)  // 2026-01-01
  private static let outage = (start + 45)...(start + 49)

  private func database(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try database.insertDoses(persons: 24, from: Self.start, days: 54, seed: 5)
    try database.database.execute(
      """
      DELETE FROM dose_history
      WHERE scheduled_time >= '\(Self.outage.lowerBound)' AND scheduled_time < '\(Self.outage.upperBound + 1)'
      """)
    return database
  }

  private func alerts(_ database: BatchDatabase) throws -> Int {
    try database.storage.alertStates(
      matching: AlertFilter(metric: MetricType("dose_adherence_pct"))
    ).count { $0.episode.resolution?.reason != .retracted }
  }

  @Test(arguments: DatabaseKind.allCases)
  func dosesWithoutARecordAreNoMissesWhileTheFeedIsBroken(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let database = try database(kind)
    for night in (Self.start + 44)...(Self.start + 52) {
      let run = try database.run(
        night...night, thresholds: thresholds, kind: .run,
        at: BatchDatabase.now.adding(seconds: Int64(night - Self.start) * 86_400))
      let feed = try #require(run.doseFeed)
      #expect(feed.usual >= 22, "\(night)")
      let known = Self.outage.filter { $0 <= night }
      #expect(feed.brokenDays == (known.count < 3 ? [] : Array(known)), "\(night)")
      // Two days without rows, and a dose that was missed before them, may look like misses until the third comes.
      let found = try alerts(database)
      #expect(found <= (known.count < 3 ? 4 : 0), "\(night): \(found)")
      let finding = try ProductionCheck(day: night + 1, mode: .shadow, at: BatchDatabase.now)
        .findings(in: database.storage).first { $0.check == "dose feed" }
      #expect((finding?.status == .warning) == feed.isBroken(on: night), "\(night)")
    }
    let runs = try database.storage.runs(limit: 20)
    #expect(runs.contains { $0.doseFeed?.brokenDays == Array(Self.outage) })
  }

  @Test(arguments: DatabaseKind.allCases)
  func withoutALimitEveryPersonIsAnAlert(kind: DatabaseKind) throws {
    var thresholds = try BatchDatabase.thresholds("v3")
    for index in thresholds.metrics.indices { thresholds.metrics[index].doses?.feedLimit = nil }
    let database = try database(kind)
    let night = Self.outage.upperBound
    let run = try database.run(night...night, thresholds: thresholds, kind: .run)
    #expect(run.doseFeed == nil)
    #expect(try alerts(database) > 20)
  }
}
