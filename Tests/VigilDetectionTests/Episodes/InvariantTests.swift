import TestSupport
import Testing
import VigilDetection
import VigilModel

/// Invariants of detection on more than a thousand random series each; a failure names the seed
/// from which it replays.
@Suite struct InvariantTests {
  static let days = 160
  static let persons = 6
  /// Blocks of 42 series each.
  static let seeds = 0..<Repetitions.count(fast: 25, long: 300)
  static let first = RandomBlock.first

  private func block(_ seed: Int, _ thresholds: Thresholds) -> RandomBlock {
    RandomBlock(
      seed: seed, persons: Self.persons, days: Self.days, metrics: thresholds.wearableMetrics)
  }

  // MARK: Scale

  @Test(arguments: ["v1", "v2"])
  func scalingASeriesAndItsAbsoluteRulesChangesNoDecision(profile: String) throws {
    let thresholds = try Profiles.named(profile)
    var compared = (series: 0, episodes: 0)
    for seed in Self.seeds {
      let block = block(seed, thresholds)
      let expected = block.fold(days: Self.days, under: thresholds)
      // Powers of two scale without rounding, and no smaller, as the tolerance of a comparison
      // does not shrink below a threshold of 1.
      for factor in [0.25, 2, 1024] {
        var scaled = block.map { $0.map { $0 * factor } }
        for metric in scaled.metrics.indices {
          for rule in scaled.metrics[metric].rules.indices {
            switch scaled.metrics[metric].rules[rule].kind {
            case .percentDropAtLeast, .percentRiseAtLeast: break
            case .absoluteDropAtLeast, .absoluteRiseAtLeast, .absoluteDropBelow:
              scaled.metrics[metric].rules[rule].threshold *= factor
            }
          }
        }
        let found = scaled.fold(days: Self.days, under: thresholds)
        var rescaled = found.episodes
        for index in rescaled.indices {
          rescaled[index].episode.figures.baseline.value /= factor
          rescaled[index].episode.figures.recent.value /= factor
        }
        #expect(rescaled == expected.episodes, "seed \(seed), factor \(factor)")
        let levels = found.newLevels.map { level in
          var rescaled = level
          rescaled.figures?.baseline.value /= factor
          rescaled.figures?.recent.value /= factor
          return rescaled
        }
        #expect(levels == expected.newLevels, "seed \(seed), factor \(factor)")
      }
      compared.series += block.seriesCount
      compared.episodes += expected.episodes.count
    }
    #expect(compared.series > 1000)
    #expect(compared.episodes > 500)
  }

  // MARK: Gaps

