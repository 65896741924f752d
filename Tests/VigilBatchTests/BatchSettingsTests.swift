import Foundation
import Testing
import VigilDetection
import VigilModel
import VigilStorage

@testable import VigilBatch

@Suite struct BatchSettingsTests {
  @Test(arguments: [("2026-06-30", 1024), ("2000-01-01", 32), ("0001-01-01", 1)])
  func blockStaysWithinItsMemoryHoweverLongTheRange(from: String, most: Int) throws {
    let first = try #require(Day(from))
    let last = try #require(Day("2026-06-30"))
    let settings = BatchSettings(
      kind: .backfill, days: first...last, mode: .shadow,
      thresholds: try BatchDatabase.thresholds("v1"), vitality: try BatchDatabase.vitality("v1"),
      runID: UUID(), host: "test", engineVersion: "test")
    let window = settings.window.loaded
    let perPerson =
      (window.upperBound - window.lowerBound + 1) * settings.thresholds.wearableMetrics.count
    #expect((1...most).contains(settings.personsPerBatch))
    #expect(settings.personsPerBatch == 1 || settings.personsPerBatch * perPerson <= 512 * 1024)
  }
}
