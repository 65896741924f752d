import Foundation
import ShippedThresholds
import VigilBatch
import VigilDetection
import VigilImport
import VigilModel
import VigilSQLite
import VigilStorage
import VigilZones

/// A year, if nothing else is asked for, of generated people in memory, read through the same path as a backfill's.
struct CoreData {
  let thresholds: Thresholds
  let metrics: [MetricThresholds]
  let window: FoldWindow
  let block: ObservationBlock

  static let dayCount = 365

  enum Profile: String, CaseIterable, CustomStringConvertible {
    case v1
    case v2
    case v3
    /// v3 with higher thresholds, and the metrics of a person followed together.
    case v3Strict = "v3-strict"
    /// v1 with rules that no day matches: the evaluation without any episode.
    case neverDeviates = "never-deviates"

    var description: String { rawValue }

    /// Fewer episodes in a million series-days show that the data are not what they were.
    var leastEpisodes: Int {
      switch self {
      case .v1, .v2: 10_000
      case .v3, .v3Strict: 100
      case .neverDeviates: 0
      }
    }

    func thresholds() throws -> Thresholds {
      guard let shipped = ShippedThresholds.named(self == .neverDeviates ? "v1" : rawValue) else {
        preconditionFailure("\(self) ships")
      }
      var thresholds = try Thresholds(json: Data(shipped), file: rawValue, digest: "")
      if self == .neverDeviates {
        for index in thresholds.metrics.indices {
          let isDrop = thresholds.metrics[index].pattern == .drop
          thresholds.metrics[index].rules = [
            MetricRule(isDrop ? .percentDropAtLeast : .percentRiseAtLeast, 1)
          ]
        }
      }
      return thresholds
    }
  }

  init(profile: Profile, seriesDays: Int) throws {
    let thresholds = try profile.thresholds()
    let people = seriesDays / (Self.dayCount * thresholds.wearableMetrics.count)
    try self.init(
      thresholds: thresholds, metrics: thresholds.wearableMetrics, people: people,
      dayCount: Self.dayCount)
  }

  init(
    thresholds: Thresholds, metrics: [MetricThresholds], people: Int, dayCount: Int
  ) throws {
    guard let end = Day("2026-06-30") else { preconditionFailure("a date") }
    self.thresholds = thresholds
    self.metrics = metrics
    let days = (end - (dayCount - 1))...end
    window = FoldWindow(wholeHistory: days)
    block = ObservationBlock(personCount: people, metricCount: metrics.count, days: days)

    let folder = FileManager.default.temporaryDirectory.appending(
      path: "vigil-benchmark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try SyntheticData(
      people: people, days: dayCount, seed: 1, endDate: end, medications: 0
    ).write(to: folder.path)
    let now = Timestamp(microseconds: 1_800_000_000_000_000)
    let storage = try SQLiteStorage(
      path: folder.appending(path: "vigil.sqlite").path, mode: .createIfMissing)
    _ = try storage.migrate(at: now)
    _ = try CSVFolderImport(
      folder: folder.path,
      options: ImportOptions(
        today: end, now: now, zones: ZoneCatalog(source: ZoneFolder.system()))
    ).run(into: storage)
    let persons = try storage.persons(withDataIn: days)
    let columns = try storage.metricColumns().numeric
    let observations = ObservationBuilder(
      block: block, metrics: metrics, thresholds: thresholds,
      wearColumns: thresholds.wearColumns(beside: metrics, where: columns.contains))
    let reader = try storage.makeReader()
    try reader.readMetrics(
      of: persons, days: days, metrics: observations.columns,
      reportsWear: thresholds.nonWear != nil, into: observations)
    observations.finish()
    try reader.readWorkoutDays(of: persons, days: days) { block.addWorkout(person: $0, day: $1) }
  }
}
