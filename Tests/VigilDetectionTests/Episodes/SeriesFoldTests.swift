import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The parts that the fold adds to the state machine: notified levels, anchors and the reach of
/// runs.
@Suite struct SeriesFoldTests {
  private static let first = Day(ordinal: 20_000)

  /// Folds a whole history of steps.
  private func fold(_ history: SeriesNotation, under thresholds: Thresholds) throws -> FoldResult {
    let last = Self.first + (history.values.count - 1)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: Self.first...last)
    _ = block.series(person: 0, metric: 0).update(fromContentsOf: history.values)
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: [try thresholds.metric("steps")]).fold(
      block, over: FoldWindow(wholeHistory: block.days), into: &result)
    return result
  }

  /// `activeSince resolved reason`, days counted from the first.
  private func summaries(_ result: FoldResult) -> [String] {
    result.episodes.map { folded in
      let episode = folded.episode
      let end = episode.resolution.map { "\($0.day - Self.first) \($0.reason.rawValue)" }
      return "\(episode.activeSince - Self.first) \(end ?? "active")"
    }
  }

  private func notifications(_ result: FoldResult) -> [String] {
    result.newLevels.map { "\($0.day - Self.first) \($0.level.rawValue)" }
  }

  @Test func aSupersedingEpisodeInheritsTheNotifiedLevel() throws {
    let history: SeriesNotation = "100x28 50x4 _ 50x7"
    let v1 = try fold(history, under: Profiles.named("v1"))
    #expect(summaries(v1) == ["27 35 superseded", "33 active"])
    // The second episode is silent until it passes the level that the first has notified.
    #expect(notifications(v1) == ["29 3", "39 7"])
    #expect(v1.newLevels.map(\.episode) == [0, 1])
    #expect(v1.episodes.map(\.reachedLevel) == [.day3, .day7])
    #expect(v1.episodes.map(\.continuesEarlier) == [false, true])
    let v2 = try fold(history, under: Profiles.named("v2"))
    #expect(summaries(v2) == ["27 active"])
    #expect(notifications(v2) == ["29 3", "35 7"])
  }

  @Test func aLastingDropFadesInV1AndEscalatesInV2() throws {
    let history: SeriesNotation = "100x28 60x40"
    let v1 = try fold(history, under: Profiles.named("v1"))
    #expect(!notifications(v1).contains { $0.hasSuffix(" 21") })
    let v2 = try fold(history, under: Profiles.named("v2"))
    #expect(summaries(v2) == ["27 active"])
    #expect(notifications(v2) == ["29 3", "33 7", "40 14", "47 21"])
    #expect(v2.episodes[0].episode.figures.baseline.value == 100)
  }

  @Test func aRunDoesNotReachBackPastAResolution() throws {
    // Days with a gap in their recent window are unknown, yet their values raise the rolling
    // baseline, so days 43 and 44 are clean against the anchor and deviate from the rolling one.
    let history: SeriesNotation = "100x28 50x3 _ 300 300 _ 300 300 _ 300 300 _ 100x6"
    let result = try fold(history, under: Profiles.named("v2"))
    #expect(summaries(result) == ["27 44 recovered", "43 active"])
    let second = try #require(result.episodes.last?.episode)
    #expect(second.activeSince == Self.first + 43)
    #expect(second.duration == 4)
  }
}
