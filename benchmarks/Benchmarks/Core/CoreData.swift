import Foundation
import ShippedThresholds
import VigilBatch
import VigilDetection
import VigilImport
import VigilModel
import VigilSQLite
import VigilStorage

/// A year of generated people in memory, read through the same path as a backfill's.
struct CoreData {
  let thresholds: Thresholds
  let metrics: [MetricThresholds]
  let window: FoldWindow
  let block: ObservationBlock

  static let dayCount = 365

  init(profile: String, seriesDays: Int) throws {
    guard let file = ShippedThresholds.named(profile), let end = Day("2026-06-30") else {
      preconditionFailure("no shipped profile \(profile)")
    }
    thresholds = try Thresholds(json: Data(file), file: profile, digest: "")
    metrics = thresholds.wearableMetrics
    let days = (end - (Self.dayCount - 1))...end
    window = FoldWindow(wholeHistory: days)
    let people = seriesDays / (Self.dayCount * metrics.count)
    block = ObservationBlock(personCount: people, metricCount: metrics.count, days: days)

    let folder = FileManager.default.temporaryDirectory.appending(
      path: "vigil-benchmark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try SyntheticData(people: people, days: Self.dayCount, seed: 1, endDate: end)
      .write(to: folder.path)
    let now = Timestamp(microseconds: 1_800_000_000_000_000)
    let storage = try SQLiteStorage(
      path: folder.appending(path: "vigil.sqlite").path, mode: .createIfMissing)
    _ = try storage.migrate(at: now)
    _ = try CSVFolderImport(folder: folder.path, options: ImportOptions(today: end, now: now))
      .run(into: storage)
    let persons = try storage.persons(withDataIn: days)
    let observations = ObservationBuilder(block: block, metrics: metrics, thresholds: thresholds)
    let reader = try storage.makeReader()
    try reader.readMetrics(
      of: persons, days: days, metrics: metrics.map(\.metric),
      reportsWear: thresholds.detectsNonWear, into: observations)
    observations.finish()
    try reader.readWorkoutDays(of: persons, days: days) { block.addWorkout(person: $0, day: $1) }
  }
}
