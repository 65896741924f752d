import Foundation
import TestSupport
import VigilModel

/// One evaluated day of `evidence-days.json`, with every intermediate figure.
struct EvidenceDayFixture: Decodable, Sendable {
  static let all: [EvidenceDayFixture] = SpecificationFixtures.cases("evidence-days.json")

  var name: String
  var metric: String
  var day: Day
  var values: [String: Double]
  var expected: Expected

  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Expected: Decodable, Sendable {
    var state: String
    var reason: String?
    var baseline_start: Day?
    var baseline_end: Day?
    var baseline_days: Int?
    var baseline_value: Double?
    var mean: Double?
    var weekday: [Double]?
    var spread: Double?
    var autocorrelation: Double?
    var noise: Double?
    var threshold: Double?
    var windows: [Window]?
    /// The length of the one that makes the day deviate.
    var window: Int?
  }

  struct Window: Decodable, Sendable {
    var k: Int
    var first: Day
    var z: Double
    var shift: Double
    var recent: Double
    var held: Bool
    var matters: Bool
  }
}

/// One history of `evidence-episodes.json` with its episodes.
struct EvidenceEpisodeFixture: Decodable, Sendable {
  static let all: [EvidenceEpisodeFixture] = SpecificationFixtures.cases("evidence-episodes.json")

  var name: String
  var metric: String
  var first: Day
  var last: Day
  var values: [String: Double]
  var workouts: [Day]
  /// The day of recognition and the first day of the other device, in one.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  var device_change: Day?
  var expected: [Expected]

  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Expected: Decodable, Sendable {
    var active_since: Day
    var opened_on: Day
    var episode_status: String
    var resolved_on: Day?
    var resolution_reason: String?
    var current_level: Int
    /// The first day of each level.
    var level_days: [String: Day]
    var window: Int
    var z: Double
    var shift: Double
    var baseline_value: Double
    var recent_value: Double
    var baseline_days: Int
  }
}
