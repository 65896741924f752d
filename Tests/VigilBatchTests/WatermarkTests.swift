import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilModel
import VigilStorage

/// What a run records of when its input was written.
@Suite struct WatermarkTests {
  private static let days = Day(ordinal: 20_100)...Day(ordinal: 20_119)

  @Test(arguments: DatabaseKind.allCases)
  func aRunRecordsTheNewestUpdateAndCountsRowsThatChangedSinceTheRunBefore(
    kind: DatabaseKind
  ) throws {
    let database = try BatchDatabase(kind)
    let values = Dictionary(uniqueKeysWithValues: Self.days.map { ($0, 5_000.0) })
    try database.insert(
      (0..<6).map { .init(person: UUID(name: "mark \($0)"), metric: "steps", values: values) })
    let thresholds = try BatchDatabase.thresholds("v1")
    let last = Self.days.upperBound
    func night(_ day: Day) throws -> RunRecord {
      try database.run(day...day, thresholds: thresholds, kind: .run, workers: 2, batchSize: 2)
    }
    let first = try night(last)
    #expect(first.watermark == BatchDatabase.now)
    #expect(first.counts.rowsChanged == 0)

    let later = BatchDatabase.now.adding(seconds: 3600)
    let unchanged = UUID(name: "mark 3").lowercased
    try database.database.execute(
      """
      UPDATE wearable_daily_metrics SET updated_at = '\(later)'
      WHERE metric_date IN ('\(last)', '\(last - 1)') AND user_id <> '\(unchanged)'
      """)
    let second = try night(last + 1)
    #expect(second.watermark == later)
    #expect(second.counts.rowsChanged == 10)
    #expect(try database.storage.run(id: second.id) == second)
  }
}
