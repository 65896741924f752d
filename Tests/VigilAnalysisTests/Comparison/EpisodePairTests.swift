import Foundation
import TestSupport
import Testing
import VigilAnalysis
import VigilModel

@Suite struct EpisodePairTests {
  private static let first = Day(ordinal: 20_000)

  private static func series(
    _ person: Int, _ metric: String = "steps", _ pattern: PatternType = .drop
  ) -> SeriesKey {
    SeriesKey(user: UUID(name: "person \(person)"), metric: MetricType(metric), pattern: pattern)
  }

  private static func episode(
    _ days: ClosedRange<Int>, of series: SeriesKey = series(1), level: AlertLevel = .day3
  ) -> ComparedEpisode {
    ComparedEpisode(
      series: series, days: first + days.lowerBound...first + days.upperBound,
      openedOn: first + days.lowerBound + 2, level: level, resolution: .recovered)
  }

  // MARK: Examples

  @Test func theLongestOverlapIsMatchedFirst() {
    let (one, long, late) = (Self.episode(0...9), Self.episode(5...30), Self.episode(8...12))
    let pairs = EpisodePair.matching([one, late], with: [long])
    #expect(pairs.map(\.first) == [one, late])
    // Both overlap on five days; the first began earlier.
    #expect(pairs.map(\.second) == [long, nil])
    let other = EpisodePair.matching([one, Self.episode(8...14)], with: [long])
    #expect(other.map(\.second) == [nil, long])
  }

  @Test func oneSharedDayIsAnOverlapAndNoneIsNot() {
    let episode = Self.episode(0...9)
    #expect(EpisodePair.matching([episode], with: [Self.episode(9...12)]).count == 1)
    #expect(EpisodePair.matching([episode], with: [Self.episode(10...12)]).count == 2)
  }

  @Test(arguments: [
    SeriesKey(user: UUID(name: "person 2"), metric: MetricType("steps"), pattern: .drop),
    SeriesKey(user: UUID(name: "person 1"), metric: MetricType("hrv_ms"), pattern: .drop),
    SeriesKey(user: UUID(name: "person 1"), metric: MetricType("steps"), pattern: .rise),
  ])
  func otherSeriesAreNeverMatched(series: SeriesKey) {
    let pairs = EpisodePair.matching([Self.episode(0...9)], with: [Self.episode(0...9, of: series)])
    #expect(pairs.count == 2)
    #expect(pairs.allSatisfy { $0.delay == nil && !$0.isSame && !$0.hasOtherLevel })
  }

  @Test func aPairKnowsItsDifferences() throws {
    let same = try #require(
      EpisodePair.matching([Self.episode(0...9)], with: [Self.episode(0...9)]).first)
    #expect(same.isSame && same.delay == 0 && !same.hasOtherLevel)
    let other = try #require(
      EpisodePair.matching([Self.episode(5...9)], with: [Self.episode(2...9, level: .day7)]).first)
    #expect(!other.isSame && other.delay == -3 && other.hasOtherLevel)
    let shorter = try #require(
      EpisodePair.matching([Self.episode(0...9)], with: [Self.episode(0...7)]).first)
    #expect(!shorter.isSame && shorter.delay == 0, "another end is a difference")
  }

  @Test func anActiveEpisodeEndsOnTheLastComparedDay() throws {
    let figures = EpisodeFigures(
      baseline: .init(value: 2, start: Self.first, end: Self.first, count: 1),
      recent: .init(value: 1, start: Self.first, end: Self.first, count: 1))
    var episode = Episode(
      activeSince: Self.first, lastEvaluated: Self.first + 4, duration: 5, level: .day3,
      figures: figures)
    let series = Self.series(1)
    let active = ComparedEpisode(episode, of: series, comparedThrough: Self.first + 20)
    #expect(active.days == Self.first...Self.first + 20)
    #expect(active.openedOn == Self.first + 2 && active.resolution == nil)
    episode.resolution = .init(day: Self.first + 9, reason: .rebased)
    let ended = ComparedEpisode(episode, of: series, comparedThrough: Self.first + 20)
    #expect(ended.days == Self.first...Self.first + 9)
    #expect(ended.resolution == .rebased)
  }

  // MARK: Random episodes

  private static func random(_ random: inout SeededGenerator) -> [ComparedEpisode] {
    var found: [ComparedEpisode] = []
    for person in 0..<Int.random(in: 1...3, using: &random) {
      for metric in ["steps", "hrv_ms"] {
        let begins = Set(
          (0..<Int.random(in: 0...6, using: &random)).map { _ in
            Int.random(in: 0...40, using: &random)
          })
        for begin in begins {
          found.append(
            episode(
              begin...begin + Int.random(in: 0...15, using: &random),
              of: series(person, metric), level: random.pick(AlertLevel.allCases)))
        }
      }
    }
    return found.shuffled(using: &random)
  }

  /// The matching by its definition: again and again the best of all pairs that are left.
  private static func naive(
    _ first: [ComparedEpisode], _ second: [ComparedEpisode]
  ) -> Set<[ComparedEpisode?]> {
    var (first, second) = (first, second)
    var found: Set<[ComparedEpisode?]> = []
    while true {
      var best: (overlap: Int, one: ComparedEpisode, other: ComparedEpisode)?
      for one in first {
        for other in second where one.series == other.series {
          let overlap = (0...80).count { day in
            one.days.contains(Self.first + day) && other.days.contains(Self.first + day)
          }
          guard overlap > 0 else { continue }
          let isBetter =
            best.map { best in
              overlap != best.overlap
                ? overlap > best.overlap
                : one.days.lowerBound != best.one.days.lowerBound
                  ? one.days.lowerBound < best.one.days.lowerBound
                  : other.days.lowerBound < best.other.days.lowerBound
            } ?? true
          if isBetter { best = (overlap, one, other) }
        }
      }
      guard let best else { break }
      found.insert([best.one, best.other])
      first.removeAll { $0 == best.one }
      second.removeAll { $0 == best.other }
    }
    return found.union(first.map { [$0, nil] }).union(second.map { [nil, $0] })
  }

  @Test func randomEpisodesAreMatchedAsTheDefinitionSays() {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: seed)
      let (first, second) = (Self.random(&random), Self.random(&random))
      let pairs = EpisodePair.matching(first, with: second)
      let found = Set(pairs.map { [$0.first, $0.second] })
      #expect(found == Self.naive(first, second), "seed \(seed)")
      #expect(pairs.count == Set(pairs).count, "seed \(seed)")
    }
  }

  @Test func aProfileIsTheSameAsItself() {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: seed)
      let episodes = Self.random(&random)
      let pairs = EpisodePair.matching(
        episodes.shuffled(using: &random), with: episodes.shuffled(using: &random))
      #expect(pairs.count == episodes.count && pairs.allSatisfy(\.isSame), "seed \(seed)")
    }
  }
}
