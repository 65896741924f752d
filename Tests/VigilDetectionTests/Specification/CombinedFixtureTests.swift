import Foundation
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The worked cases of evidence-person.md, through the public API.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct CombinedFixtureTests {
  private func near(_ left: Double, _ right: Double) -> Bool {
    abs(left - right) <= 1e-8 * max(1, abs(right))
  }

  @Test func fixturesAreRead() {
    #expect(CombinedFixture.all.count >= 13)
    #expect(CombinedFixture.all.map(\.expected.combined.count).reduce(0, +) >= 25)
  }

  @Test(arguments: CombinedFixture.all)
  func episodes(_ fixture: CombinedFixture) throws {
    var thresholds = try Profiles.named("v3")
    thresholds.combined = CombinedSettings()
    let metrics = thresholds.wearableMetrics
    let days = fixture.first...fixture.last
    let block = try fixture.block(of: metrics, through: fixture.last)
    let fold = BlockFold(thresholds: thresholds, metrics: metrics)
    var result = FoldResult()
    fold.fold(block, over: FoldWindow(wholeHistory: days), into: &result)

    func course(_ index: Int) -> CombinedFixture.Episode {
      let episode = result.episodes[index].episode
      // Notifications are due on the first day of each level.
      let levels = result.newLevels.filter { $0.episode == index }
        .map { (String($0.level.rawValue), $0.day) }
      return CombinedFixture.Episode(
        active_since: episode.activeSince, opened_on: episode.openedOn,
        resolved_on: episode.resolution?.day,
        resolution_reason: episode.resolution?.reason.rawValue,
        current_level: episode.level.rawValue,
        level_days: Dictionary(uniqueKeysWithValues: levels))
    }
    for (place, metric) in metrics.enumerated() {
      let own = result.episodes.indices.filter { result.episodes[$0].series == place }
      #expect(
        own.map(course) == fixture.expected.metrics[metric.metric.rawValue] ?? [],
        "\(metric.metric)")
    }
    let own = result.episodes.indices.filter { result.episodes[$0].series == metrics.count }
    #expect(own.map(course) == fixture.expected.combined.map(\.episode))
    for (index, expected) in zip(own, fixture.expected.combined) {
      let found = try #require(result.episodes[index].episode.combined)
      #expect(found.windowDays == expected.window_days)
      #expect(near(found.evidence, expected.evidence))
      #expect(near(found.threshold, expected.threshold))
      #expect(found.metricsTakingPart == expected.metrics_taking_part)
      #expect(found.unchanged.map(\.rawValue) == expected.unchanged)
      try #require(
        found.contributions.map(\.metric.rawValue) == expected.contributing.map(\.metric))
      for (metric, expected) in zip(found.contributions, expected.contributing) {
        #expect(near(metric.z, expected.z))
        #expect(near(found.share(of: metric), expected.share))
        #expect(near(metric.shift, expected.shift))
        #expect(near(metric.baseline.value, expected.baseline_value))
        #expect(near(metric.recent.value, expected.recent_value))
        #expect(metric.recent.count == expected.values)
      }
    }
  }
}
