import Foundation
import TestPopulation
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

@testable import VigilLaboratory

@Suite struct ThresholdCalibrationTests {
  /// Two metrics under evidence, whose rules always match.
  private static var profile: Thresholds {
    func metric(_ name: String, _ pattern: PatternType, _ transform: MetricEvidence.Transform)
      -> MetricThresholds
    {
      MetricThresholds(
        metric: MetricType(name), unit: "", pattern: pattern,
        rules: [MetricRule(pattern == .drop ? .percentDropAtLeast : .percentRiseAtLeast, 0)],
        evidence: MetricEvidence(
          transform: transform, priorSpread: pattern == .drop ? 10 : 2, priorAutocorrelation: 0.3,
          thresholds: EvidenceThresholds([10: 4])))
    }
    return Thresholds(
      version: "test", digest: "",
      metrics: [metric("steps", .drop, .squareRoot), metric("resting_hr", .rise, .none)])
  }

  private static func calibration(people: Int = 300, seed: UInt64 = 5, budget: Double = 2)
    -> ThresholdCalibration
  {
    ThresholdCalibration(
      profile: profile, simulator: Simulator(population: .uniform(), seed: seed), people: people,
      rate: .episodesPerPersonYear(budget))
  }

  @Test func otherPeopleKeepTheBudgetAndComeCloseToIt() async throws {
    let calibration = Self.calibration()
    let found = try #require(await calibration.run())
    var profile = Self.profile
    for (index, thresholds) in found.thresholds.enumerated() {
      profile.metrics[index].evidence?.thresholds = thresholds
    }
    let checked = try #require(
      await FalseEpisodes.simulated(
        [profile], simulator: calibration.simulator, people: 300..<900)?.first)
    #expect(checked.rate.lower <= 2 && checked.rate.upper >= 1.6, "\(checked.rate)")
    // Each metric has half of them.
    for index in 0..<2 {
      let rate = checked.rate(ofMetric: index)
      #expect(rate.lower <= 1 && rate.upper >= 0.8, "\(rate)")
    }
    #expect(checked.personYears > 706 && checked.personYears < 707)
  }

  /// From days alone to a budget that the true people keep.
  ///
  /// The fit takes slow levels for a part of spread and autocorrelation, and the simulation adds them again; so
  /// fewer episodes come than are allowed, but not far fewer.
  @Test func thePeopleWhoWereFittedKeepTheBudget() async throws {
    let truth = Simulator(population: .uniform(step: 1), seed: 9)
    var survey = PopulationSurvey(plans: [
      .init("steps", scale: .sqrt, badDirection: -1, step: 0, limits: 0...1e6),
      .init("resting_hr", scale: .none, badDirection: 1, step: 0, limits: 0...1e6),
    ])
    let seen = await Corpus(truth, people: 0..<100, dayCount: 365)
    for block in seen.blocks {
      for person in block.people.indices {
        survey.add(
          ["steps", "resting_hr"].enumerated().map { index, name in
            let values = block.observations.series(person: person, metric: index)
            let days = values.indices.filter { !values[$0].isNaN }
            return RealSeries(
              person: person, metric: name, days: days.map { Corpus.firstDay + $0 },
              values: days.map { values[$0] })
          })
      }
    }
    var profile = Self.profile
    for index in profile.metrics.indices {
      let priors = try #require(survey.priors(profile.metrics[index].metric.rawValue))
      profile.metrics[index].evidence?.priorSpread = priors.spread
      profile.metrics[index].evidence?.priorAutocorrelation = priors.autocorrelation
    }
    let fitted = survey.population(provenance: truth.population.provenance)
    let found = try #require(
      await ThresholdCalibration(
        profile: profile, simulator: Simulator(population: fitted, seed: 5), people: 300,
        rate: .episodesPerPersonYear(2)
      ).run())
    for (index, thresholds) in found.thresholds.enumerated() {
      profile.metrics[index].evidence?.thresholds = thresholds
    }
    let others = try #require(
      await FalseEpisodes.simulated([profile], simulator: truth, people: 100..<500)?.first)
    #expect(others.rate.lower <= 2 && others.rate.upper >= 1, "\(others.rate)")
  }

  @Test func thresholdsNeverRiseWithTheBaseline() async throws {
    let found = try #require(await Self.calibration(people: 100, budget: 0.3).run())
    for thresholds in found.thresholds {
      #expect(thresholds.knots.map(\.poolSize) == ThresholdCalibration.poolSizes)
      let values = thresholds.knots.map(\.threshold)
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 >= $1 }, "\(values)")
    }
  }

  @Test func theSeedDecidesEverything() async throws {
    let first = try #require(await Self.calibration(people: 120).run())
    let again = try #require(await Self.calibration(people: 120).run())
    let other = try #require(await Self.calibration(people: 120, seed: 6).run())
    #expect(first.thresholds == again.thresholds)
    #expect(first.openingsPerSeriesYear == again.openingsPerSeriesYear)
    #expect(first.thresholds != other.thresholds)
  }

  @Test func aSmallerBudgetNeedsMoreEvidence() async throws {
    let few = try #require(await Self.calibration(people: 120, budget: 0.5).run())
    let many = try #require(await Self.calibration(people: 120, budget: 8).run())
    for (few, many) in zip(few.thresholds, many.thresholds) {
      #expect(few.threshold(poolSize: 120) > many.threshold(poolSize: 120) + 0.3)
    }
    #expect((few.openingsPerSeriesYear * 16 - many.openingsPerSeriesYear).magnitude < 1e-9)
  }

  @Test func aRateOfEachSeriesIsKept() async throws {
    let calibration = ThresholdCalibration(
      profile: Self.profile, simulator: Simulator(population: .uniform(), seed: 5), people: 300,
      rate: .openingsPerSeriesYear(0.5))
    let found = try #require(await calibration.run())
    #expect(found.openingsPerSeriesYear == 0.5)
    var profile = Self.profile
    for (index, thresholds) in found.thresholds.enumerated() {
      profile.metrics[index].evidence?.thresholds = thresholds
    }
    let others = try #require(
      await FalseEpisodes.simulated(
        [profile], simulator: calibration.simulator, people: 300..<900)?.first)
    // Two series a person, all but the first days of which can be judged.
    #expect(others.rate.lower <= 1 && others.rate.upper >= 0.8, "\(others.rate)")
  }

  @Test func itStopsWhenAsked() async {
    var questions = 0
    let found = await Self.calibration(people: 100).run(shouldStop: {
      questions += 1
      return questions > 3
    })
    #expect(found == nil && questions == 4)
  }

  @Test func progressReachesItsEndAndNeverFalls() async {
    var shares: [Double] = []
    _ = await Self.calibration(people: 100).run(progress: { shares.append($0) })
    #expect(shares.last == 1)
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func matchingFindsKnownQuantiles() {
    // Of an exponential distribution of 10,000 values, 10,000 exp(-x) are above x.
    func counts(_ hundredths: [Int]) -> [Int] {
      hundredths.map { Int((10_000 * exp(-Double($0) / 100)).rounded()) }
    }
    var matching = CountMatching(targets: [5000, 100, 1, 0, 20_000], within: 10...1200)
    while !matching.isDone { matching.take(counts(matching.values)) }
    // ln 2, ln 100, -ln 0.00015 and -ln 0.00005, rounded up; a target that is never missed.
    #expect(matching.values == [70, 461, 881, 991, 10])
  }

  @Test func descentPoolsWhatRises() {
    #expect(Descent.fitted([5, 4, 3], weights: [1, 1, 1]) == [5, 4, 3])
    #expect(Descent.fitted([5, 3, 4, 1], weights: [1, 1, 3, 1]) == [5, 3.75, 3.75, 1])
    #expect(Descent.fitted([1, 2, 3], weights: [1, 1, 1]) == [2, 2, 2])
    #expect(Descent.fitted([4, 1, 6, 1], weights: [1, 1, 1, 1]) == [4, 3.5, 3.5, 1])
  }

  @Test func judgedDaysAreThoseWithAValueAndABaseline() {
    let days = Corpus.firstDay...(Corpus.firstDay + 59)
    let block = ObservationBlock(personCount: 1, metricCount: 2, days: days)
    for day in 0..<60 where day != 20 { block.series(person: 0, metric: 0)[day] = 1 }
    let counter = OpeningCounter(
      detector: ProfileDetector("t", thresholds: Self.profile, order: ["steps", "resting_hr"]),
      knots: [10, 14, 20, 28, 40])
    // The 14th value has a pool of 10, the 20th one of 14, the 29th of 20, the 41st of 28, the 59th of 40.
    #expect(counter.judgedDays(in: block)[0] == [6, 9, 12, 18, 1])
    #expect(counter.judgedDays(in: block)[1] == [0, 0, 0, 0, 0])
  }
}
