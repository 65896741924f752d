import Foundation
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// One history of `evidence-person.json` with its episodes, those of the metrics together among them.
struct CombinedFixture: Decodable, Sendable {
  static let all: [CombinedFixture] = SpecificationFixtures.cases("evidence-person.json")

  var name: String
  var first: Day
  var last: Day
  var values: [String: [String: Double]]
  var workouts: [Day]
  /// By metric, the day of recognition and the first day of the other device, in one.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  var device_changes: [String: Day]
  var expected: Expected

  struct Expected: Decodable, Sendable {
    var combined: [Combined]
    var metrics: [String: [Episode]]
    /// In the order of openings.
    var events: [Event]
  }

  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Event: Decodable, Hashable, Sendable {
    var opened_on: Day
    var active_since: Day
    var metric: String
    /// Counted from 1.
    var event: Int
    /// `starts`, `joins` or `joins_with_notice`.
    var opening: String
  }

  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Episode: Decodable, Hashable, Sendable {
    var active_since: Day
    var opened_on: Day
    var resolved_on: Day?
    var resolution_reason: String?
    var current_level: Int
    /// The first day of each level.
    var level_days: [String: Day]
  }

  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Combined: Decodable, Sendable {
    var window_days: Int
    var evidence: Double
    var threshold: Double
    var metrics_taking_part: Int
    var unchanged: [String]
    var contributing: [Contribution]
    var episode: Episode

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      window_days = try container.decode(Int.self, forKey: .window_days)
      evidence = try container.decode(Double.self, forKey: .evidence)
      threshold = try container.decode(Double.self, forKey: .threshold)
      metrics_taking_part = try container.decode(Int.self, forKey: .metrics_taking_part)
      unchanged = try container.decode([String].self, forKey: .unchanged)
      contributing = try container.decode([Contribution].self, forKey: .contributing)
      episode = try Episode(from: decoder)
    }

    private enum CodingKeys: CodingKey {
      case window_days, evidence, threshold, metrics_taking_part, unchanged, contributing
    }
  }

  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Contribution: Decodable, Sendable {
    var metric: String
    var z: Double
    var share: Double
    var shift: Double
    var baseline_value: Double
    var recent_value: Double
    var values: Int
  }
}

extension CombinedFixture {
  /// The observations up to a day, in the order of `metrics`.
  func block(of metrics: [MetricThresholds], through last: Day) throws -> ObservationBlock {
    let days = first...last
    let block = ObservationBlock(personCount: 1, metricCount: metrics.count, days: days)
    for (index, metric) in metrics.enumerated() {
      let series = block.series(person: 0, metric: index)
      for place in series.indices { series[place] = .nan }
      for (text, value) in values[metric.metric.rawValue] ?? [:] {
        let day = try #require(Day(text))
        if day <= last { series[day - first] = value }
      }
      if let day = device_changes[metric.metric.rawValue], day <= last {
        block.add(
          DeviceChange(recognizedOn: day, since: day, horizons: Day.calendar), person: 0,
          metric: index)
      }
    }
    for day in workouts where day <= last { block.addWorkout(person: 0, day: day) }
    return block
  }
}
