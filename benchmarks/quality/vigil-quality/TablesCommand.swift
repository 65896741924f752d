import VigilDetection
import VigilLaboratory
import VigilModel

/// `tables`: thresholds of a shipped profile at the rates of the specification.
///
/// For each named metric its table, with the priors of the profile; of several metrics together the correlations and the
/// thresholds by the number of metrics that take part.
struct TablesCommand {
  static let usage = "tables --profile NAME --metrics NAME,... [--people NUMBER] [--seed NUMBER]"

  /// In a year of days that can be judged, of each series (specification, evidence.md section 10).
  private static let openingsPerSeriesYear = 0.13
  /// In a person and year; several metrics together get their share of it (specification, evidence-person.md section 7).
  private static let events = 1.0

  func run(_ arguments: Arguments) async throws {
    let name = try arguments.value("profile")
    let people = try arguments.number("people", default: 4_000)
    let seed = UInt64(try arguments.number("seed", default: 17))
    guard var profile = try Shipped.thresholds(name) else {
      throw QualityError("profile \(name) does not ship")
    }
    let followed = profile.wearableMetrics.map(\.metric.rawValue)
    let population = try Shipped.population(arguments, metrics: followed)
    let named = try arguments.value("metrics").split(separator: ",").map(String.init)
    for metric in named where !followed.contains(metric) || population.index(of: metric) == nil {
      throw QualityError("\(name) and the population do not both have \(metric)")
    }
    let few = population.filled(from: population, metrics: named)
    let search = ThresholdCalibration(
      profile: profile.watching(only: few), simulator: Simulator(population: few, seed: seed),
      people: people, rate: .openingsPerSeriesYear(Self.openingsPerSeriesYear))
    guard let found = await search.run() else { return }
    for (metric, thresholds) in zip(named, found.thresholds) {
      print(
        metric,
        thresholds.knots.map { "\($0.poolSize): \($0.threshold.text(2))" }.joined(separator: ", "))
      guard let place = profile.metrics.firstIndex(where: { $0.metric.rawValue == metric }) else {
        continue
      }
      profile.metrics[place].evidence?.thresholds = thresholds
    }
    profile.combined = profile.combined?.fitted(to: population)
    guard let combined = profile.combined,
      let together = CombinedCalibration(
        profile: profile.watching(only: population),
        simulator: Simulator(population: population, seed: seed), people: people,
        budget: Self.events)
    else { return }
    for (index, one) in combined.metrics.enumerated() {
      for other in combined.metrics[(index + 1)...] where combined.correlation(one, other) > 0 {
        print("correlation", one, other, combined.correlation(one, other).text(2))
      }
    }
    for (number, threshold) in (await together.thresholdsByNumber() ?? [:]).sorted(by: <) {
      print("together", number, threshold.text(2))
    }
  }
}
