import TestSupport
import Testing
import VigilDetection
import VigilModel

/// The effect of a person's own sensitivity (specification, sensitivity.md).
@Suite struct PersonalSensitivityTests {
  private let steps = MetricType("steps")

  // MARK: Thresholds

  @Test func evidenceIsAskedForAThirdMoreOrLess() throws {
    let usual = try Profiles.named("v3")
    let before = try #require(try usual.metric("steps").evidence).thresholds
    for (sensitivity, added) in [(Sensitivity.lower, 0.35), (.normal, 0), (.higher, -0.35)] {
      let own = usual.adjusted(to: PersonalSensitivity([steps: sensitivity]))
      let metric = try own.metric("steps")
      let after = try #require(metric.evidence).thresholds
      for size in [5, 10, 14, 75, 120] {
        #expect(
          abs(after.threshold(poolSize: size) - before.threshold(poolSize: size) - added) < 1e-12)
      }
      #expect(metric.rules == (try usual.metric("steps").rules))
      #expect(try own.metric("hrv_ms") == usual.metric("hrv_ms"))
      #expect(own.profile == usual.profile)
    }
  }

  @Test func boundsOfRulesGrowAndShrinkButNotPlaces() throws {
    let usual = try Profiles.named("v1")
    let name = MetricType("sleep_efficiency_pct")
    let rules = [
      MetricRule(.percentDropAtLeast, 0.1), MetricRule(.absoluteDropBelow, 85),
    ]
    #expect(try usual.metric(name.rawValue).rules == rules)
    for (sensitivity, factor) in [(Sensitivity.lower, 1.5), (.higher, 0.75)] {
      let own = try usual.adjusted(to: PersonalSensitivity([name: sensitivity]))
        .metric(name.rawValue).rules
      #expect(own.map(\.kind) == rules.map(\.kind))
      #expect(abs(own[0].threshold - 0.1 * factor) < 1e-12 && own[1].threshold == 85)
    }
  }

  @Test func whatIsOffIsLeftOut() throws {
    let usual = try Profiles.named("v3")
    let own = usual.adjusted(
      to: PersonalSensitivity([
        steps: .off, .inactivity: .off, .checkInOverdue: .lower, MetricType("unknown"): .off,
      ]))
    #expect(own.metrics == usual.metrics.filter { $0.metric != steps })
    #expect(own.combined?.metrics == usual.combined?.metrics.filter { $0 != steps })
    #expect(own.inactivity == nil && own.checkInOverdue == usual.checkInOverdue)
    #expect(usual.adjusted(to: PersonalSensitivity([.combined: .off])).combined == nil)
    let rates = [Sensitivity.lower, .normal, .higher].map {
      usual.adjusted(to: PersonalSensitivity([.inactivity: $0])).inactivity?.rate
    }
    #expect(rates == [0.5, 1, 2])
    let less = usual.adjusted(to: PersonalSensitivity([.combined: .lower])).combined
    #expect(less?.threshold(metricsTakingPart: 2) == 3.25 + 0.35)
  }

  @Test func normalIsTheProfile() throws {
    let usual = try Profiles.named("v3")
    let all = Dictionary(
      uniqueKeysWithValues: usual.metrics.map { ($0.metric, Sensitivity.normal) })
    #expect(PersonalSensitivity(all).isNormal)
    #expect(usual.adjusted(to: PersonalSensitivity(all)) == usual)
  }

  // MARK: Folds

  /// The episodes of one person by the name of their series.
  private struct Found: Hashable {
    var metric: MetricType
    var episode: Episode
  }

  private func found(
    _ result: FoldResult, person: Int, metrics: [MetricThresholds], seriesPerPerson: Int
  ) -> [Found] {
    result.episodes.filter { $0.series / seriesPerPerson == person }.map { folded in
      let place = folded.series % seriesPerPerson
      return Found(
        metric: place < metrics.count ? metrics[place].metric : .combined, episode: folded.episode)
    }
  }

  private func random(
    _ metrics: [MetricThresholds], _ generator: inout SeededGenerator
  ) -> PersonalSensitivity {
    var overrides: [MetricType: Sensitivity] = [:]
    for metric in metrics.map(\.metric) + [.combined] where generator.chance(0.4) {
      overrides[metric] = generator.pick(Sensitivity.allCases)
    }
    return PersonalSensitivity(overrides)
  }

  /// A block of persons of many sensitivities has the episodes that each person has alone under thresholds of
  /// their own.
  @Test(arguments: ["v1", "v2", "v3"])
  func aBlockIsWhatEachPersonIsAlone(profile: String) throws {
    let usual = try Profiles.named(profile)
    let metrics = usual.wearableMetrics
    let perPerson = BlockFold(thresholds: usual, metrics: metrics).seriesPerPerson
    var (personal, combined) = (0, 0)
    for seed in 1...Repetitions.count(fast: 3, long: 20) {
      var generator = SeededGenerator(seed: seed)
      let block = RandomBlock(seed: seed, persons: 12, days: 150, metrics: metrics)
      var sensitivity: [Int: PersonalSensitivity] = [:]
      for person in 0..<12 where generator.chance(0.7) {
        sensitivity[person] =
          generator.chance(0.3) ? sensitivity[person - 1] : random(metrics, &generator)
      }
      let together = block.fold(days: 150, under: usual, sensitivity: sensitivity)
      let plain = block.fold(days: 150, under: usual)
      for person in 0..<12 {
        let own = usual.adjusted(to: sensitivity[person] ?? PersonalSensitivity())
        var alone = block
        alone.metrics = own.wearableMetrics
        alone.histories = [
          metrics.indices.filter { alone.metrics.map(\.metric).contains(metrics[$0].metric) }
            .map { block.histories[person][$0] }
        ]
        // Workouts are those of the first metric, which may be off.
        alone.histories[0][0].workouts = block.workouts(person: person)
        let result = alone.fold(days: 150, under: own)
        let expected = found(
          result, person: 0, metrics: alone.metrics,
          seriesPerPerson: BlockFold(thresholds: own, metrics: alone.metrics).seriesPerPerson)
        let here = found(
          together, person: person, metrics: metrics, seriesPerPerson: perPerson)
        #expect(here == expected, "seed \(seed), person \(person)")
        combined += here.count { $0.metric == .combined }
        if here != found(plain, person: person, metrics: metrics, seriesPerPerson: perPerson) {
          personal += 1
        }
      }
    }
    #expect(personal > 3, "no sensitivity made a difference")
    #expect(combined > 0 || usual.combined == nil)
  }

  @Test(arguments: ["v1", "v3"])
  func lessSensitivePersonsHaveFewerDeviatingDays(profile: String) throws {
    let usual = try Profiles.named(profile)
    let metrics = usual.wearableMetrics
    var days: [Sensitivity: Int] = [:]
    for sensitivity in Sensitivity.allCases {
      let own = PersonalSensitivity(
        Dictionary(
          uniqueKeysWithValues: metrics.map { ($0.metric, sensitivity) } + [(.combined, .off)]))
      for seed in 1...4 {
        let block = RandomBlock(seed: seed, persons: 8, days: 150, metrics: metrics)
        let result = block.fold(
          days: 150, under: usual,
          sensitivity: Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, own) }))
        days[sensitivity, default: 0] += result.episodes.reduce(0) { $0 + $1.episode.duration }
      }
    }
    #expect(days[.off] == 0)
    let (lower, normal, higher) = (days[.lower] ?? 0, days[.normal] ?? 0, days[.higher] ?? 0)
    #expect(0 < lower && lower < normal && normal < higher)
  }

  @Test func offLeavesNothingOfAStoredEpisode() throws {
    let usual = try Profiles.named("v1")
    let metrics = [try usual.metric("steps")]
    let days = RandomBlock.first...(RandomBlock.first + 99)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
    for index in 0..<100 { block.series(person: 0, metric: 0)[index] = index < 90 ? 9_000 : 2_000 }
    let fold = BlockFold(thresholds: usual, metrics: metrics)
    var result = FoldResult()
    fold.fold(block, over: FoldWindow(wholeHistory: days), into: &result)
    let stored = result.episodes.map(\.episode)
    #expect(stored.count == 1)
    fold.fold(
      block, over: FoldWindow(wholeHistory: days), stored: [0: stored],
      sensitivity: [0: PersonalSensitivity([steps: .off])], into: &result)
    #expect(result.episodes.isEmpty && result.unjudgedSeries.isEmpty)
    #expect(result.seriesWithData == 0)
  }
}
