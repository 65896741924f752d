import Foundation
import ReferenceKernels
import ShippedThresholds
import TestDatabases
import TestSupport
import Testing
import VigilDetection
import VigilModel
import VigilStorage

/// The public data sets from files to alert states, against the slow twin.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct PublicDataTests {
  @Test(arguments: ["lifesnaps", "welltory_covid", "fitbit2016"], DatabaseKind.allCases)
  func backfillAgreesWithReference(dataset: String, kind: DatabaseKind) throws {
    let folder = try #require(SharedFolder.url("datasets/\(dataset)"))
    let database = try BatchDatabase(kind)
    try database.importFiles(of: folder)
    for profile in ShippedThresholds.names {
      try expectEpisodesOfReference(profile, in: database.copy())
    }
  }

  private func expectEpisodesOfReference(_ profile: String, in database: BatchDatabase) throws {
    let days = try #require(try database.storage.metricDays())
    let thresholds = try BatchDatabase.thresholds(profile)
    try database.run(days, thresholds: thresholds, workers: 2)

    let states = Dictionary(
      grouping: try database.storage.alertStates(matching: AlertFilter()), by: \.series)
    let histories = try histories(in: database, thresholds: thresholds)
    let workouts = try workouts(in: database)
    var found = 0
    for (series, values) in histories {
      let metric = try #require(thresholds.metrics.first { $0.metric == series.metric })
      let reference = ReferenceEpisodes(
        values, workouts: workouts[series.user] ?? [], metric: metric, thresholds: thresholds,
        from: days.lowerBound, notifyingFrom: days.lowerBound, to: days.upperBound)
      let rows = (states[series] ?? []).sorted { $0.episode.activeSince < $1.episode.activeSince }
      #expect(rows.map(Self.summary) == reference.episodes.map(Self.summary), "\(series)")
      found += rows.count
    }
    #expect(found == states.values.reduce(0) { $0 + $1.count })
    #expect(found > 50)
  }

  private static func summary(_ state: PatternAlertState) -> String {
    let episode = state.episode
    return "\(episode.activeSince) \(episode.lastEvaluated) \(episode.duration)"
      + " \(episode.level.rawValue) \(episode.resolution?.day.description ?? "active")"
      + " \(episode.resolution?.reason.rawValue ?? "") \(state.shadowNotifiedLevel?.rawValue ?? 0)"
      + " \(digits(episode.figures.baseline.value)) \(digits(episode.figures.recent.value))"
      + " \(digits(episode.figures.deviation))"
  }

  private static func summary(_ found: ReferenceEpisodes.Found) -> String {
    "\(found.activeSince) \(found.lastEvaluated) \(found.duration) \(found.level.rawValue)"
      + " \(found.resolvedOn?.description ?? "active") \(found.reason ?? "")"
      + " \(found.notifiedLevel?.rawValue ?? 0) \(digits(found.baseline)) \(digits(found.recent))"
      + " \(digits(found.deviation))"
  }

  private static func digits(_ value: Double?) -> String {
    value.map { "\(($0 * 1e8).rounded() / 1e8)" } ?? "none"
  }

  /// Observations by series, cleaned as the specification says, from plain rows.
  private func histories(
    in database: BatchDatabase, thresholds: Thresholds
  ) throws -> [SeriesKey: [Day: Double]] {
    let (columns, rows) = try database.database.result(of: "SELECT * FROM wearable_daily_metrics")
    var result: [SeriesKey: [Day: Double]] = [:]
    for values in rows {
      let row = Dictionary(uniqueKeysWithValues: zip(columns, values))
      let user = try #require(row["user_id"]?.flatMap { UUID(uuidString: $0) })
      let day = try #require(row["metric_date"]?.flatMap { Day($0) })
      let number = { (metric: MetricType) in row[metric.rawValue]?.flatMap { Double($0) } }
      let isWorn = InputTable.wearableMetrics.contains { (number($0) ?? 0) > 0 }
      if thresholds.detectsNonWear && !isWorn { continue }
      for metric in thresholds.wearableMetrics {
        guard let value = number(metric.metric), metric.plausible?.contains(value) ?? true
        else { continue }
        let key = SeriesKey(user: user, metric: metric.metric, pattern: metric.pattern)
        result[key, default: [:]][day] = value
      }
    }
    return result
  }

  private func workouts(in database: BatchDatabase) throws -> [UUID: Set<Day>] {
    let (_, rows) = try database.database.result(
      of: "SELECT user_id, metric_date FROM exercise_sessions")
    var result: [UUID: Set<Day>] = [:]
    for row in rows {
      guard let user = row[0].flatMap({ UUID(uuidString: $0) }),
        let day = row[1].flatMap({ Day($0) })
      else { continue }
      result[user, default: []].insert(day)
    }
    return result
  }
}
