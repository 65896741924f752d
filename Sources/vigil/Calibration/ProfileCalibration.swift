import Foundation
import VigilDetection
import VigilLaboratory
import VigilModel

/// Priors from people, thresholds from people who are simulated after them, and a check on others.
struct ProfileCalibration {
  let base: CalibrationBase
  let survey: PeopleSurvey
  let days: ClosedRange<Day>
  let budget: Double
  let people: Int
  let seed: Int
  private let shipped: Population
  private let fitted: Population

  init(
    base: CalibrationBase, survey: PeopleSurvey, days: ClosedRange<Day>, budget: Double,
    people: Int, seed: Int
  ) throws {
    self.base = base
    self.survey = survey
    self.days = days
    self.budget = budget
    self.people = people
    self.seed = seed
    shipped = try Population.shipped()
    fitted = survey.survey.population(
      provenance: .init(
        dataset: "the database", people: survey.survey.people,
        date: "\(days.upperBound)", command: "vigil calibrate"))
  }

  /// The result of a calibration.
  struct Result {
    /// With the new version, priors, thresholds and origin.
    var profile: Thresholds
    /// The metrics whose thresholds are new.
    var metrics: Set<MetricType>
    var openingsPerSeriesYear: Double
    /// In other people than those of the calibration.
    var falseEpisodes: FalseEpisodes
    var falseEpisodesOfBase: FalseEpisodes

    /// The text of the new file.
    func text(of base: CalibrationBase) throws -> String {
      var file = try base.file()
      file.take(profile, metrics: metrics)
      return file.text
    }
  }

  /// - Parameters:
  ///   - shouldStop: Asked again and again; once true, the result is nil.
  ///   - progress: The share of the work that is done, up to 1.
  func run(
    shouldStop: () -> Bool, progress: (Double) -> Void
  ) async throws -> Result? {
    let population = population(of: base.calibrated)
    var profile = survey.fitted(base.profile)
    profile.version = base.version
    let search = ThresholdCalibration(
      profile: profile.watching(only: population),
      simulator: Simulator(population: population, seed: UInt64(seed)), people: people,
      budget: budget)
    guard
      let found = await search.run(shouldStop: shouldStop, progress: { progress(0.7 * $0) })
    else { return nil }
    let names = population.metrics.map { MetricType($0.metric) }
    for (name, thresholds) in zip(names, found.thresholds) {
      guard let index = profile.metrics.firstIndex(where: { $0.metric == name }) else { continue }
      profile.metrics[index].evidence?.thresholds = thresholds
    }
    let rate = (found.openingsPerSeriesYear * 10_000).rounded() / 10_000
    profile.calibration = try calibration(rate: rate, population: population)
    // Metrics under means cause false episodes too.
    let watched = self.population(of: base.profile)
    var checked = 0
    guard
      let rates = await FalseEpisodes.simulated(
        [profile, base.profile].map { $0.watching(only: watched) },
        simulator: Simulator(population: watched, seed: UInt64(seed)),
        people: people..<2 * people, shouldStop: shouldStop,
        progress: {
          checked += $0
          progress(0.7 + 0.3 * Double(checked) / Double(people))
        })
    else { return nil }
    return Result(
      profile: profile, metrics: Set(names), openingsPerSeriesYear: rate,
      falseEpisodes: rates[0], falseEpisodesOfBase: rates[1])
  }

  /// The people to simulate for the metrics of a profile.
  private func population(of profile: Thresholds) -> Population {
    fitted.filled(from: shipped, metrics: profile.wearableMetrics.map(\.metric.rawValue))
  }

  private func calibration(rate: Double, population: Population) throws -> Calibration {
    var calibration = Calibration(
      openingsPerSeriesYear: rate, simulatedSeries: people, seed: seed,
      digest: try population.digest(),
      source: "\(people) series of \(FalseEpisodes.dayCount) days a metric, simulated after"
        + " \(origin)")
    calibration.budget = budget
    for metric in base.calibrated.metrics {
      let name = metric.metric.rawValue
      calibration.people[metric.metric] = .init(
        count: survey.survey.people(name), areEnough: survey.survey.isFitted(name))
    }
    return calibration
  }

  /// The people that are simulated, in words.
  private var origin: String {
    let own =
      "\(survey.survey.people) people of a database, \(days.lowerBound) to \(days.upperBound)"
    let isFitted = base.calibrated.metrics.map { survey.survey.isFitted($0.metric.rawValue) }
    if !isFitted.contains(true) { return "the people that are built in" }
    return isFitted.contains(false)
      ? "\(own), and in metrics that few of them have after those that are built in" : own
  }
}
