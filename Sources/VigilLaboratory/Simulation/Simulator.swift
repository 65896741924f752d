import Foundation
public import VigilModel

/// Draws simulated people of a population and writes their days into blocks.
///
/// Everything about person i follows from the seed and i: neither the block, its size nor the number of
/// threads changes a value. A planted change adds its shift and leaves all random numbers as they are, so
/// that a person with and without it can be compared day by day.
public struct Simulator: Sendable {
  public let population: Population
  public let conditions: SimulationConditions
  public let seed: UInt64

  private let shapes: [ResidualShape]
  private let traits: [Cholesky]
  /// Of the metrics' days; 1 on the diagonal.
  package let correlation: [[Double]]
  let innovations: Cholesky
  private let cycleIndex: Int?

  public init(population: Population, conditions: SimulationConditions = .init(), seed: UInt64) {
    self.population = population
    self.conditions = conditions
    self.seed = seed
    shapes = population.metrics.map { ResidualShape($0.residuals) }
    traits = population.metrics.map { Cholesky(correlation: $0.traitCorrelation) }
    let count = population.metrics.count
    let directions = population.metrics.map(\.badDirection)
    correlation = (0..<count).map { row in
      (0..<count).map { column in
        if row == column { return 1 }
        guard conditions.metricsAreCorrelated else { return 0 }
        let more = conditions.moreCorrelation * directions[row] * directions[column]
        return min(max(population.correlation[row][column] + more, -0.95), 0.95)
      }
    }
    innovations = Cholesky(correlation: correlation)
    cycleIndex = population.index(of: conditions.cycleMetric)
  }

  /// Returns the true figures of a person.
  ///
  /// - Parameters:
  ///   - number: Any number; other numbers are other people.
  ///   - dayCount: The days in which devices may change.
  public func person(_ number: Int, dayCount: Int) -> SimulatedPerson {
    var stream = RandomStream(seed: seed, person: number, purpose: .traits)
    var weekdayStream = RandomStream(seed: seed, person: number, purpose: .weekdays)
    var seasonStream = RandomStream(seed: seed, person: number, purpose: .season)
    // People wear one device, so the share of days with a value has one score in all metrics.
    let wearScore = stream.normal()
    let metrics = population.metrics.indices.map { index in
      let metric = population.metrics[index]
      let independent = [wearScore, stream.normal(), stream.normal(), stream.normal()]
      let places = (0..<4).map { row in
        Normal.cumulative(
          independent.withUnsafeBufferPointer { traits[index].product(row: row, $0) })
      }
      let spread = metric.spread.value(at: places[2])
      let effects = zip(metric.weekdayMean, metric.weekdaySpread).map {
        ($0 + $1 * weekdayStream.normal()) * spread
      }
      let mean = effects.reduce(0, +) / 7
      let autocorrelation =
        metric.autocorrelation.value(at: places[3]) + conditions.moreAutocorrelation
      return SimulatedPerson.Metric(
        level: metric.level.value(at: places[1]), spread: spread,
        weekdays: effects.map { $0 - mean },
        autocorrelation: min(max(autocorrelation, -0.5), 0.97),
        wear: metric.wear.value(at: places[0]) * (1 - conditions.lost),
        seasonPhase: 2 * .pi * seasonStream.uniform())
    }
    var cycle = RandomStream(seed: seed, person: number, purpose: .cycle)
    let isCyclic = cycle.uniform() < conditions.cycleShare && cycleIndex != nil
    let days = conditions.cycleDays
    let length = days.lowerBound + cycle.integer(below: days.count)
    return SimulatedPerson(
      number: number, metrics: metrics,
      hasMetric: hasMetric(number),
      cycleAmplitude: isCyclic ? conditions.cycleHeight / 2 : 0, cycleLength: Double(length),
      deviceChanges: deviceChanges(of: number, dayCount: dayCount))
  }

  private func hasMetric(_ number: Int) -> [Bool] {
    let count = population.metrics.count
    guard let own = conditions.metricsPerPerson, own < count else {
      return Array(repeating: true, count: count)
    }
    var stream = RandomStream(seed: seed, person: number, purpose: .metricChoice)
    var left = Array(0..<count)
    var hasMetric = Array(repeating: false, count: count)
    for _ in 0..<own { hasMetric[left.remove(at: stream.integer(below: left.count))] = true }
    return hasMetric
  }

  private func deviceChanges(of number: Int, dayCount: Int) -> [Int] {
    guard conditions.deviceChangesPerYear > 0 else { return [] }
    var stream = RandomStream(seed: seed, person: number, purpose: .devices)
    return (1..<max(dayCount, 2)).filter { _ in
      stream.uniform() < conditions.deviceChangesPerYear / 365
    }
  }

  /// Writes the days of a person into a block, one metric of the population after the other.
  ///
  /// - Parameters:
  ///   - person: A person of this simulator, with the same number of days.
  ///   - slot: The person's index in the block.
  ///   - block: A fresh block with as many metrics as the population.
  ///   - change: Nil for a person in whom nothing changes.
  public func write(
    _ person: SimulatedPerson, slot: Int, into block: ObservationBlock,
    change: PlantedChange? = nil
  ) {
    let count = population.metrics.count
    precondition(block.metricCount == count)
    var days = SimulatedDays(person, of: self)
    let first = block.days.lowerBound.weekday
    let series = (0..<count).map { block.series(person: slot, metric: $0) }
    for day in 0..<block.dayCount {
      days.advance()
      for metric in 0..<count where person.hasMetric[metric] && days.isObserved(metric) {
        let traits = person.metrics[metric]
        var shift = shapes[metric].residual(days.residualScore(metric)) + days.slow(metric)
        if let change {
          shift +=
            population.metrics[metric].badDirection * change.shift(of: metric, on: day)
        }
        var scaled =
          traits.level + traits.weekdays[(first + day) % 7] + traits.spread * shift
        if metric == cycleIndex { scaled += days.cycle }
        series[metric][day] = reported(scaled, metric: metric)
      }
    }
    guard conditions.devicesAreNamed, !person.deviceChanges.isEmpty else { return }
    for metric in 0..<count {
      for change in NamedDevices.changes(
        in: UnsafeBufferPointer(series[metric]), starts: person.deviceChanges,
        firstDay: block.days.lowerBound)
      {
        block.add(change, person: slot, metric: metric)
      }
    }
  }

  /// The value that a device reports.
  private func reported(_ scaled: Double, metric index: Int) -> Double {
    let metric = population.metrics[index]
    var value = metric.scale.value(of: scaled)
    if metric.step > 0 { value = (value / metric.step).rounded() * metric.step }
    return min(max(value, metric.limits[0]), metric.limits[1])
  }
}
