import Foundation
import TestSupport
import VigilModel

/// One history of `silence.json`: of signs of life with its alerts, or of the persons with rows with the broken days.
struct SilenceFixture: Decodable, Sendable {
  static let all: [SilenceFixture] = SpecificationFixtures.cases("silence.json")
  static let silences = all.filter { $0.kind == "silence" }
  static let feeds = all.filter { $0.kind == "feed" }

  var kind: String
  var name: String
  var first: Day
  var last: Day
  var sensitivity: Sensitivity?
  /// First and last days of runs of signs.
  var signs: [[Day]]?
  /// By day, the day on which its rows came.
  var arrived: [String: Day]?
  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  var broken_feed: [Day]?
  // swift-format-ignore: AlwaysUseLowerCamelCase
  var persons_with_rows: [String: Int]?
  var expected: Expected

  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Expected: Decodable, Sendable {
    var thresholds: [Threshold]?
    var alerts: [Alert]?
    var broken_feed: [Day]?
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Threshold: Decodable, Sendable {
    var silent_since: Day
    var pauses: [Int]
    var days: Int
    var expected_at_4: Double
    var threshold: Int
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Alert: Decodable, Sendable {
    var active_since: Day
    var opened_on: Day
    var threshold: Int
    /// The first day of each level.
    var level_days: [String: Day]
    var current_level: Int
    var severity: String
    var status: String
    var resolved_on: Day?
    var resolution_reason: String?
  }
}
