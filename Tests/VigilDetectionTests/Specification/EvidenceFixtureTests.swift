import Foundation
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The worked cases of evidence.md, through the public API.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct EvidenceFixtureTests {
  private func near(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= 1e-8 * max(1, abs(right))
  }

  private func series(_ values: [String: Double], in days: ClosedRange<Day>) throws -> [Double] {
    var series = [Double](repeating: .nan, count: days.upperBound - days.lowerBound + 1)
    for (text, value) in values {
      let day = try #require(Day(text))
      if days.contains(day) { series[day - days.lowerBound] = value }
    }
    return series
  }

  @Test func fixturesAreRead() {
    #expect(EvidenceDayFixture.all.count >= 44)
    #expect(EvidenceEpisodeFixture.all.count >= 86)
  }

  @Test(arguments: EvidenceDayFixture.all)
  func day(_ fixture: EvidenceDayFixture) throws {
    let thresholds = try Profiles.named("v3")
    let metric = try thresholds.metric(fixture.metric)
    let days = (fixture.day - 240)...fixture.day
    let values = try series(fixture.values, in: days)
    let evaluator = EvidenceEvaluator(metric, try #require(metric.evidence), thresholds.evidence)
    let found = values.withUnsafeBufferPointer {
      evaluator.evaluate($0, at: $0.count - 1, firstDay: days.lowerBound)
    }
    let expected = fixture.expected
    switch found.state {
    case .deviating: #expect(expected.state == "deviating")
    case .normal: #expect(expected.state == "normal")
    case .unknown(let reason):
      #expect(expected.state == "unknown")
      #expect(reason.rawValue == expected.reason)
      return
    }
    let figures = try #require(found.figures)
    let (anchor, baseline) = (figures.anchor, figures.baseline)
    #expect(baseline.start == expected.baseline_start && baseline.end == expected.baseline_end)
    #expect(baseline.count == expected.baseline_days)
    #expect(near(baseline.value, expected.baseline_value))
    #expect(near(anchor.mean, expected.mean))
    #expect(near(anchor.spread, expected.spread))
    #expect(near(anchor.autocorrelation, expected.autocorrelation))
    #expect(near(anchor.noise, expected.noise))
    #expect(near(figures.threshold, expected.threshold))
    for (weekday, effect) in try #require(expected.weekday).enumerated() {
      #expect(near(anchor.weekdays[weekday], effect), "weekday \(weekday)")
    }
    let windows = try #require(expected.windows)
    try #require(figures.windows.map(\.count) == windows.map(\.k))
    for (window, expected) in zip(figures.windows, windows) {
      #expect(window.start == expected.first)
      #expect(near(window.z, expected.z))
      #expect(near(window.shift, expected.shift))
      #expect(near(window.recent, expected.recent))
      #expect(window.isHeld == expected.held)
      #expect(window.matters == expected.matters)
    }
    #expect(figures.deviating.map { figures.windows[$0].count } == expected.window)
  }

  @Test(arguments: EvidenceEpisodeFixture.all)
  func episodes(_ fixture: EvidenceEpisodeFixture) throws {
    let thresholds = try Profiles.named("v3")
    let metric = try thresholds.metric(fixture.metric)
    let days = fixture.first...fixture.last
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
    _ = block.series(person: 0, metric: 0)
      .update(fromContentsOf: try series(fixture.values, in: days))
    for day in fixture.workouts { block.addWorkout(person: 0, day: day) }
    if let day = fixture.device_change {
      block.add(
        DeviceChange(recognizedOn: day, since: day, horizons: Day.calendar), person: 0, metric: 0)
    }
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: [metric]).fold(
      block, over: FoldWindow(wholeHistory: days), into: &result)
    try #require(result.episodes.count == fixture.expected.count)
    for (index, expected) in fixture.expected.enumerated() {
      let episode = result.episodes[index].episode
      let evidence = try #require(episode.evidence)
      #expect(episode.activeSince == expected.active_since)
      #expect(evidence.openedOn == expected.opened_on)
      #expect((episode.isActive ? "active" : "resolved") == expected.episode_status)
      #expect(episode.resolution?.day == expected.resolved_on)
      #expect(episode.resolution?.reason.rawValue == expected.resolution_reason)
      #expect(episode.level.rawValue == expected.current_level)
      // Notifications are due on the first day of each level.
      let levels = result.newLevels.filter { $0.episode == index }
        .map { (String($0.level.rawValue), $0.day) }
      #expect(Dictionary(uniqueKeysWithValues: levels) == expected.level_days)
      #expect(evidence.windowDays == expected.window)
      #expect(near(evidence.z, expected.z))
      #expect(near(evidence.shift, expected.shift))
      #expect(near(episode.figures.baseline.value, expected.baseline_value))
      #expect(near(episode.figures.recent.value, expected.recent_value))
      #expect(episode.figures.baseline.count == expected.baseline_days)
    }
  }
}
