import Foundation
import TestSupport
import VigilDetection
import VigilModel

/// One history of `limits.json`, which `limits.py` makes, with its alerts.
struct LimitFixture: Decodable, Sendable {
  static let all: [LimitFixture] = {
    let url = SharedFolder.repository.appending(
      path: "Tests/VigilDetectionTests/Specification/limits.json")
    guard let data = try? Data(contentsOf: url) else { return [] }
    return (try? JSONDecoder().decode([LimitFixture].self, from: data)) ?? []
  }()

  var name: String
  var first: Day
  var last: Day
  var rules: [Rule]
  var values: [String: Double]
  var expected: [Alert]

  struct Rule: Decodable, Sendable {
    var direction: CriticalLimit.Direction
    var value: Double
    var days: Int
    var severity: Severity
    var from: Day?
    var to: Day?
  }

  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Alert: Decodable, Hashable, Sendable {
    var active_since: Day
    var opened_on: Day
    var opened_value: Double
    var opened_limit: Double
    var opened_days: Int
    var level: Int
    /// The first day of each level.
    var levels: [String: Day]
    var last: Day
    var last_value: Double
    var last_limit: Double
    var resolved_on: Day?
    var reason: String?
  }

  static let metric = MetricType("resting_hr")

  var limits: [PersonLimit] {
    rules.map { rule in
      let limit = CriticalLimit(
        metric: Self.metric, rule.direction, rule.value, days: rule.days, severity: rule.severity)
      return PersonLimit(
        limit, on: (rule.from ?? first - 900)...(rule.to ?? last + 900), setBy: "Dr. Lee")
    }
  }

  /// The result of a fold over a window, with the values up to a day.
  func fold(
    over window: FoldWindow, through end: Day? = nil, stored: [Episode] = []
  ) -> FoldResult {
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: window.loaded)
    let series = block.series(person: 0, metric: 0)
    for index in series.indices {
      let day = window.loaded.lowerBound + index
      series[index] = day <= end ?? last ? values[day.description] ?? .nan : .nan
    }
    var result = FoldResult()
    let pattern = rules[0].direction.pattern
    BlockLimitFold(metrics: [Self.metric], everybody: []).fold(
      [LimitSeries(person: 0, metric: Self.metric, pattern: pattern)], of: block,
      personal: [0: limits], over: window, stored: stored.isEmpty ? [:] : [0: stored],
      into: &result)
    return result
  }

  /// The alerts of a result in the form of the file.
  static func alerts(in result: FoldResult) -> [Alert] {
    result.episodes.enumerated().map { index, folded in
      let levels = result.levels.filter { $0.episode == index }
      return alert(
        of: folded.episode,
        levels: Dictionary(
          uniqueKeysWithValues: levels.map { (String($0.level.rawValue), $0.day) }))
    }
  }

  static func alert(of episode: Episode, levels: [String: Day]) -> Alert {
    Alert(
      active_since: episode.activeSince, opened_on: episode.openedOn,
      opened_value: episode.limit?.value ?? .nan, opened_limit: episode.limit?.limit ?? .nan,
      opened_days: episode.limit?.days ?? 0, level: episode.level.rawValue, levels: levels,
      last: episode.lastDeviating, last_value: episode.figures.recent.value,
      last_limit: episode.figures.baseline.value, resolved_on: episode.resolution?.day,
      reason: episode.resolution?.reason.rawValue)
  }
}