  /// Compares the state on the eve of a gap with the state at its end.
  @Test(arguments: ["v1", "v2"])
  func aGapNeitherOpensNorAdvancesNorResolvesAnEpisode(profile: String) throws {
    let thresholds = try Profiles.named(profile)
    var compared = (series: 0, active: 0, lost: 0)
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let start = Int.random(in: 1..<Self.days, using: &random)
      let end = min(start + Int.random(in: 1...60, using: &random), Self.days)
      let block = block(seed, thresholds).map { values in
        var values = values
        for day in start..<end { values[day] = .nan }
        return values
      }
      let label: Comment = "seed \(seed), gap \(start)..<\(end)"
      let eve = block.fold(days: start, under: thresholds)
      let after = block.fold(days: end, under: thresholds)
      var episodes = after.episodes
      let gap = Self.first + start..<Self.first + end
      if let limit = thresholds.episode.maxUnknownDays {
        // An episode may end for want of data, on the day that is due and not otherwise changed.
        #expect(episodes.count == eve.episodes.count, label)
        for (index, before) in eve.episodes.enumerated() where before.episode.isActive {
          guard index < episodes.count,
            let resolution = episodes[index].episode.resolution
          else { continue }
          #expect(resolution.reason == .noData, label)
          #expect(gap.contains(resolution.day), label)
          #expect(resolution.day - before.episode.lastDeviating >= limit, label)
          #expect(resolution.day < gap.lowerBound + limit, label)
          #expect(episodes[index].episode.lastEvaluated == resolution.day, label)
          episodes[index] = before
          compared.lost += 1
        }
        for before in after.episodes where before.episode.isActive && gap.count >= limit {
          Issue.record("an episode outlived a gap of \(gap.count) days: \(label)")
        }
      }
      #expect(episodes == eve.episodes, label)
      #expect(after.newLevels == eve.newLevels, label)
      compared.series += block.seriesCount
      compared.active += eve.episodes.filter(\.episode.isActive).count
    }
    #expect(compared.series > 1000)
    #expect(compared.active > 100)
    #expect((compared.lost > 50) == (profile == "v2"))
  }

  // MARK: The future

  /// The decisions of a fold up to the end of a day.
  private struct Decisions: Equatable {
    var resolved: Set<FoldedEpisode> = []
    /// Series and first day of every episode that had been opened.
    var opened: Set<String> = []
    var tellings: Set<Telling>

    init(_ result: FoldResult, upTo last: Day, of block: RandomBlock) {
      tellings = Set(result.tellings.filter { $0.day <= last })
      for folded in result.episodes {
        if let day = folded.episode.resolution?.day, day <= last { resolved.insert(folded) }
        // A run opens its episode on its first day that is no suppressed workout day.
        let metric = block.metrics[folded.series % block.metrics.count]
        let workouts =
          metric.isSuppressedOnWorkoutDays
          ? block.workouts(person: folded.series / block.metrics.count) : []
        var opening = folded.episode.activeSince + 2
        while workouts.contains(opening - RandomBlock.first) { opening = opening + 1 }
        if opening <= last { opened.insert("\(folded.series) \(folded.episode.activeSince)") }
      }
    }
  }

  @Test(arguments: ["v1", "v2"])
  func valuesAfterADayChangeNoDecisionUpToIt(profile: String) throws {
    let thresholds = try Profiles.named(profile)
    var compared = (series: 0, decisions: 0)
    for seed in Self.seeds {
      let block = block(seed, thresholds)
      let whole = block.fold(days: Self.days, under: thresholds)
      var random = SeededGenerator(seed: 1000 + seed)
      for _ in 0..<2 {
        let length = Int.random(in: 8..<Self.days, using: &random)
        let last = Self.first + (length - 1)
        let expected = Decisions(
          block.fold(days: length, under: thresholds), upTo: last, of: block)
        let blank = block.map { $0[..<length] + Array(repeating: .nan, count: Self.days - length) }
        let other = block.map { values in
          values[..<length]
            + (length..<Self.days).map { _ in Double.random(in: 0...9000, using: &random) }
        }
        for (name, result) in [
          ("as they are", whole), ("missing", blank.fold(days: Self.days, under: thresholds)),
          ("others", other.fold(days: Self.days, under: thresholds)),
        ] {
          #expect(
            Decisions(result, upTo: last, of: block) == expected,
            "seed \(seed), values after day \(length - 1) \(name)")
        }
        compared.decisions += expected.resolved.count + expected.tellings.count
      }
      compared.series += block.seriesCount
    }
    #expect(compared.series > 1000)
    #expect(compared.decisions > 1000)
  }

  // MARK: Persons

  @Test(arguments: ["v1", "v2"])
  func theOrderOfPersonsInABlockChangesNoResult(profile: String) throws {
    let thresholds = try Profiles.named(profile)
    var compared = (series: 0, episodes: 0)
    for seed in Self.seeds {
      let block = block(seed, thresholds)
      let expected = block.fold(days: Self.days, under: thresholds)
      var random = SeededGenerator(seed: 2000 + seed)
      let order = Array(block.histories.indices).shuffled(using: &random)
      var permuted = block
      permuted.histories = order.map { block.histories[$0] }
      let found = permuted.fold(days: Self.days, under: thresholds)
      let count = block.metrics.count
      func original(_ series: Int) -> Int { order[series / count] * count + series % count }
      let episodes = found.episodes.map { folded in
        var folded = folded
        folded.series = original(folded.series)
        return folded
      }
      let tellings = found.tellings.map { telling in
        var telling = telling
        telling.series = original(telling.series)
        return telling
      }
      #expect(Set(episodes) == Set(expected.episodes), "seed \(seed), order \(order)")
      #expect(episodes.count == expected.episodes.count, "seed \(seed), order \(order)")
      #expect(Set(tellings) == Set(expected.tellings), "seed \(seed), order \(order)")
      #expect(found.seriesWithData == expected.seriesWithData, "seed \(seed), order \(order)")
      compared.series += block.seriesCount
      compared.episodes += episodes.count
    }
    #expect(compared.series > 1000)
    #expect(compared.episodes > 500)
  }
}
