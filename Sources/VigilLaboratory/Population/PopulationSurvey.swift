import VigilModel

/// Fits a population to people who come one after the other.
///
/// ```swift
/// var survey = PopulationSurvey(plans: [
///   .init("steps", scale: .sqrt, badDirection: -1, step: 1, limits: 0...200_000)
/// ])
/// guard let first = Day("2026-01-01") else { return }
/// for person in 0..<20 {
///   let days = (0..<60).map { first + $0 }
///   let values = (0..<60).map { Double(6_000 + 997 * (($0 * 37 + person) % 11)) }
///   survey.add([RealSeries(person: person, metric: "steps", days: days, values: values)])
/// }
/// print(survey.people("steps"), survey.isFitted("steps"))  // 20 true
/// ```
///
/// It keeps the traits of each series, counts of residuals and sums; no day of a person. So memory grows by
/// some hundred bytes a series, whatever its length.
public struct PopulationSurvey {
  /// The fewest observations of a series that is fitted.
  public static let fewestObservations = 60
  /// The fewest people of a metric that is fitted.
  public static let fewestPeople = 20

  private let fit: PopulationFit
  private let plans: [PopulationFit.MetricPlan]
  private var traits: [[SeriesTraits]]
  private var residuals: [ResidualCounts]
  private var innovations: InnovationSums
  private var steps: [ReportedStep]
  /// All people who were added with at least one value.
  public private(set) var people = 0

  /// - Parameter plans: The metrics; a step of 0 stands for the one that the values show.
  public init(plans: [PopulationFit.MetricPlan]) {
    var fit = PopulationFit()
    fit.fewestObservations = Self.fewestObservations
    fit.fewestPeople = Self.fewestPeople
    self.fit = fit
    self.plans = plans
    traits = plans.map { _ in [] }
    residuals = plans.map { _ in ResidualCounts() }
    innovations = InnovationSums(metricCount: plans.count)
    steps = plans.map { _ in ReportedStep() }
  }

  /// Adds one person.
  ///
  /// - Parameter series: At most one of each metric; those of other metrics are left out.
  public mutating func add(_ series: [RealSeries]) {
    var fits = [SeriesFit?](repeating: nil, count: plans.count)
    for (index, plan) in plans.enumerated() {
      guard let own = series.first(where: { $0.metric == plan.metric }),
        own.days.count >= fit.fewestObservations, let found = SeriesFit(own, scale: plan.scale),
        let kept = SeriesTraits(found)
      else { continue }
      traits[index].append(kept)
      for residual in found.residuals { residuals[index].add(residual.value) }
      for value in own.values { steps[index].take(value) }
      fits[index] = found
    }
    innovations.add(fits)
    if series.contains(where: { !$0.days.isEmpty }) { people += 1 }
  }

  /// Returns the number of people with enough values of a metric.
  public func people(_ metric: String) -> Int {
    index(of: metric).map { traits[$0].count } ?? 0
  }

  /// Whether enough people have a metric.
  public func isFitted(_ metric: String) -> Bool { people(metric) >= fit.fewestPeople }

  /// The medians over people that a profile takes for usual (specification, evidence.md section 10).
  public struct Priors: Hashable, Sendable {
    /// In the unit of the scaled values.
    public var spread: Double
    public var autocorrelation: Double
  }

  /// Returns the priors of a metric; nil where too few people have it.
  public func priors(_ metric: String) -> Priors? {
    guard isFitted(metric), let index = index(of: metric) else { return nil }
    return Priors(
      spread: Self.median(traits[index].map(\.spread)),
      autocorrelation: Self.median(traits[index].map(\.autocorrelation)))
  }

  /// Returns the population of the metrics that enough people have, in the order of the plans.
  public func population(provenance: Population.Provenance) -> Population {
    let fitted = plans.indices.filter { traits[$0].count >= fit.fewestPeople }
    return Population(
      provenance: provenance,
      metrics: fitted.map { index in
        var plan = plans[index]
        if plan.step == 0 { plan.step = steps[index].step }
        return fit.metric(
          plan, of: traits[index],
          residuals: residuals[index].quantiles(points: fit.residualPoints))
      },
      innovations: innovations, of: fitted)
  }

  private func index(of metric: String) -> Int? { plans.firstIndex { $0.metric == metric } }

  private static func median(_ values: [Double]) -> Double {
    QuantileTable(values: values.sorted()).value(at: 0.5)
  }
}

/// The step that devices round a metric to, as far as its values say.
private struct ReportedStep {
  private var isWhole = true
  private var isTenths = true

  mutating func take(_ value: Double) {
    guard isTenths else { return }
    isWhole = isWhole && value == value.rounded()
    isTenths = (value * 10 - (value * 10).rounded()).magnitude < 1e-6
  }

  /// 0 for none.
  var step: Double { isWhole ? 1 : isTenths ? 0.1 : 0 }
}
