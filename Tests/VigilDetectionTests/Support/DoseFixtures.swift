import Foundation
import TestSupport
import VigilDetection
import VigilModel

/// One history of `evidence-doses.json`, with the figures of some days and its episodes.
struct DoseFixture: Decodable, Sendable {
  static let all: [DoseFixture] = SpecificationFixtures.cases("evidence-doses.json")

  var name: String
  var first: Day
  var last: Day
  /// By day, the doses expected, missed and inferred.
  var days: [String: [UInt16]]
  /// Silent days and those of a broken feed.
  var unrecorded: [Day]
  var figures: [Figures]
  var expected: [Expected]

  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Figures: Decodable, Sendable {
    var day: Day
    var state: String
    var reason: String?
    var baseline_start: Day?
    var baseline_end: Day?
    var baseline_days: Int?
    var baseline_missed: Int?
    var baseline_expected: Int?
    var p: Double?
    var within_day: Double?
    var weekday: [Double]?
    var run: Double?
    var spread: Double?
    var counted_doses: Double?
    var `guard`: Int?
    var threshold: Double?
    var windows: [Window]?
    var window: Int?
  }

  struct Window: Decodable, Sendable {
    var k: Int
    var first: Day
    var missed: Int
    var expected: Int
    var counted: Double
    var usual: Double
    var evidence: Double
    var matters: Bool
  }

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
    var evidence: Double
    var threshold: Double
    var missed: Int
    var expected: Int
    var baseline_missed: Int
    var baseline_expected: Int
    var baseline_days: Int
    var p: Double
    var within_day: Double
    var run: Double
    var held_level: Double
    var recorded_on: Day?
  }
}

/// Folds of the doses of one person.
enum DoseRun {
  static let metric: MetricThresholds = {
    var metric = MetricThresholds(
      metric: MetricType("dose_adherence_pct"), unit: "%", pattern: .drop, source: .adherence,
      rules: [])
    metric.doses = DoseEvidenceSettings()
    return metric
  }()

  static let thresholds: Thresholds = {
    var thresholds = Thresholds(version: "test", digest: "", metrics: [metric])
    thresholds.warmupDays = 1
    return thresholds
  }()

  /// - Parameters:
  ///   - counts: By day; others have no doses.
  ///   - window: The days.
  ///   - unrecorded: Days on which doses without a record are no misses.
  ///   - stored: Episodes that a fold of earlier days left.
  static func fold(
    _ counts: [Day: DoseCounts], over window: FoldWindow, unrecorded: Set<Day> = [],
    stored: [Episode] = [], by metric: MetricThresholds = metric
  ) -> FoldResult {
    let block = ObservationBlock(personCount: 1, metricCount: 0, days: window.loaded)
    let doses = DoseBlock(personCount: 1, days: window.loaded)
    for (day, found) in counts where window.loaded.contains(day) {
      doses.days(ofPerson: 0)[day - window.loaded.lowerBound] = found
    }
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: [metric]).fold(
      block, doses: doses, unrecorded: UnrecordedDays(broken: unrecorded), over: window,
      stored: stored.isEmpty ? [:] : [0: stored], into: &result)
    return result
  }
}
