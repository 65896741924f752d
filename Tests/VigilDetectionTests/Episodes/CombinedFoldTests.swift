import Testing
import VigilDetection
import VigilModel

/// Episodes of several metrics that are resumed from their rows.
@Suite struct CombinedFoldTests {
  private static let days = Day(ordinal: 20_000)...Day(ordinal: 20_119)

  /// A person whose sleep and steps are worse from day 110 on.
  private func result(
    of metrics: [MetricThresholds], folding: ClosedRange<Day>, stored: [Int: [Episode]] = [:]
  ) throws -> FoldResult {
    var thresholds = try Profiles.named("v3")
    thresholds.combined = CombinedSettings()
    thresholds.metrics = metrics
    thresholds.warmupDays = 1
    let window = FoldWindow(evaluating: folding, thresholds: thresholds)
    let block = ObservationBlock(
      personCount: 1, metricCount: metrics.count, days: window.loaded)
    for (place, metric) in metrics.enumerated() {
      let series = block.series(person: 0, metric: place)
      for index in series.indices {
        let day = window.loaded.lowerBound + index
        let noise = 1 + 0.1 * Double((day - Self.days.lowerBound) * (place + 3) % 7 - 3) / 3
        let usual = metric.metric.rawValue == "steps" ? 9_000.0 : 420
        let isWorse = day >= Self.days.lowerBound + 110
        series[index] =
          Self.days.contains(day) ? usual * noise * (isWorse ? 0.55 : 1) : .nan
      }
    }
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: metrics).fold(
      block, over: window, stored: stored, into: &result)
    return result
  }

  private func stored(_ result: FoldResult, metrics: Int) throws -> Episode {
    let found = try #require(result.episodes.last { $0.series == metrics })
    #expect(found.episode.isActive)
    return found.episode
  }

  @Test func anEpisodeGoesOnFromItsRow() throws {
    let metrics = try ["steps", "sleep_minutes", "resting_hr"].map {
      try Profiles.named("v3").metric($0)
    }
    let last = Self.days.upperBound
    let before = try stored(
      result(of: metrics, folding: Self.days.lowerBound...last - 1), metrics: metrics.count)
    let found = try result(
      of: metrics, folding: last...last, stored: [metrics.count: [before]])
    let whole = try stored(
      result(of: metrics, folding: Self.days), metrics: metrics.count)
    #expect(found.episodes.last { $0.series == metrics.count }?.episode == whole)
    #expect(found.unjudgedSeries.isEmpty)
  }

  @Test func nothingIsSaidWhereAContributingMetricIsAbsent() throws {
    let v3 = try Profiles.named("v3")
    let all = try ["steps", "sleep_minutes", "resting_hr"].map { try v3.metric($0) }
    let last = Self.days.upperBound
    let before = try stored(
      result(of: all, folding: Self.days.lowerBound...last - 1), metrics: all.count)
    let contributing = try #require(before.combined).contributions.map(\.metric)
    #expect(Set(contributing) == [MetricType("steps"), MetricType("sleep_minutes")])
    let rest = try ["sleep_minutes", "resting_hr"].map { try v3.metric($0) }
    // Whether the episode opened before the folded days or within them.
    for folded in [last...last, last - 30...last] {
      let found = try result(of: rest, folding: folded, stored: [rest.count: [before]])
      #expect(!found.episodes.contains { $0.series == rest.count })
      #expect(found.unjudgedSeries == [rest.count])
    }
  }
}
