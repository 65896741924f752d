import Foundation
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The figures of single days agree with the episodes that the fold makes of them.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct CombinedDayTests {
  private let thresholds: Thresholds

  init() throws {
    var thresholds = try Profiles.named("v3")
    thresholds.combined = CombinedSettings()
    self.thresholds = thresholds
  }

  /// The figures of the last of some days.
  private func day(_ fixture: CombinedFixture, _ last: Day) throws -> CombinedDay? {
    let fold = BlockFold(thresholds: thresholds, metrics: thresholds.wearableMetrics)
    fold.explainsLastDay = true
    var result = FoldResult()
    let days = fixture.first...last
    fold.fold(
      try fixture.block(of: thresholds.wearableMetrics, through: last),
      over: FoldWindow(wholeHistory: days), into: &result)
    return result.combinedDays.values.first
  }

  @Test(arguments: CombinedFixture.all)
  func theWindowThatDecidesIsThatOfTheEpisode(_ fixture: CombinedFixture) throws {
    for expected in fixture.expected.combined {
      let opened = expected.episode.opened_on
      let found = try #require(try day(fixture, opened))
      #expect(found.day == opened)
      guard case .evidence(let windows) = found.figures else {
        Issue.record("an episode is active before it opens")
        continue
      }
      let deciding = windows.filter(\.decides)
      try #require(deciding.count == 1)
      #expect(deciding[0].isProven)
      #expect(deciding[0].days == expected.window_days)
      #expect(abs((deciding[0].evidence ?? 0) - expected.evidence) < 1e-8 * expected.evidence)
      #expect(abs(deciding[0].threshold - expected.threshold) < 1e-12)
      #expect(deciding[0].metrics.count == expected.metrics_taking_part)
      #expect(
        Set(deciding[0].contributing.map(\.rawValue)) == Set(expected.contributing.map(\.metric)))
      for metric in expected.contributing {
        let own = try #require(
          deciding[0].metrics.first { $0.metric.rawValue == metric.metric })
        #expect(own.counts)
        #expect(abs(own.z - metric.z) < 1e-8 * max(1, metric.z))
        #expect(abs(own.baseline - metric.baseline_value) < 1e-8 * max(1, metric.baseline_value))
      }
    }
  }

  @Test(arguments: CombinedFixture.all)
  func anEpisodeEndsWhereItsCourseIsEasing(_ fixture: CombinedFixture) throws {
    for episode in fixture.expected.combined.map(\.episode) {
      guard let end = episode.resolved_on, episode.resolution_reason == "recovered" else {
        continue
      }
      for last in [end - 1, end] {
        guard case .recovery(let recovery)? = try day(fixture, last)?.figures else {
          Issue.record("no episode is active on \(last)")
          continue
        }
        let settings = CombinedSettings().recovery
        let isOver =
          recovery.isEasing
          && (recovery.evidence >= settings.evidence || recovery.calmDays >= settings.calmDays)
        #expect(recovery.isEasing == (recovery.level < 0.5 - 1e-9))
        if last == end { #expect(isOver && recovery.hasValue) }
        if last < end, recovery.hasValue, episode.opened_on < last { #expect(!isOver) }
      }
    }
  }
}
