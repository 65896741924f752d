import TestPopulation
import Testing
import VigilModel

@testable import VigilLaboratory

@Suite struct PopulationFitTests {
  private let plans = [
    PopulationFit.MetricPlan("steps", scale: .sqrt, badDirection: -1, step: 1, limits: 0...1e6),
    PopulationFit.MetricPlan(
      "resting_hr", scale: .none, badDirection: 1, step: 0, limits: 0...250),
  ]

  private func series(of corpus: Corpus) -> [RealSeries] {
    corpus.blocks.flatMap { block in
      block.people.indices.flatMap { person in
        ["steps", "resting_hr"].enumerated().map { index, name in
          let values = block.observations.series(person: person, metric: index)
          let days = values.indices.filter { !values[$0].isNaN }
          return RealSeries(
            person: block.people[person].number, metric: name,
            days: days.map { block.observations.days.lowerBound + $0 },
            values: days.map { values[$0] })
        }
      }
    }
  }

  @Test func aFitOfSimulatedPeopleFindsTheirFigures() async {
    let truth = Population.uniform(autocorrelation: 0.4, wear: 0.9, correlation: 0.5)
    let corpus = await Corpus(
      Simulator(population: truth, conditions: .plain, seed: 4), people: 0..<100, dayCount: 365)
    let fitted = PopulationFit().population(
      of: series(of: corpus), plans: plans, provenance: truth.provenance)
    #expect(fitted.metrics.map(\.metric) == ["steps", "resting_hr"])
    for (metric, expected) in zip(fitted.metrics, truth.metrics) {
      #expect((metric.level.value(at: 0.5) / expected.level.values[0] - 1).magnitude < 0.02)
      #expect((metric.spread.value(at: 0.5) / expected.spread.values[0] - 1).magnitude < 0.04)
      #expect((metric.autocorrelation.value(at: 0.5) - 0.4).magnitude < 0.04)
      #expect((metric.wear.value(at: 0.5) - 0.9).magnitude < 0.03)
      #expect((metric.residuals.value(at: 0.975) - 1.96).magnitude < 0.1)
    }
    #expect((fitted.correlation[0][1] - 0.5).magnitude < 0.05)
  }

  @Test func metricsOfFewPeopleAreLeftOut() async {
    let truth = Population.uniform()
    let corpus = await Corpus(
      Simulator(population: truth, seed: 4), people: 0..<9, dayCount: 100)
    let fitted = PopulationFit().population(
      of: series(of: corpus), plans: plans, provenance: truth.provenance)
    #expect(fitted.metrics.isEmpty)
  }

  @Test func aSeriesThatDoesNotVaryHasNoFit() {
    let days = (0..<40).map { Corpus.firstDay + $0 }
    let series = RealSeries(
      person: 0, metric: "steps", days: days, values: days.map { _ in 8_000 })
    #expect(SeriesFit(series, scale: .sqrt) == nil)
  }
}
