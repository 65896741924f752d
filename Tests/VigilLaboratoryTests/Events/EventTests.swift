import ReferenceKernels
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

@testable import VigilLaboratory

/// Events of simulated people, and what they say about a detector.
@Suite struct EventTests {
  private static let order = ["steps", "resting_hr"]

  /// Two metrics that are easily proven, alone and together.
  private static func profile(_ name: String = "test") -> ProfileEvents {
    func metric(_ name: String, _ pattern: PatternType, _ transform: MetricEvidence.Transform)
      -> MetricThresholds
    {
      MetricThresholds(
        metric: MetricType(name), unit: "", pattern: pattern,
        rules: [MetricRule(pattern == .drop ? .percentDropAtLeast : .percentRiseAtLeast, 0)],
        evidence: MetricEvidence(
          transform: transform, priorSpread: pattern == .drop ? 10 : 2, priorAutocorrelation: 0.3,
          thresholds: EvidenceThresholds([10: 3.3])))
    }
    var thresholds = Thresholds(
      version: "test", digest: "",
      metrics: [metric("resting_hr", .rise, .none), metric("steps", .drop, .squareRoot)])
    var combined = CombinedSettings()
    combined.metrics = order.map { MetricType($0) }
    combined.thresholds = [2: 2.6]
    thresholds.combined = combined
    return ProfileEvents(name, thresholds: thresholds, order: order)
  }

  private static func quiet(people: Range<Int> = 0..<120) async -> Corpus {
    await Corpus(Simulator(population: .uniform(), seed: 3), people: people, dayCount: 365)
  }

  /// Against events that are brought together one day after the other.
  @Test func eventsAreThoseOfTheAlertsThatABackfillWrites() async throws {
    let corpus = await Self.quiet()
    let detector = Self.profile()
    var joined = 0
    for block in corpus.blocks {
      let fold = BlockFold(thresholds: detector.thresholds, metrics: detector.metrics)
      var result = FoldResult()
      fold.fold(
        block.observations, over: FoldWindow(wholeHistory: block.observations.days), into: &result)
      let events = detector.events(in: block.observations, people: block.people)
      for person in block.people.indices {
        let own = events.filter { $0.person == person }
        let first = block.observations.days.lowerBound
        let alerts = result.episodes.indices.filter { result.episodes[$0].series / 3 == person }
        let rows = alerts.map { index in
          let episode = result.episodes[index].episode
          let metric = result.episodes[index].series % 3
          return ReferenceEvents.Row(
            metric: metric < 2 ? Self.order[metric] : "combined",
            activeSince: episode.activeSince - first, openedOn: episode.openedOn - first,
            resolvedOn: episode.resolution.map { $0.day - first },
            contributing: episode.combined?.contributions.map(\.metric.rawValue) ?? [])
        }
        let members = ReferenceEvents.members(rows)
        #expect(Set(members.map(\.event)).count == own.count)
        for (event, number) in zip(own, Set(members.map(\.event)).sorted()) {
          let expected = members.filter { $0.event == number }
          joined += expected.count - 1
          #expect(event.alerts.map(\.opened) == expected.map(\.row.openedOn))
          #expect(event.alerts.map(\.isNotified) == expected.map { $0.opening != "joins" })
          let ends = expected.map(\.row.resolvedOn)
          #expect(event.resolved == (ends.contains(nil) ? nil : ends.compactMap(\.self).max()))
          var notifications = expected.count { $0.opening == "joins_with_notice" }
          var level = 0
          for day in 0..<365 {
            let today = expected.compactMap { member -> Int? in
              let index = alerts[rows.firstIndex(of: member.row) ?? 0]
              return result.newLevels.filter {
                $0.episode == index && $0.day - first == day
                  && !(member.opening == "joins_with_notice" && day == member.row.openedOn)
              }.map(\.level.rawValue).max()
            }.max()
            if let today, today > level {
              level = today
              notifications += 1
            }
          }
          #expect(event.notifications == notifications && event.level == level)
        }
      }
    }
    #expect(joined > 20, "only \(joined) alerts joined an event")
  }

  @Test func withoutSeveralMetricsTogetherAlertsAreThoseOfTheMetrics() async {
    let corpus = await Self.quiet()
    let alone = Self.profile().withoutCombined(named: "alone")
    let metrics = ProfileDetector("test", thresholds: alone.thresholds, order: Self.order)
    let openings = await corpus.events(of: alone).joined().flatMap(\.alerts).map(\.opened).sorted()
    let episodes = await corpus.episodes(of: metrics).joined().map(\.opened).sorted()
    #expect(openings == episodes && !openings.isEmpty)
    let all = await QuietEventStudy(corpus, detector: Self.profile())
    let none = await QuietEventStudy(corpus, detector: alone)
    #expect(all.combinedAlerts > 0 && none.combinedAlerts == 0)
    #expect(all.events == all.byPerson.reduce(0, +) && all.byPerson.count == 120)
    #expect(all.earlyEvents < all.events && all.notifications >= all.events)
  }

  @Test func raisedThresholdsMatchANumberOfEvents() async {
    let corpus = await Self.quiet()
    let matched = await EventRateMatching.matched(on: corpus, count: 60, settings: -100...300) {
      Self.profile().withThresholds(raisedBy: $0)
    }
    let study = await QuietEventStudy(corpus, detector: matched)
    #expect((54...60).contains(study.events), "\(study.events)")
    #expect(
      matched.thresholds.combined?.thresholds != Self.profile().thresholds.combined?.thresholds)
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
