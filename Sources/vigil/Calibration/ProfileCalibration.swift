import Foundation
import ShippedPopulation
import VigilDetection
import VigilLaboratory
import VigilModel

/// Priors from people, thresholds from people who are simulated after them, and a check on others.
struct ProfileCalibration {
  let base: CalibrationBase
  let survey: PeopleSurvey
  let habits: HabitSurvey
  let days: ClosedRange<Day>
  let budget: Double
  let people: Int
  let seed: Int
  private let shipped: Population
  private let fitted: Population

  init(
    base: CalibrationBase, survey: PeopleSurvey, habits: HabitSurvey, days: ClosedRange<Day>,
    budget: Double,
    people: Int, seed: Int
  ) throws {
    self.base = base
    self.survey = survey
    self.habits = habits
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
    /// The correlations of the people of the database, as far as their days show them.
    var correlations: [MetricPair: Population.BadCorrelation]
    /// In other people than those of the calibration.
    var falseEpisodes: FalseEpisodes
    var falseEpisodesOfBase: FalseEpisodes
    /// In simulated people of many habits.
    var falseHabitAlerts: FalseHabitAlerts
    var falseHabitAlertsOfBase: FalseHabitAlerts

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
    var profile = habits.fitted(survey.fitted(base.profile))
    profile.version = base.version
    profile.combined = profile.combined?.fitted(to: fitted)
    let search = ThresholdCalibration(
      profile: profile.watching(only: population),
      simulator: Simulator(population: population, seed: UInt64(seed)), people: people,
      rate: .episodesPerPersonYear(budget))
    let share = profile.combined == nil ? 0.7 : 0.2
    guard
      let found = await search.run(shouldStop: shouldStop, progress: { progress(share * $0) })
    else { return nil }
    let names = population.metrics.map { MetricType($0.metric) }
    profile.take(zip(names, found.thresholds))
    var rate = found.openingsPerSeriesYear
    var combinedRate: Double?
    if let search = CombinedCalibration(
      profile: profile.watching(only: population), simulator: search.simulator, people: people,
      budget: budget)
    {
      guard
        let together = await search.run(
          shouldStop: shouldStop, progress: { progress(share + (0.7 - share) * $0) })
      else { return nil }
      profile.take(
        together.profile.metrics.compactMap { metric in
          metric.evidence.map { (metric.metric, $0.thresholds) }
        })
      profile.combined = together.profile.combined
      rate = Double(together.openingsOfMetrics) / found.judgedYears
      combinedRate = together.openingsPerPersonYear
    }
    profile.calibration = try calibration(
      rate: rate, combinedRate: combinedRate, population: population)
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
          progress(0.7 + 0.25 * Double(checked) / Double(people))
        }),
      let alerts = await habitAlerts(of: profile, shouldStop),
      let alertsOfBase = await habitAlerts(of: base.profile, shouldStop)
    else { return nil }
    return Result(
      profile: profile, metrics: Set(names), openingsPerSeriesYear: Self.rounded(rate),
      correlations: fitted.knownCorrelations(of: profile.combined?.metrics ?? []),
      falseEpisodes: rates[0], falseEpisodesOfBase: rates[1],
      falseHabitAlerts: alerts, falseHabitAlertsOfBase: alertsOfBase)
  }

  private func habitAlerts(
    of profile: Thresholds, _ shouldStop: () -> Bool
  ) async -> FalseHabitAlerts? {
    await FalseHabitAlerts.simulated(
      profile, seed: UInt64(seed), people: people, shouldStop: shouldStop)
  }

  /// The people to simulate for the metrics of a profile.
  private func population(of profile: Thresholds) -> Population {
    fitted.filled(from: shipped, metrics: profile.wearableMetrics.map(\.metric.rawValue))
  }

  private static func rounded(_ rate: Double) -> Double { (rate * 10_000).rounded() / 10_000 }

  private func calibration(
    rate: Double, combinedRate: Double?, population: Population
  ) throws -> Calibration {
    var calibration = Calibration(
      openingsPerSeriesYear: Self.rounded(rate), simulatedSeries: people, seed: seed,
      digest: try population.digest(),
      source: "\(people) series of \(FalseEpisodes.dayCount) days a metric, simulated after"
        + " \(origin)")
    calibration.budget = budget
    calibration.combinedOpeningsPerPersonYear = combinedRate.map(Self.rounded)
    for metric in base.calibrated.metrics {
      let name = metric.metric.rawValue
      calibration.people[metric.metric] = .init(
        count: survey.survey.people(name), areEnough: survey.survey.isFitted(name))
    }
    habits.note(in: &calibration)
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

extension Thresholds {
  fileprivate mutating func take(_ thresholds: some Sequence<(MetricType, EvidenceThresholds)>) {
    for (name, thresholds) in thresholds {
      guard let index = metrics.firstIndex(where: { $0.metric == name }) else { continue }
      metrics[index].evidence?.thresholds = thresholds
    }
  }
}
