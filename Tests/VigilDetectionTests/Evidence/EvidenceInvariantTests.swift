import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// Invariants of detection by evidence on more than a thousand random series; a failure names the seed from which
/// it replays.
@Suite struct EvidenceInvariantTests {
  private static let seeds = 0..<Repetitions.count(fast: 30, long: 400)
  private static let persons = 5
  private static let days = 300
  private static let first = Day(ordinal: 20_000)

  /// By person and metric, one value a day; realistic and nasty histories.
  private typealias Histories = [[[Double]]]

  private func histories(_ seed: Int, _ metrics: [MetricThresholds]) throws -> Histories {
    var random = SeededGenerator(seed: seed)
    return try (0..<Self.persons).map { _ in
      try metrics.map { metric in
        let twin = try #require(
          ReferenceEvidence.Metric.v3.first { $0.name == metric.metric.rawValue })
        let history = twin.randomCase(using: &random)
        var values = [Double](repeating: .nan, count: Self.days)
        let start = history.series.first?.day ?? 0
        for (day, value) in history.series where day - start < Self.days {
          values[day - start] = value
        }
        return values
      }
    }
  }

  private func fold(
    _ histories: Histories, days: Int = Self.days, _ metrics: [MetricThresholds],
    under thresholds: Thresholds
  ) -> FoldResult {
    let block = ObservationBlock(
      personCount: histories.count, metricCount: metrics.count,
      days: Self.first...Self.first + (days - 1))
    for person in histories.indices {
      for metric in metrics.indices {
        _ = block.series(person: person, metric: metric)
          .update(fromContentsOf: histories[person][metric][..<days])
      }
    }
    var result = FoldResult()
    BlockFold(thresholds: thresholds, metrics: metrics)
      .fold(block, over: FoldWindow(wholeHistory: block.days), into: &result)
    return result
  }

  /// The parts of a result that do not depend on the unit of the values.
  private func decisions(_ result: FoldResult) -> [String] {
    result.episodes.map { folded in
      let episode = folded.episode
      return "\(folded.series) \(episode.activeSince) \(episode.duration) \(episode.level)"
        + " \(episode.evidence?.windowDays ?? 0) \(episode.resolution.map { "\($0)" } ?? "active")"
    } + result.newLevels.map { "\($0.episode) \($0.day) \($0.level)" }
  }

  /// v3 with each metric by itself: the metrics that are scaled or moved are no longer those of `combined`.
  private func profile() throws -> Thresholds {
    var thresholds = try Profiles.named("v3")
    thresholds.combined = nil
    return thresholds
  }

  /// Powers of four scale values and their roots without rounding.
  @Test(arguments: [0.25, 4, 1024])
  func scalingASeriesWithItsPriorAndAbsoluteRulesChangesNoDecision(factor: Double) throws {
    let thresholds = try profile()
    let metrics = thresholds.wearableMetrics.filter { $0.evidence?.transform != .logarithm }
    let scaled = metrics.map { metric in
      var metric = metric
      let isRoot = metric.evidence?.transform == .squareRoot
      metric.evidence?.priorSpread *= isRoot ? factor.squareRoot() : factor
      for index in metric.rules.indices {
        switch metric.rules[index].kind {
        case .percentDropAtLeast, .percentRiseAtLeast: break
        case .absoluteDropAtLeast, .absoluteRiseAtLeast, .absoluteDropBelow:
          metric.rules[index].threshold *= factor
        }
      }
      return metric
    }
    var episodes = 0
    for seed in Self.seeds {
      let histories = try histories(seed, metrics)
      let expected = fold(histories, metrics, under: thresholds)
      let found = fold(
        histories.map { $0.map { $0.map { $0 * factor } } }, scaled, under: thresholds)
      #expect(decisions(found) == decisions(expected), "seed \(seed)")
      for (one, other) in zip(found.episodes, expected.episodes) {
        #expect(one.episode.evidence?.z == other.episode.evidence?.z, "seed \(seed)")
        #expect(one.episode.evidence?.shift == other.episode.evidence?.shift, "seed \(seed)")
      }
      episodes += expected.episodes.count
    }
    #expect(episodes > 300)
  }

  @Test func theOrderOfPersonsAndMetricsDoesNotMatter() throws {
    let thresholds = try profile()
    let metrics = thresholds.wearableMetrics
    var episodes = 0
    for seed in Self.seeds {
      let histories = try histories(seed, metrics)
      let expected = fold(histories, metrics, under: thresholds)
      let found = fold(
        histories.reversed().map { $0.reversed() }, metrics.reversed(), under: thresholds)
      let last = Self.persons * metrics.count - 1
      let inOrder = found.episodes.map { ($0.series, $0.episode) }
        .map { (last - $0, $1) }.sorted { ($0.0, $0.1.activeSince) < ($1.0, $1.1.activeSince) }
      #expect(
        inOrder.map(\.1) == expected.episodes.map(\.episode)
          && inOrder.map(\.0) == expected.episodes.map(\.series), "seed \(seed)")
      episodes += expected.episodes.count
    }
    #expect(episodes > 500)
  }

  /// Compares the state on the eve of a gap with the state at its end.
  @Test func aGapNeitherOpensNorAdvancesNorResolvesAnEpisode() throws {
    let thresholds = try profile()
    let metrics = thresholds.wearableMetrics
    var (active, lost) = (0, 0)
    for seed in Self.seeds {
      var random = SeededGenerator(seed: 5000 + seed)
      let start = Int.random(in: 40..<Self.days, using: &random)
      let end = min(start + Int.random(in: 1...40, using: &random), Self.days)
      let histories = try histories(seed, metrics).map {
        $0.map { values in
          var values = values
          for day in start..<end { values[day] = .nan }
          return values
        }
      }
      let eve = fold(histories, days: start, metrics, under: thresholds)
      var after = fold(histories, days: end, metrics, under: thresholds).episodes
      for (index, before) in eve.episodes.enumerated() where before.episode.isActive {
        active += 1
        guard index < after.count, let end = after[index].episode.resolution else { continue }
        // A level that has lasted is adopted whether or not there are values.
        #expect([.noData, .rebased].contains(end.reason), "seed \(seed)")
        #expect(end.day >= Self.first + start, "seed \(seed)")
        after[index] = before
        lost += 1
      }
      #expect(after == eve.episodes, "seed \(seed)")
    }
    #expect(active > 50 && lost > 10)
  }
}
