import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// A decision knows nothing of the days after it.
@Suite struct TruncationTests {
  @Test(arguments: DatabaseKind.withProfiles)
  func rowsAfterADayChangeNoDecisionUpToIt(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let histories = try RandomHistories(
      seed: 41, persons: kind == .sqlite ? 60 : 30, days: 170)
    #expect(histories.seriesCount > 200)
    let nights = (histories.days.upperBound - 20)...histories.days.upperBound
    let whole = try histories.database(kind)
    let fresh = try whole.copy()
    var random = SeededGenerator(seed: 41)
    let cuts = Set((0..<3).map { _ in nights.lowerBound + Int.random(in: 0..<20, using: &random) })
    for night in nights where night <= cuts.max() ?? night {
      try whole.run(night...night, thresholds: thresholds, kind: .run)
      guard cuts.contains(night) else { continue }
      let truncated = try fresh.copy()
      for table in ["wearable_daily_metrics", "exercise_sessions"] {
        try truncated.database.execute("DELETE FROM \(table) WHERE metric_date > '\(night)'")
      }
      try truncated.run(nights.lowerBound...night, thresholds: thresholds)
      let expected = try truncated.dump()
      #expect(expected.count > (profile.hasPrefix("v3") ? 5 : 100))
      try expectSame(whole.dump(), expected, "up to \(night)")
    }
  }
}
