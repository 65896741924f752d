import Foundation
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The worked cases of evidence-doses.md, through the public API.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct DoseFixtureTests {
  private func near(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= 1e-8 * max(1, abs(right))
  }

  private func counts(_ fixture: DoseFixture) throws -> [Day: DoseCounts] {
    var counts: [Day: DoseCounts] = [:]
    for (text, found) in fixture.days {
      counts[try #require(Day(text))] = DoseCounts(
        expected: found[0], missed: found[1], inferred: found[2])
    }
    return counts
  }

  private func fold(_ fixture: DoseFixture) throws -> FoldResult {
    DoseRun.fold(
      try counts(fixture), over: FoldWindow(wholeHistory: fixture.first...fixture.last),
      unrecorded: Set(fixture.unrecorded))
  }

  @Test func fixturesAreRead() {
    #expect(DoseFixture.all.count >= 58)
  }

  @Test(arguments: DoseFixture.all)
  func figures(_ fixture: DoseFixture) throws {
    let counts = try counts(fixture)
    let days = fixture.first...fixture.last
    let series = days.map { counts[$0] ?? .none }.withUnsafeBufferPointer {
      DoseSeries($0, from: fixture.first, withoutRecord: Set(fixture.unrecorded))
    }
    let evaluator = DoseEvaluator(DoseEvidenceSettings())
    let episodes = try fold(fixture).episodes.map(\.episode)
    for expected in fixture.figures {
      let found = evaluator.evaluate(
        series, on: expected.day,
        context: EvidenceContext(
          ended: episodes.filter { ($0.resolution?.day).map { $0 < expected.day } ?? false }))
      switch found.state {
      case .deviating: #expect(expected.state == "deviating")
      case .normal: #expect(expected.state == "normal")
      case .unknown(let reason):
        #expect(expected.state == "unknown")
        #expect(reason.rawValue == expected.reason)
        continue
      }
      let figures = try #require(found.figures)
      let (anchor, baseline) = (figures.anchor, figures.baseline)
      #expect(baseline.start == expected.baseline_start && baseline.end == expected.baseline_end)
      #expect(baseline.count == expected.baseline_days)
      #expect(anchor.missed == expected.baseline_missed)
      #expect(anchor.expected == expected.baseline_expected)
      #expect(near(anchor.share, expected.p))
      #expect(near(anchor.withinDay, expected.within_day))
      #expect(near(anchor.run, expected.run))
      #expect(near(anchor.spread, expected.spread))
      #expect(near(anchor.countedDoses, expected.counted_doses))
      #expect(figures.guardCount == expected.guard)
      #expect(near(figures.threshold, expected.threshold))
      for (weekday, share) in try #require(expected.weekday).enumerated() {
        #expect(near(anchor.weekdays[weekday], share), "weekday \(weekday)")
      }
      let windows = try #require(expected.windows)
      try #require(figures.windows.map(\.count) == windows.map(\.k), "\(expected.day)")
      for (window, expected) in zip(figures.windows, windows) {
        #expect(window.start == expected.first)
        #expect(window.missed == expected.missed && window.expected == expected.expected)
        #expect(near(window.counted, expected.counted))
        #expect(near(window.usualShare, expected.usual))
        #expect(near(window.evidence, expected.evidence))
        #expect(window.matters == expected.matters)
      }
      let window = found.state == .deviating ? figures.deciding : nil
      #expect(window.map { figures.windows[$0].count } == expected.window, "\(expected.day)")
    }
  }

  @Test(arguments: DoseFixture.all)
  func episodes(_ fixture: DoseFixture) throws {
    let result = try fold(fixture)
    try #require(result.episodes.count == fixture.expected.count)
    for (index, expected) in fixture.expected.enumerated() {
      let episode = result.episodes[index].episode
      let evidence = try #require(episode.doses)
      #expect(episode.activeSince == expected.active_since)
      #expect(evidence.openedOn == expected.opened_on && episode.openedOn == expected.opened_on)
      #expect((episode.isActive ? "active" : "resolved") == expected.episode_status)
      #expect(episode.resolution?.day == expected.resolved_on)
      #expect(episode.resolution?.reason.rawValue == expected.resolution_reason)
      #expect(episode.level.rawValue == expected.current_level)
      // Notifications are due on the first day of each level.
      let levels = result.newLevels.filter { $0.episode == index }
        .map { (String($0.level.rawValue), $0.day) }
      #expect(Dictionary(uniqueKeysWithValues: levels) == expected.level_days)
      #expect(evidence.windowDays == expected.window)
      #expect(near(evidence.evidence, expected.evidence))
      #expect(near(evidence.threshold, expected.threshold))
      #expect(evidence.missed == expected.missed && evidence.expected == expected.expected)
      #expect(evidence.anchor.missed == expected.baseline_missed)
      #expect(evidence.anchor.expected == expected.baseline_expected)
      #expect(episode.figures.baseline.count == expected.baseline_days)
      #expect(near(evidence.anchor.share, expected.p))
      #expect(near(evidence.anchor.withinDay, expected.within_day))
      #expect(near(evidence.anchor.run, expected.run))
      #expect(near(evidence.heldLevel, expected.held_level))
      #expect(evidence.recordedOn == expected.recorded_on)
      #expect(
        near(
          episode.figures.recent.value,
          100 * (1 - Double(expected.missed) / Double(expected.expected))))
    }
  }
}
