import TestPopulation
import Testing
import VigilModel

@testable import VigilLaboratory

@Suite struct SimulatorTests {
  private func values(
    _ simulator: Simulator, person: Int, metric: Int = 0, dayCount: Int = 400,
    change: PlantedChange? = nil
  ) -> [Double] {
    let block = ObservationBlock(
      personCount: 1, metricCount: 2, days: Corpus.firstDay...(Corpus.firstDay + (dayCount - 1)))
    simulator.write(
      simulator.person(person, dayCount: dayCount), slot: 0, into: block, change: change)
    return Array(block.series(person: 0, metric: metric))
  }

  /// A value or its absence, bit for bit.
  private func bits(_ values: some Sequence<Double>) -> [UInt64] { values.map(\.bitPattern) }

  @Test func aPersonIsTheSameInEveryBlockAndOnAnyThread() async {
    let simulator = Simulator(population: .uniform(), seed: 11)
    let large = await Corpus(simulator, people: 0..<250, dayCount: 400)
    let small = await Corpus(simulator, people: 137..<139, dayCount: 400)
    let alone = values(simulator, person: 137)
    let first = large.blocks[1].observations.series(person: 37, metric: 0)
    #expect(bits(first) == bits(alone))
    #expect(bits(small.blocks[0].observations.series(person: 0, metric: 0)) == bits(alone))
  }

  @Test func otherSeedsAndNumbersAreOtherPeople() {
    let one = Simulator(population: .uniform(), seed: 1)
    let two = Simulator(population: .uniform(), seed: 2)
    #expect(bits(values(one, person: 5)) != bits(values(two, person: 5)))
    #expect(bits(values(one, person: 5)) != bits(values(one, person: 6)))
  }

  @Test(arguments: [0.0, 0.3, 0.8])
  func autocorrelationLevelAndSpreadAreReached(autocorrelation: Double) {
    let simulator = Simulator(
      population: .uniform(autocorrelation: autocorrelation, wear: 1), conditions: .plain, seed: 5)
    let y = values(simulator, person: 0, dayCount: 20_000).map(Scale.sqrt.scaled)
    let mean = y.reduce(0, +) / Double(y.count)
    let variance = y.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(y.count)
    let products = zip(y, y.dropFirst()).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) }
    #expect((mean - 90).magnitude < 1)
    #expect((variance.squareRoot() - 10).magnitude < 0.5)
    #expect((products / Double(y.count - 1) / variance - autocorrelation).magnitude < 0.03)
  }

  @Test func wearAndGapsAreReached() {
    let simulator = Simulator(population: .uniform(wear: 0.8), conditions: .plain, seed: 5)
    let values = values(simulator, person: 0, dayCount: 20_000)
    let share = Double(values.count { !$0.isNaN }) / 20_000
    let gaps = zip(values, values.dropFirst()).count { !$0.0.isNaN && $0.1.isNaN }
    #expect((share - 0.8).magnitude < 0.02)
    #expect((Double(values.count(where: \.isNaN)) / Double(gaps) - 2).magnitude < 0.15)
  }

  @Test func metricsAreCorrelatedWithinADay() {
    let simulator = Simulator(
      population: .uniform(wear: 1, correlation: -0.6), conditions: .plain, seed: 5)
    let left = values(simulator, person: 0, metric: 0, dayCount: 10_000).map(Scale.sqrt.scaled)
    let right = values(simulator, person: 0, metric: 1, dayCount: 10_000)
    #expect((CorrelationFit.correlation(left, right) + 0.6).magnitude < 0.04)
  }

  /// Fewer steps and a higher heart rate are bad, so more of the same bad days is a correlation below 0.
  @Test func furtherCorrelationIsInTheBadDirections() {
    var conditions = SimulationConditions.plain
    conditions.moreCorrelation = 0.3
    let simulator = Simulator(
      population: .uniform(wear: 1, correlation: -0.2), conditions: conditions, seed: 5)
    let left = values(simulator, person: 0, metric: 0, dayCount: 10_000).map(Scale.sqrt.scaled)
    let right = values(simulator, person: 0, metric: 1, dayCount: 10_000)
    #expect((CorrelationFit.correlation(left, right) + 0.5).magnitude < 0.04)
  }

  @Test func peopleHaveAsManyMetricsAsAskedFor() {
    var conditions = SimulationConditions()
    conditions.metricsPerPerson = 1
    let simulator = Simulator(population: .uniform(), conditions: conditions, seed: 5)
    let all = Simulator(population: .uniform(), seed: 5)
    var owners = [0, 0]
    for person in 0..<100 {
      let present = (0..<2).filter { metric in
        let own = values(simulator, person: person, metric: metric)
        guard own.contains(where: { !$0.isNaN }) else { return false }
        #expect(bits(own) == bits(values(all, person: person, metric: metric)))
        return true
      }
      #expect(present.count == 1)
      owners[present.first ?? 0] += 1
    }
    #expect(owners[0] > 30 && owners[1] > 30)
  }

  @Test func aChangeIsWhereItWasAskedForAndNowhereElse() {
    let simulator = Simulator(population: .uniform(), seed: 9)
    let change = PlantedChange(
      metrics: [0], onset: 200, length: 30, size: 1.5, shape: .ramp(days: 3))
    let without = values(simulator, person: 3).map(Scale.sqrt.scaled)
    let with = values(simulator, person: 3, change: change).map(Scale.sqrt.scaled)
    for day in 0..<400 where !without[day].isNaN {
      // 10 is the personal spread, and fewer steps are bad.
      let expected =
        switch day {
        case 200: -5.0
        case 201: -10.0
        case 202..<230: -15.0
        default: 0.0
        }
      #expect((with[day] - without[day] - expected).magnitude < 1e-9, "day \(day)")
    }
    #expect(
      bits(values(simulator, person: 3, metric: 1, change: change))
        == bits(values(simulator, person: 3, metric: 1)))
  }

  @Test func devicesRoundAndLimit() {
    let simulator = Simulator(population: .uniform(step: 5), seed: 9)
    for value in values(simulator, person: 0) where !value.isNaN {
      #expect(value.truncatingRemainder(dividingBy: 5) == 0 && value >= 0)
    }
  }

  @Test func solvingMakesNumbersIndependent() {
    let cholesky = Cholesky(correlation: [[1, 0.6, 0.2], [0.6, 1, -0.3], [0.2, -0.3, 1]])
    let independent = [1.5, -0.25, 2]
    let correlated = (0..<3).map { row in
      independent.withUnsafeBufferPointer { cholesky.product(row: row, $0) }
    }
    for (found, expected) in zip(cholesky.solved(correlated), independent) {
      #expect((found - expected).magnitude < 1e-12)
    }
  }

  @Test func impossibleCorrelationsShrink() {
    let impossible = [[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]]
    let rows = Cholesky(correlation: impossible).rows
    for row in rows { #expect((row.reduce(0) { $0 + $1 * $1 } - 1).magnitude < 1e-12) }
  }
}
