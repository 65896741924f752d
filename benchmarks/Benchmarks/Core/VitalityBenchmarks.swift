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
    let data = try VitalityData()
    let scorer = VitalityScorer(settings: data.settings.scores)
    let scores = ScoreBlock(personCount: data.people, days: data.block.days)
    scorer.score(data.block, birthDates: data.birthDates, into: scores)
    precondition(scores.computedRowCount > data.people * 80)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      scores.reset(personCount: data.people, days: data.block.days)
      scorer.score(data.block, birthDates: data.birthDates, into: scores)
      blackHole(scores)
    }
    benchmark.stopMeasurement()
  }

  for profile in [CoreData.Profile.v1, .neverDeviates] {
    Benchmark("detection on the same data, \(profile), 90 k person-days") { benchmark in
      let thresholds = try profile.thresholds()
      let data = try CoreData(
        thresholds: thresholds, metrics: thresholds.wearableMetrics, people: VitalityData.people,
        dayCount: VitalityData.dayCount)
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
      let data = try VitalityData(profile: profile)
      let scores = ScoreBlock(personCount: data.people, days: data.block.days)
      VitalityScorer(settings: data.settings.scores)
        .score(data.block, birthDates: data.birthDates, into: scores)
      let evaluator = TrendEvaluator(settings: data.settings.trends)
      let users = (0..<data.people).map { UUID(name: "\($0)") }
      let day = data.block.days.upperBound
      precondition(evaluator.evaluate(scores, users: users, on: day).count == data.people)
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        blackHole(evaluator.evaluate(scores, users: users, on: day).count)
      }
      benchmark.stopMeasurement()
    }
  }
}

/// The columns that scores need, of the same people as `CoreData` generates.
struct VitalityData {
  let settings: VitalitySettings
  let block: ObservationBlock
  let birthDates: [Day?]

  static let people = 1000
  static let dayCount = 90
  var people: Int { Self.people }

  init(profile: String = "v1") throws {
    guard let shipped = ShippedThresholds.named("vitality.\(profile)"),
      let birth = Day("1920-01-01")
    else { preconditionFailure("it ships") }
    settings = try VitalitySettings(json: Data(shipped), file: profile, digest: "")
    var thresholds = try CoreData.Profile.v1.thresholds()
    thresholds.merge = .max
    let metrics = VitalityMetric.columns.map {
      MetricThresholds(metric: $0, unit: "", pattern: .drop, rules: [.init(.percentDropAtLeast, 1)])
    }
    block = try CoreData(
      thresholds: thresholds, metrics: metrics, people: Self.people, dayCount: Self.dayCount
    ).block
    // All ages from 6 to 106, and some that are unknown.
    birthDates = (0..<Self.people).map { $0 % 7 == 0 ? nil : birth + $0 * 36 }
  }
}
