import TestPopulation
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

@testable import VigilLaboratory
@testable import vigil_quality

/// Events of simulated people, and what studies count of them.
@Suite struct EventStudyTests {
  @Test func withoutSeveralMetricsTogetherAlertsAreThoseOfTheMetrics() async {
    let corpus = await Corpus.quiet()
    let alone = ProfileEvents.ofTwoMetrics.withoutCombined(named: "alone")
    let metrics = ProfileDetector(
      "test", thresholds: alone.thresholds, order: ProfileEvents.twoMetrics)
    let openings = await corpus.events(of: alone).joined().flatMap(\.alerts).map(\.opened).sorted()
    let episodes = await corpus.episodes(of: metrics).joined().map(\.opened).sorted()
    #expect(openings == episodes && !openings.isEmpty)
    let all = await QuietEventStudy(corpus, detector: ProfileEvents.ofTwoMetrics)
    let none = await QuietEventStudy(corpus, detector: alone)
    #expect(all.combinedAlerts > 0 && none.combinedAlerts == 0)
    #expect(all.events == all.byPerson.reduce(0, +) && all.byPerson.count == 120)
    #expect(all.earlyEvents < all.events && all.notifications >= all.events)
  }

  @Test func raisedThresholdsMatchANumberOfEvents() async {
    let corpus = await Corpus.quiet()
    let matched = await EventRateMatching.matched(on: corpus, count: 60, settings: -100...300) {
      ProfileEvents.ofTwoMetrics.withThresholds(raisedBy: $0)
    }
    let study = await QuietEventStudy(corpus, detector: matched)
    #expect((54...60).contains(study.events), "\(study.events)")
    #expect(
      matched.thresholds.combined?.thresholds
        != ProfileEvents.ofTwoMetrics.thresholds.combined?.thresholds)
  }

  @Test func onlyAlertsThatNameAChangedMetricFindTheChange() {
    let change = PlantedChange(metrics: [0, 2], onset: 100, length: 14, size: 1)
    func alert(_ opened: Int, _ metrics: Set<Int>, isNotified: Bool = true) -> DetectedEvent.Alert {
      DetectedEvent.Alert(opened: opened, metrics: metrics, isNotified: isNotified)
    }
    func outcome(_ alerts: [DetectedEvent.Alert]) -> ChangeEventStudy.Outcome {
      ChangeEventStudy.Outcome(of: change, alerts: alerts)
    }
    #expect(outcome([]).delay == nil)
    #expect(outcome([alert(99, [0]), alert(114, [0]), alert(105, [1])]).delay == nil)
    let joined = outcome([alert(102, [0], isNotified: false), alert(106, [1, 2])])
    #expect(joined.delay == 3 && joined.notifiedDelay == 7)
    #expect(joined.named == 2 && joined.namedAndChanged == 1)
    #expect(outcome([alert(113, [2])]).delay == 14)
  }

  /// The fused bound is the known one where a single metric changes and the other says nothing about it.
  @Test func ofOneMetricTheFusedCUSUMIsTheKnownOne() async {
    let population = Population.uniform(step: 1)
    let simulator = Simulator(population: population, seed: 4)
    let plan = ChangePlan(size: 1.5, length: 30, metrics: [0])
    let corpus = await Corpus(
      simulator, people: 0..<60, dayCount: plan.dayCount, change: plan.change(of:))
    for countsJump in [false, true] {
      var known = PeerDetector(
        KnownCUSUMRule(size: 1.5, countsJump: countsJump), population: population)
      known.thresholds = [3, .infinity]
      let fused = KnownFusedCUSUM(
        plan: plan, simulator: simulator, threshold: 3, countsJump: countsJump)
      let episodes = await corpus.episodes(of: known).joined().map(\.opened)
      #expect(await corpus.events(of: fused).joined().map(\.opened) == episodes)
      #expect(episodes.count > 60)
    }
  }

  @Test func theFusedCUSUMFindsMoreInTwoMetricsThanInOne() async {
    let simulator = Simulator(population: .uniform(), conditions: .plain, seed: 4)
    var found: [Int] = []
    for metrics: Set<Int> in [[0], [0, 1]] {
      let plan = ChangePlan(size: 0.8, length: 14, metrics: metrics)
      let corpus = await Corpus(
        simulator, people: 0..<200, dayCount: plan.dayCount, change: plan.change(of:))
      found.append(
        await ChangeEventStudy(
          corpus, detector: KnownFusedCUSUM(plan: plan, simulator: simulator, threshold: 6)
        ).delays.found)
    }
    #expect(found[1] > found[0] + 40, "\(found)")
  }
}
