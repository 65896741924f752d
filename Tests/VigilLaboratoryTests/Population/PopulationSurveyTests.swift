import TestPopulation
import Testing
import VigilDetection
import VigilModel

@testable import VigilLaboratory

@Suite struct PopulationSurveyTests {
  private static let plans = [
    PopulationFit.MetricPlan("steps", scale: .sqrt, badDirection: -1, step: 0, limits: 0...1e6),
    PopulationFit.MetricPlan(
      "resting_hr", scale: .none, badDirection: 1, step: 0, limits: 0...250),
  ]

  /// The series of simulated people, by person.
  private func people(_ count: Int, of population: Population, days: Int) async -> [[RealSeries]] {
    let corpus = await Corpus(
      Simulator(population: population, conditions: .plain, seed: 4), people: 0..<count,
      dayCount: days)
    return corpus.blocks.flatMap { block in
      block.people.indices.map { person in
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

  @Test func oneAfterTheOtherGivesTheFitOfAllTogether() async throws {
    let truth = Population.uniform(autocorrelation: 0.4, wear: 0.9, correlation: 0.5, step: 1)
    let people = await people(60, of: truth, days: 200)
    var fit = PopulationFit()
    fit.fewestObservations = PopulationSurvey.fewestObservations
    let together = fit.population(
      of: people.flatMap(\.self), plans: Self.plans, provenance: truth.provenance)
    var survey = PopulationSurvey(plans: Self.plans)
    for person in people { survey.add(person) }
    let found = survey.population(provenance: truth.provenance)
    #expect(survey.people == 60 && survey.people("steps") == 60)
    for (metric, expected) in zip(found.metrics, together.metrics) {
      #expect(metric.level == expected.level && metric.spread == expected.spread)
      #expect(metric.autocorrelation == expected.autocorrelation && metric.wear == expected.wear)
      #expect(metric.weekdayMean == expected.weekdayMean)
      #expect(metric.step == 1)
      // Counts of classes of 0.01 lose half a class.
      for (a, b) in zip(metric.residuals.values, expected.residuals.values) {
        #expect((a - b).magnitude < 0.03)
      }
    }
    #expect(found.correlation == together.correlation)
    #expect((found.correlation[0][1] - 0.5).magnitude < 0.05)
    #expect(found.correlationIntervals == together.correlationIntervals)
  }

  /// Fewer steps and a higher heart rate are bad, so a correlation of -0.4 is one of 0.4 in the bad directions.
  @Test func correlationsHaveAnIntervalOverPeople() async throws {
    let truth = Population.uniform(wear: 0.9, correlation: -0.4)
    var widths: [Double] = []
    for count in [25, 100] {
      var survey = PopulationSurvey(plans: Self.plans)
      for person in await people(count, of: truth, days: 120) { survey.add(person) }
      let found = survey.population(provenance: truth.provenance)
      let known = try #require(found.badCorrelation("resting_hr", "steps"))
      let interval = try #require(known.interval)
      #expect(interval.contains(0.4) && interval.contains(known.estimate), "\(interval)")
      #expect(found.badCorrelation("steps", "resting_hr") == known)
      #expect(found.badCorrelation("steps", "hrv_ms") == nil)
      widths.append(interval.upperBound - interval.lowerBound)
      var settings = CombinedSettings()
      settings.correlations[MetricPair(.init("sleep_minutes"), .init("steps"))] = 0.3
      let fitted = settings.fitted(to: found)
      #expect((fitted.correlation(.init("steps"), .init("resting_hr")) - 0.4).magnitude < 0.051)
      // What the people do not show stays.
      #expect(fitted.correlation(.init("sleep_minutes"), .init("steps")) == 0.3)
      #expect(fitted.correlation(.init("hrv_ms"), .init("resting_hr")) == 0.55)
    }
    // Four times the people, half the width; of independent days it would be 4 / square root of 12,000.
    #expect(widths[1] < 0.7 * widths[0] && widths[1] < 0.06, "\(widths)")
  }

  @Test func weakAndOppositeCorrelationsCountAsNone() async {
    for correlation in [-0.04, 0.5] {
      let truth = Population.uniform(wear: 0.9, correlation: correlation)
      var survey = PopulationSurvey(plans: Self.plans)
      for person in await people(40, of: truth, days: 120) { survey.add(person) }
      var settings = CombinedSettings()
      settings.correlations[MetricPair(.init("steps"), .init("resting_hr"))] = 0.5
      let fitted = settings.fitted(to: survey.population(provenance: truth.provenance))
      #expect(fitted.correlation(.init("steps"), .init("resting_hr")) == 0)
    }
  }

  @Test func fewCommonDaysHaveNoInterval() async {
    let truth = Population.uniform(wear: 1)
    var survey = PopulationSurvey(plans: Self.plans)
    for (index, person) in await people(20, of: truth, days: 130).enumerated() {
      survey.add(
        person.map { series in
          let keep = series.metric == "steps" ? 0..<64 : 62..<130
          return RealSeries(
            person: index, metric: series.metric, days: Array(series.days[keep]),
            values: Array(series.values[keep]))
        })
    }
    let found = survey.population(provenance: truth.provenance)
    #expect(found.metrics.count == 2 && found.correlationIntervals.isEmpty)
    #expect(found.badCorrelation("steps", "resting_hr")?.interval == nil)
  }

  @Test func priorsAreMediansOverPeople() async throws {
    let truth = Population.uniform(autocorrelation: 0.4, wear: 0.9)
    var survey = PopulationSurvey(plans: Self.plans)
    for person in await people(40, of: truth, days: 300) { survey.add(person) }
    let steps = try #require(survey.priors("steps"))
    #expect((steps.spread / 10 - 1).magnitude < 0.04)
    #expect((steps.autocorrelation - 0.4).magnitude < 0.05)
    #expect(survey.priors("hrv_ms") == nil)
  }

  @Test(arguments: [(19, 60, 0), (20, 60, 2), (20, 59, 0)])
  func fewPeopleAndFewValuesAreNotFitted(people count: Int, days: Int, metrics: Int) async {
    let truth = Population.uniform(wear: 1)
    var survey = PopulationSurvey(plans: Self.plans)
    for person in await people(count, of: truth, days: days) { survey.add(person) }
    #expect(survey.people == count)
    #expect(survey.population(provenance: truth.provenance).metrics.count == metrics)
    #expect((survey.priors("steps") == nil) == (metrics == 0))
    #expect(survey.isFitted("steps") == (metrics > 0))
  }

  @Test func theStepOfDevicesFollowsFromTheirValues() {
    let days = (0..<60).map { Corpus.firstDay + $0 }
    for (unit, step) in [(1.0, 1.0), (0.1, 0.1), (0.07, 0.0)] {
      var survey = PopulationSurvey(plans: [Self.plans[1]])
      for person in 0..<20 {
        survey.add([
          RealSeries(
            person: person, metric: "resting_hr", days: days,
            values: days.indices.map { 60 + Double(($0 * 7 + person) % 11) * unit })
        ])
      }
      let found = survey.population(provenance: Population.uniform().provenance)
      #expect(found.metrics.map(\.step) == [step])
    }
  }

  @Test func metricsThatAreMissingComeFromTheOtherPopulation() {
    let full = Population.uniform(correlation: 0.5)
    var own = Population.uniform(autocorrelation: 0.7, correlation: 0.2)
    own.metrics.removeLast()
    own.correlation = [[1]]
    let filled = own.filled(from: full, metrics: ["resting_hr", "hrv_ms", "steps"])
    #expect(filled.metrics.map(\.metric) == ["resting_hr", "steps"])
    #expect(filled.metrics[1] == own.metrics[0])
    #expect(filled.correlation == [[1, 0.5], [0.5, 1]])
  }
}
