import Benchmark
import Foundation
import ShippedThresholds
import VigilDetection
import VigilModel
import VigilVitality

/// 1,000 generated people x 90 days, the same rows for scores and for detection: one iteration is
/// 90,000 person-days.
func vitalityBenchmarks() {
  Benchmark("vitality scores, 90 k person-days") { benchmark in
    let data = try VitalityData.shared.get()
    let scorer = VitalityScorer(settings: data.settings["v1"].scores)
    let scores = ScoreBlock(personCount: VitalityData.people, days: data.block.days)
    scorer.score(data.block, birthDates: data.birthDates, into: scores)
    precondition(scores.computedRowCount > VitalityData.people * 80)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      scores.reset(personCount: VitalityData.people, days: data.block.days)
      scorer.score(data.block, birthDates: data.birthDates, into: scores)
      blackHole(scores)
    }
    benchmark.stopMeasurement()
  }

  for profile in CoreData.Profile.allCases {
    Benchmark("detection on the same data, \(profile), 90 k person-days") { benchmark in
      guard let data = try VitalityData.detection.get()[profile] else {
        preconditionFailure("there is data for every profile")
      }
      let fold = BlockFold(thresholds: data.thresholds, metrics: data.metrics)
      var result = FoldResult()
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        fold.fold(data.block, over: data.window, into: &result)
        blackHole(result.episodes.count)
      }
      benchmark.stopMeasurement()
    }
  }

  for profile in ["v1", "v2"] {
    Benchmark("trend insights of one day, \(profile), 1,000 people") { benchmark in
      let data = try VitalityData.shared.get()
      let settings = data.settings[profile]
      let scores = ScoreBlock(personCount: VitalityData.people, days: data.block.days)
      VitalityScorer(settings: settings.scores)
        .score(data.block, birthDates: data.birthDates, into: scores)
      let evaluator = TrendEvaluator(settings: settings.trends)
      let users = (0..<VitalityData.people).map { UUID(name: "\($0)") }
      let day = data.block.days.upperBound
      let found = evaluator.evaluate(scores, users: users, on: day)
      precondition(
        found.contains { $0.insights.contains { ($0.slope != nil) == (profile == "v2") } })
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        blackHole(evaluator.evaluate(scores, users: users, on: day).count)
      }
      benchmark.stopMeasurement()
    }

    Benchmark("trend insights of 60 days, \(profile), 60 k person-days") { benchmark in
      let data = try VitalityData.shared.get()
      let settings = data.settings[profile]
      let scores = ScoreBlock(personCount: VitalityData.people, days: data.block.days)
      VitalityScorer(settings: settings.scores)
        .score(data.block, birthDates: data.birthDates, into: scores)
      let evaluator = TrendEvaluator(settings: settings.trends)
      let users = (0..<VitalityData.people).map { UUID(name: "\($0)") }
      let days = (data.block.days.upperBound - 59)...data.block.days.upperBound
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        blackHole(evaluator.evaluate(scores, users: users, over: days).count)
      }
      benchmark.stopMeasurement()
    }
  }
}

/// The columns that scores need, of the same people as `CoreData` generates.
struct VitalityData {
  /// By profile.
  struct Settings {
    let v1: VitalitySettings
    let v2: VitalitySettings

    subscript(profile: String) -> VitalitySettings { profile == "v2" ? v2 : v1 }
  }

  let settings: Settings
  let block: ObservationBlock
  let birthDates: [Day?]

  static let people = 1000
  static let dayCount = 90

  // Made once, as that takes longer than many samples. Blocks are not Sendable; benchmarks run one
  // after the other and change none of it.
  nonisolated(unsafe) static let shared = Result { try VitalityData() }
  nonisolated(unsafe) static let detection = Result {
    try Dictionary(
      uniqueKeysWithValues: CoreData.Profile.allCases.map { profile in
        let thresholds = try profile.thresholds()
        let data = try CoreData(
          thresholds: thresholds, metrics: thresholds.wearableMetrics, people: people,
          dayCount: dayCount)
        return (profile, data)
      })
  }

  init() throws {
    func shipped(_ name: String) throws -> VitalitySettings {
      guard let file = ShippedThresholds.named("vitality.\(name)") else {
        preconditionFailure("\(name) ships")
      }
      return try VitalitySettings(json: Data(file), file: name, digest: "")
    }
    settings = Settings(v1: try shipped("v1"), v2: try shipped("v2"))
    let metrics = VitalityMetric.columns.map {
      MetricThresholds(metric: $0, unit: "", pattern: .drop, rules: [.init(.percentDropAtLeast, 1)])
    }
    block = try CoreData(
      thresholds: try CoreData.Profile.v1.thresholds(), metrics: metrics, people: Self.people,
      dayCount: Self.dayCount
    ).block
    guard let birth = Day("1920-01-01") else { preconditionFailure("a date") }
    // Ages from 8 to 106, and some that are unknown.
    birthDates = (0..<Self.people).map { $0 % 7 == 0 ? nil : birth + $0 * 36 }
  }
}
