import TestPopulation
import Testing
import VigilModel

@testable import VigilLaboratory
@testable import vigil_quality

/// The rules of others on series made by hand.
@Suite struct PeerRuleTests {
  private let population = Population.uniform()

  private func person(autocorrelation: Double = 0) -> SimulatedPerson {
    let metrics = population.metrics.map { metric in
      SimulatedPerson.Metric(
        level: metric.level.values[0], spread: metric.spread.values[0],
        weekdays: [0, 0, 0, 0, 0, 0, 0], autocorrelation: autocorrelation, wear: 1,
        seasonPhase: 0)
    }
    return SimulatedPerson(
      number: 0, metrics: metrics, hasMetric: [true, true], cycleAmplitude: 0, cycleLength: 28,
      deviceChanges: [])
  }

  /// The opening days of a rule in resting heart rate, the second metric.
  private func openings(
    _ rule: any PeerRule, _ values: [Double], threshold: Double? = nil,
    autocorrelation: Double = 0
  ) -> [Int] {
    let block = ObservationBlock(
      personCount: 1, metricCount: 2, days: Corpus.firstDay...(Corpus.firstDay + (values.count - 1))
    )
    for (day, value) in values.enumerated() { block.series(person: 0, metric: 1)[day] = value }
    var detector = PeerDetector(rule, population: population)
    if let threshold { detector.thresholds = [threshold, threshold] }
    return detector.makeWorker().episodes(
      in: block, people: [person(autocorrelation: autocorrelation)]
    ).map(\.opened)
  }

  private let usual = (0..<40).map { 60 + Double($0 % 2) }

  @Test func nightSignalNeedsTwoNightsInARow() {
    #expect(openings(NightSignalRule(), usual + [65, 60, 65, 65]) == [43])
    #expect(openings(NightSignalRule(), usual + [65, .nan, 65]) == [])
    // 4 bpm above the median of 60.5 are enough, less is not.
    #expect(openings(NightSignalRule(), usual + [64.4, 64.4]) == [])
    #expect(openings(NightSignalRule(), [60, 60, 70, 70]) == [])
  }

  @Test func earsComparesWithSevenDaysTwoBefore() {
    // Seven days of 60 and 61 have a standard deviation of 0.53.
    #expect(openings(EARSRule(), usual + [62]) == [])
    #expect(openings(EARSRule(), usual + [62.2]) == [40])
    // The two days before a day are no baseline of it.
    #expect(openings(EARSRule(), usual + [62, 62, 62.2]) == [42])
    #expect(openings(EARSRule(), usual + [55]) == [])
  }

  @Test func alarmsCloseToEachOtherAreOneEpisode() {
    let quiet = Array(usual.prefix(6))
    #expect(openings(EARSRule(), usual + [64] + quiet + [64]) == [40])
    #expect(openings(EARSRule(), usual + [64] + Array(usual.prefix(9)) + [64]) == [40, 50])
  }

  @Test func averagesAndSumsFindWhatLasts() {
    for rule in [EWMARule(), CUSUMRule()] as [any PeerRule] {
      let found = openings(rule, usual + Array(repeating: 62, count: 10))
      #expect(found.count == 1 && (41...46).contains(found[0]), "\(rule.name)")
      #expect(openings(rule, usual + [62] + usual) == [], "\(rule.name)")
      #expect(openings(rule, usual + Array(repeating: 58, count: 10)) == [], "\(rule.name)")
    }
  }

  /// A step of 1.5 spreads of 2 bpm adds 1.5 * (1.5 - 0.75) = 1.125 a day.
  @Test func theKnownSumGrowsByTheInformation() {
    let series = Array(repeating: 60.0, count: 10) + Array(repeating: 63, count: 10)
    for (threshold, day) in [(1.1, 10), (1.2, 11), (3.3, 12), (4.4, 13)] {
      #expect(openings(KnownCUSUMRule(size: 1.5), series, threshold: threshold).first == day)
    }
  }

  /// With an autocorrelation of 0.8, the first day shows 2.5 spreads of its innovation, the others 0.5.
  @Test func theJumpOfTheFirstDayCounts() {
    let series = Array(repeating: 60.0, count: 10) + Array(repeating: 63, count: 10)
    let jump = openings(
      KnownCUSUMRule(size: 1.5), series, threshold: 3, autocorrelation: 0.8)
    let steady = openings(
      KnownCUSUMRule(size: 1.5, countsJump: false), series, threshold: 3, autocorrelation: 0.8)
    #expect(jump == [10])
    #expect(steady.isEmpty || steady[0] > 15)
  }

  @Test func theRunningBaselineIsThatOfTheLastSixtyDays() throws {
    var baseline = RunningBaseline()
    var days: [Double] = []
    var stream = RandomStream(seed: 2, person: 0, purpose: .traits)
    for _ in 0..<300 {
      let y = 60 + stream.normal()
      let found = baseline.deviation(of: y, leastSpread: 0.01)
      let pool = Array(days.dropLast(7).suffix(60))
      days.append(y)
      guard pool.count >= 14 else {
        #expect(found == nil)
        continue
      }
      let mean = pool.reduce(0, +) / Double(pool.count)
      let squares = pool.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let expected = (y - mean) / (squares / Double(pool.count - 1)).squareRoot()
      #expect((try #require(found) - expected).magnitude < 1e-9)
    }
  }
}
