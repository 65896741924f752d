import Foundation
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The worked cases of the specification, through the public API.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct SpecificationFixtureTests {
  struct DayCase: Decodable, CustomTestStringConvertible {
    var name: String
    var profile: String
    var metric: String
    var day: Day
    var values: [String: Double]
    var expected: Expected

    struct Expected: Decodable {
      var state: String
      var reason: String?
      var clean: Bool
      var baseline_value: Double?
      var baseline_days: Int
      var baseline_start: Day?
      var baseline_end: Day?
      var recent_value: Double?
      var deviation: Double?
      var matched: [String]
    }

    var testDescription: String { name }
  }

  struct EpisodeCase: Decodable, CustomTestStringConvertible {
    var name: String
    var metric: String
    var first: Day
    var last: Day
    var values: [String: Double]
    var workouts: [Day]
    var expected: [String: Expected]

    struct Expected: Decodable {
      var episodes: [ExpectedEpisode]
      var notifications: [ExpectedNotification]
    }
    struct ExpectedEpisode: Decodable {
      var active_since: Day
      var episode_status: String
      var current_level: Int
      var severity: String
      var consecutive_true_days: Int
      var last_evaluated_date: Day
      var resolved_on: Day?
      var resolution_reason: String?
      var last_notified_level: Int?
      var baseline_value: Double
      var recent_value: Double
      var deviation_percent: Double?
    }
    struct ExpectedNotification: Decodable {
      var day: Day
      var active_since: Day
      var level: Int
    }

    var testDescription: String { name }
  }

  static func cases<Case: Decodable>(_ file: String) -> [Case] {
    guard let url = SharedFolder.url("spec/fixtures/\(file)"),
      let data = try? Data(contentsOf: url),
      let cases = try? JSONDecoder().decode([Case].self, from: data)
    else { return [] }
    return cases
  }

  private func near(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= 1e-8 * max(1, abs(right))
  }

  @Test func fixturesAreRead() {
    let days: [DayCase] = Self.cases("detection.json")
    let episodes: [EpisodeCase] = Self.cases("episodes.json")
    #expect(days.count >= 22)
    #expect(episodes.count >= 12)
  }

  @Test(arguments: cases("detection.json") as [DayCase])
  func day(_ fixture: DayCase) throws {
    let thresholds = try Profiles.named(fixture.profile)
    let metric = try thresholds.metric(fixture.metric)
    let days = (fixture.day - 120)...fixture.day
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
    let builder = ObservationBuilder(block: block, metrics: [metric], thresholds: thresholds)
    let source = builder.index(ofSource: "test")
    for (text, value) in fixture.values.sorted(by: { $0.key < $1.key }) {
      let day = try #require(Day(text))
      withUnsafePointer(to: value) {
        builder.append(
          person: 0, day: day, source: source, values: UnsafeBufferPointer(start: $0, count: 1),
          isWorn: value > 0)
      }
    }
    builder.finish()
    let found = DayEvaluator(metric, of: thresholds).evaluate(
      UnsafeBufferPointer(block.series(person: 0, metric: 0)), at: days.count - 1,
      firstDay: days.lowerBound)
    let expected = fixture.expected
    switch found.state {
    case .deviating: #expect(expected.state == "deviating")
    case .normal: #expect(expected.state == "normal")
    case .unknown(let reason):
      #expect(expected.state == "unknown")
      #expect(reason.rawValue == expected.reason)
    }
    #expect(found.isClean == expected.clean)
    #expect(near(found.figures?.baseline.value, expected.baseline_value))
    #expect((found.figures?.baseline.count ?? 0) == expected.baseline_days)
    #expect(found.figures?.baseline.start == expected.baseline_start)
    #expect(found.figures?.baseline.end == expected.baseline_end)
    #expect(near(found.figures?.recent.value, expected.recent_value))
    #expect(near(found.figures?.deviation, expected.deviation))
    #expect(found.matchedRules.map(\.rawValue) == expected.matched)
  }

  @Test(arguments: cases("episodes.json") as [EpisodeCase], ["v1", "v2"])
  func episodes(_ fixture: EpisodeCase, profile: String) throws {
    let thresholds = try Profiles.named(profile)
    let metric = try thresholds.metric(fixture.metric)
    let window = FoldWindow(evaluating: fixture.first...fixture.last, thresholds: thresholds)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: window.loaded)
    for (text, value) in fixture.values {
      let day = try #require(Day(text))
      block.series(person: 0, metric: 0)[day - window.loaded.lowerBound] = value
    }
    for day in fixture.workouts { block.addWorkout(person: 0, day: day) }
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: [metric]).fold(block, over: window, into: &result)

    let expected = try #require(fixture.expected[profile])
    try #require(result.episodes.count == expected.episodes.count)
    for (found, expected) in zip(result.episodes, expected.episodes) {
      let episode = found.episode
      #expect(episode.activeSince == expected.active_since)
      #expect(episode.isActive == (expected.episode_status == "active"))
      #expect(episode.level.rawValue == expected.current_level)
      #expect(episode.level.severity.rawValue == expected.severity)
      #expect(episode.duration == expected.consecutive_true_days)
      #expect(episode.lastEvaluated == expected.last_evaluated_date)
      #expect(episode.resolution?.day == expected.resolved_on)
      #expect(episode.resolution?.reason.rawValue == expected.resolution_reason)
      #expect(found.notifiedLevel?.rawValue == expected.last_notified_level)
      #expect(near(episode.figures.baseline.value, expected.baseline_value))
      #expect(near(episode.figures.recent.value, expected.recent_value))
      #expect(near(episode.figures.deviation, expected.deviation_percent))
    }
    #expect(result.notifications.map(\.day) == expected.notifications.map(\.day))
    #expect(result.notifications.map(\.level.rawValue) == expected.notifications.map(\.level))
    #expect(
      result.notifications.map { result.episodes[$0.episode].episode.activeSince }
        == expected.notifications.map(\.active_since))
  }
}
