import TestPopulation
import Testing
import VigilModel

@testable import VigilLaboratory
@testable import vigil_quality

@Suite struct ChangeStudyTests {
  private func episode(_ opened: Int, _ resolved: Int?, level: Int = 3) -> DetectedEpisode {
    DetectedEpisode(series: 0, opened: opened, resolved: resolved, level: level, notifications: 1)
  }

  @Test func onlyOpeningsDuringTheChangeFindIt() {
    let change = PlantedChange(metrics: [0], onset: 100, length: 30, size: 1)
    func outcome(_ episodes: [DetectedEpisode]) -> ChangeStudy.Outcome {
      ChangeStudy.outcome(of: change, in: episodes)
    }
    #expect(outcome([]).delay == nil)
    #expect(outcome([episode(99, 120), episode(130, 140)]).delay == nil)
    #expect(outcome([episode(100, 133)]).delay == 1)
    #expect(outcome([episode(129, 135)]).delay == 30)
    let two = outcome([episode(104, 110, level: 7), episode(115, 133, level: 14)])
    #expect(two.delay == 5 && two.level == 14 && two.resolution == 4)
    #expect(outcome([episode(104, 120)]).resolution == -9)
    #expect(outcome([episode(104, nil)]).resolution == nil)
  }

  @Test func rampsAreCompleteOnTheirLastDay() {
    let change = PlantedChange(
      metrics: [0], onset: 10, length: 6, size: 2, shape: .ramp(days: 4))
    #expect((9...16).map { change.shift(on: $0) } == [0, 0.5, 1, 1.5, 2, 2, 2, 0])
  }

  @Test func laggingMetricsChangeLaterAndAsLong() {
    let change = PlantedChange(
      metrics: [0, 1], onset: 10, length: 3, size: 2, lags: [1: 2])
    #expect((9...15).map { change.shift(of: 0, on: $0) } == [0, 2, 2, 2, 0, 0, 0])
    #expect((9...15).map { change.shift(of: 1, on: $0) } == [0, 0, 0, 2, 2, 2, 0])
    #expect(change.shift(of: 2, on: 11) == 0 && change.last == 14)
    var plan = ChangePlan(size: 1, length: 7, metrics: [0, 1, 2])
    plan.mostLag = 3
    let simulator = Simulator(population: .uniform(), seed: 1)
    var lags: Set<Int> = []
    for number in 0..<100 {
      guard let change = plan.change(of: simulator.person(number, dayCount: 10)) else { continue }
      #expect(change.lags.count == 3 && change.lags.values.min() == 0)
      #expect(change.last + plan.daysAfter < plan.dayCount)
      lags.formUnion(change.lags.values)
    }
    #expect(lags == [0, 1, 2, 3])
  }

  @Test func plansChooseAsManyMetricsAsAskedFor() {
    var plan = ChangePlan(size: 1, length: 7, metrics: [0, 1, 2, 3])
    plan.metricCount = 2
    let population = Population.uniform()
    let simulator = Simulator(population: population, seed: 1)
    var chosen: Set<Set<Int>> = []
    for number in 0..<200 {
      guard let change = plan.change(of: simulator.person(number, dayCount: 10)) else { continue }
      #expect(change.metrics.count == 2 && change.onset >= plan.knownDays)
      #expect(change.last + plan.daysAfter < plan.dayCount)
      chosen.insert(change.metrics)
    }
    #expect(chosen.count == 6)
  }

  @Test func aMatchedRuleRaisesAsManyFalseEpisodesAsAskedFor() async {
    let population = Population.uniform()
    let corpus = await Corpus(
      Simulator(population: population, seed: 8), people: 0..<200, dayCount: 365)
    let matched = await RateMatching.matched(
      PeerDetector(CUSUMRule(), population: population), on: corpus, counts: [60, 120])
    let study = await QuietStudy(corpus, detector: matched)
    #expect((55...60).contains(study.metrics[0].episodes))
    #expect((112...120).contains(study.metrics[1].episodes))
    #expect(study.total.episodes == study.metrics.reduce(0) { $0 + $1.episodes })
    #expect(study.total.byPerson.count == 200 && study.years == 200)
  }

  @Test func aStudyDoesNotDependOnTheOrderOfThreads() async {
    let population = Population.uniform()
    let simulator = Simulator(population: population, seed: 8)
    let detector = PeerDetector(EWMARule(), population: population)
    var counts: Set<[Int]> = []
    for _ in 0..<3 {
      let corpus = await Corpus(simulator, people: 0..<450, dayCount: 200)
      counts.insert(await QuietStudy(corpus, detector: detector).total.byPerson)
    }
    #expect(counts.count == 1)
  }

  @Test func shuffledWeeksKeepTheirDays() {
    let days = Corpus.firstDay...(Corpus.firstDay + 36)
    let block = ObservationBlock(personCount: 1, metricCount: 2, days: days)
    for index in 0..<74 { block.values[index] = Double(index) }
    let shuffled = WeekShuffle.shuffled(block, person: 0, seed: 3)
    let first = Array(shuffled.series(person: 0, metric: 0))
    #expect(first.sorted() == (0..<37).map(Double.init) && first != (0..<37).map(Double.init))
    for (day, value) in first.enumerated() {
      #expect(Int(value) % 7 == day % 7)
      #expect(shuffled.series(person: 0, metric: 1)[day] == value + 37)
    }
  }
}
