import TestPopulation
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

@testable import VigilLaboratory

/// The thresholds of several metrics together, and of a whole profile, for a budget of false events.
@Suite struct CombinedCalibrationTests {
  private static let names = ["steps", "resting_hr"]

  /// Two metrics under evidence whose rules always match, followed together.
  private static var profile: Thresholds {
    func metric(_ name: String, _ pattern: PatternType, _ transform: MetricEvidence.Transform)
      -> MetricThresholds
    {
      MetricThresholds(
        metric: MetricType(name), unit: "", pattern: pattern,
        rules: [MetricRule(pattern == .drop ? .percentDropAtLeast : .percentRiseAtLeast, 0)],
        evidence: MetricEvidence(
          transform: transform, priorSpread: pattern == .drop ? 10 : 2, priorAutocorrelation: 0.3,
          thresholds: EvidenceThresholds([10: 4, 40: 3.8])))
    }
    var thresholds = Thresholds(
      version: "test", digest: "",
      metrics: [metric("steps", .drop, .squareRoot), metric("resting_hr", .rise, .none)])
    var combined = CombinedSettings()
    combined.metrics = names.map { MetricType($0) }
    combined.correlations = [:]
    combined.thresholds = [2: 3.25, 3: 3.7]
    thresholds.combined = combined
    return thresholds
  }

  private static func calibration(
    of profile: Thresholds = profile, people: Int = 300, seed: UInt64 = 5, budget: Double = 2
  ) -> CombinedCalibration? {
    CombinedCalibration(
      profile: profile, simulator: Simulator(population: .uniform(), seed: seed), people: people,
      budget: budget)
  }

  @Test func otherPeopleKeepTheBudgetOfEventsAndComeCloseToIt() async throws {
    let calibration = try #require(Self.calibration())
    let found = try #require(await calibration.run())
    let checked = try #require(
      await FalseEpisodes.simulated(
        [found.profile], simulator: calibration.simulator, people: 300..<900)?.first)
    #expect(checked.rate.lower <= 2 && checked.rate.upper >= 1.6, "\(checked.rate)")
    let combined = try #require(checked.combinedRate)
    #expect(combined.estimate > 0.2 && combined.estimate < checked.rate.estimate)
    // An event of both is counted once.
    #expect(checked.events < checked.counts.reduce(0, +) + (checked.combined ?? 0))
    #expect(found.openingsPerPersonYear > 0.2 && found.openingsOfMetrics > 100)
  }

  /// Thresholds of one metric keep their distances; those of more metrics than people have, theirs too.
  @Test func thresholdsMoveTogether() async throws {
    let found = try #require(await Self.calibration(people: 120)?.run()?.profile)
    for metric in found.metrics {
      let evidence = try #require(metric.evidence)
      let distance =
        evidence.thresholds.threshold(poolSize: 10) - evidence.thresholds.threshold(poolSize: 40)
      #expect((distance - 0.2).magnitude < 1e-9)
    }
    let thresholds = try #require(found.combined?.thresholds)
    let (two, three) = (try #require(thresholds[2]), try #require(thresholds[3]))
    #expect((three - two - 0.45).magnitude < 1e-9, "\(thresholds)")
  }

  @Test func aSmallerBudgetNeedsMoreEvidence() async throws {
    var found: [Double] = []
    for budget in [0.5, 4] {
      let profile = try #require(
        await Self.calibration(people: 120, budget: budget)?.run()?.profile)
      found.append(try #require(profile.combined?.thresholds[2]))
    }
    #expect(found[0] > found[1] + 0.3, "\(found)")
  }

  @Test func theSeedDecidesEverything() async throws {
    let first = try #require(await Self.calibration(people: 120)?.run())
    let again = try #require(await Self.calibration(people: 120)?.run())
    #expect(first.profile == again.profile)
    #expect(first.openingsPerPersonYear == again.openingsPerPersonYear)
  }

  @Test func withoutSeveralMetricsThereIsNothingToDo() {
    var profile = Self.profile
    profile.combined = nil
    #expect(Self.calibration(of: profile) == nil)
    profile = Self.profile
    profile.combined?.groups = [Self.names.map { MetricType($0) }]
    #expect(Self.calibration(of: profile) == nil)
  }

  @Test func itStopsWhenAskedAndSaysHowFarItIs() async throws {
    let calibration = try #require(Self.calibration(people: 100))
    var questions = 0
    let found = await calibration.run(shouldStop: {
      questions += 1
      return questions > 3
    })
    #expect(found == nil && questions == 4)
    var shares: [Double] = []
    _ = await calibration.run(progress: { shares.append($0) })
    #expect(shares.last == 1 && shares.count > 10)
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 <= $1 })
  }
}
