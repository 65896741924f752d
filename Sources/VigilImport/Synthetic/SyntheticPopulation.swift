import ShippedPopulation
import VigilDetection
import VigilLaboratory
import VigilModel

/// Draws the usual values and the days of people from the population that is built in.
///
/// People differ, and their days do, as the wearers do to whom the population was fitted (datasets/README.md).
struct SyntheticPopulation {
  /// The metrics of the population, in its order: those of `SyntheticMetric`, then this one.
  static let breathingRate = SyntheticMetric.allCases.count

  private let simulator: Simulator
  private let days: ClosedRange<Day>

  /// - Throws: `DecodingError` for a damaged population.
  init(seed: UInt64, days: ClosedRange<Day>) throws {
    let shipped = try Population.shipped()
    var population = shipped.filled(
      from: shipped, metrics: SyntheticMetric.allCases.map(\.name) + ["breathing_rate"])
    // `SyntheticDevices` says on which days a device is worn.
    for index in population.metrics.indices {
      population.metrics[index].wear = QuantileTable(values: [1])
    }
    simulator = Simulator(population: population, seed: seed)
    self.days = days
  }

  /// Draws the person of a number.
  func traits(of number: Int) -> Traits {
    Traits(
      person: simulator.person(number, dayCount: days.count),
      metrics: simulator.population.metrics)
  }

  /// Draws the days of a person: `days x metrics, column-major`, without a gap.
  func days(of traits: Traits) -> ObservationBlock {
    let block = ObservationBlock(
      personCount: 1, metricCount: simulator.population.metrics.count, days: days)
    simulator.write(traits.person, slot: 0, into: block)
    return block
  }

  /// The usual values of a person, and how much they vary.
  struct Traits {
    fileprivate let person: SimulatedPerson
    fileprivate let metrics: [MetricPopulation]

    /// Returns the change of a metric, as a fraction of the person's level, that is this many of the spreads
    /// of the person's days, in the bad direction; -1 where the level ends at 0.
    func change(of metric: SyntheticMetric, spreads: Double) -> Double {
      let own = person.metrics[metric.rawValue]
      let population = metrics[metric.rawValue]
      let shifted = own.level + population.badDirection * spreads * own.spread
      return population.scale.value(of: shifted) / population.scale.value(of: own.level) - 1
    }
  }
}
