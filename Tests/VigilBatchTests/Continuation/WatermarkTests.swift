import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

/// The watermarks that runs record.
@Suite struct WatermarkTests {
  private static let first = Day(ordinal: 20_000)
  private static let days = (first + 20)...(first + 39)

  @Test(arguments: DatabaseKind.allCases)
  func aRunCountsTheRowsThatAreNewerThanTheWatermarkOfTheOneBefore(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try BatchDatabase(kind)
    try database.insert(
      (0..<3).map { index in
        .init(
          person: UUID(name: "watermark \(index)"), metric: "steps",
          values: RandomSeries(seed: 300 + index, days: 40).byDay(from: Self.first))
      })
    let night = Self.days.upperBound
    let before = try database.run(Self.days, thresholds: thresholds)
    #expect(before.watermark == BatchDatabase.now)
    #expect(before.counts.rowsChanged == 0)

    let correction = BatchDatabase.now.adding(seconds: 60)
    try database.database.execute(
      """
      UPDATE wearable_daily_metrics SET updated_at = '\(correction)'
      WHERE metric_date >= '\(night - 1)'
      """)
    let changed = try database.database.count(
      "wearable_daily_metrics WHERE metric_date >= '\(night - 1)'")
    #expect(changed > 0)
    let later = correction.adding(seconds: 60)
    let stopped = try database.run(
      night...night, thresholds: thresholds, kind: .run, at: later, shouldStop: { true })
    #expect(stopped.status == .interrupted)
    let after = try database.run(night...night, thresholds: thresholds, kind: .run, at: later)
    #expect(after.watermark == correction)
    #expect(after.counts.rowsChanged == changed)
    let again = try database.run(night...night, thresholds: thresholds, kind: .run, at: later)
    #expect(again.counts.rowsChanged == 0)
    #expect(again.watermark == correction)
  }
}
