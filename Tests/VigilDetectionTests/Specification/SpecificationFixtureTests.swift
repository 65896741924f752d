import Foundation
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The worked cases of the specification, through the public API.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct SpecificationFixtureTests {
  private func near(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= 1e-8 * max(1, abs(right))
  }

  @Test func fixturesAreRead() {
    #expect(SpecificationFixtures.days.count >= 22)
    #expect(SpecificationFixtures.episodes.count >= 12)
  }

  @Test(arguments: SpecificationFixtures.days)
  func day(_ fixture: DayFixture) throws {
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
          isOtherPositive: false, updatedAt: nil)
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

  @Test(arguments: SpecificationFixtures.episodes, ["v1", "v2"])
  func episodes(_ fixture: EpisodeFixture, profile: String) throws {
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
      for (column, value) in columns(of: found) {
        switch (value, try #require(expected[column], "\(column)")) {
        case (.number(let found), .number(let expected)):
          #expect(near(found, expected), "\(column)")
        case (let found, let expected): #expect(found == expected, "\(column)")
        }
      }
    }
    #expect(result.newLevels.map(\.day) == expected.notifications.map(\.day))
    #expect(result.newLevels.map(\.level.rawValue) == expected.notifications.map(\.level))
    #expect(
      result.newLevels.map { result.episodes[$0.episode].episode.activeSince }
        == expected.notifications.map(\.active_since))
  }

  /// A folded episode as columns of `pattern_alert_state`.
  private func columns(of found: FoldedEpisode) -> [String: EpisodeFixture.Value] {
    let episode = found.episode
    func text(_ text: String?) -> EpisodeFixture.Value { text.map { .text($0) } ?? .null }
    func number(_ number: Double?) -> EpisodeFixture.Value { number.map { .number($0) } ?? .null }
    return [
      "active_since": text("\(episode.activeSince)"),
      "episode_status": text(episode.isActive ? "active" : "resolved"),
      "current_level": number(Double(episode.level.rawValue)),
      "severity": text(episode.level.severity.rawValue),
      "consecutive_true_days": number(Double(episode.duration)),
      "last_evaluated_date": text("\(episode.lastEvaluated)"),
      "resolved_on": text(episode.resolution.map { "\($0.day)" }),
      "resolution_reason": text(episode.resolution?.reason.rawValue),
      "last_notified_level": number(found.reachedLevel.map { Double($0.rawValue) }),
      "baseline_value": number(episode.figures.baseline.value),
      "recent_value": number(episode.figures.recent.value),
      "deviation_percent": number(episode.figures.deviation),
    ]
  }
}
