/// Fits a population to the series of real people.
///
/// Only aggregates leave the fit: quantiles between people, the pooled residuals as quantiles, correlations.
public struct PopulationFit {
  /// The figures of a metric that data do not say.
  public struct MetricPlan: Sendable {
    public var metric: String
    public var scale: Scale
    public var badDirection: Double
    /// See `MetricPopulation.step`.
    public var step: Double
    public var limits: ClosedRange<Double>

    public init(
      _ metric: String, scale: Scale, badDirection: Double, step: Double,
      limits: ClosedRange<Double>
    ) {
      self.metric = metric
      self.scale = scale
      self.badDirection = badDirection
      self.step = step
      self.limits = limits
    }
  }

  /// The fewest observations of a series that is fitted.
  public var fewestObservations = 28
  /// The fewest people of a metric; one with fewer is left out.
  public var fewestPeople = 10
  /// The least share of days with a value; people with less did not wear the device in some part of the
  /// study, and say nothing on the gaps of those who do.
  public var leastWear = 0.7
  /// The share of a person's difference from the mean autocorrelation that is kept, because some of it
  /// is chance (specification, evidence.md section 11).
  public var autocorrelationShare = 0.7

  /// Few enough that no value belongs to one person alone.
  private let traitPoints = 11
  let residualPoints = 401

  public init() {}

  /// Returns the population of all metrics that enough people have.
  public func population(
    of series: [RealSeries], plans: [MetricPlan], provenance: Population.Provenance
  ) -> Population {
    var metrics: [MetricPopulation] = []
    var fits: [[SeriesFit]] = []
    for plan in plans {
      let fitted = series.filter {
        $0.metric == plan.metric && $0.days.count >= fewestObservations
      }.compactMap { SeriesFit($0, scale: plan.scale) }.filter { $0.autocorrelation != nil }
      guard fitted.count >= fewestPeople else { continue }
      metrics.append(
        metric(
          plan, of: fitted.compactMap(SeriesTraits.init),
          residuals: QuantileTable(
            of: fitted.flatMap { $0.residuals.map(\.value) }, points: residualPoints)))
      fits.append(fitted)
    }
    var innovations = InnovationSums(metricCount: fits.count)
    for person in Set(fits.joined().map(\.person)).sorted() {
      innovations.add(fits.map { $0.first { $0.person == person } })
    }
    return Population(
      provenance: provenance, metrics: metrics,
      innovations: innovations, of: Array(metrics.indices))
  }

  /// - Parameters:
  ///   - fits: The people with enough days; at least one.
  ///   - residuals: Those of all of them, in personal spreads.
  func metric(_ plan: MetricPlan, of fits: [SeriesTraits], residuals: QuantileTable)
    -> MetricPopulation
  {
    let autocorrelations = fits.map(\.autocorrelation)
    let mean = autocorrelations.reduce(0, +) / Double(fits.count)
    let shrunk = autocorrelations.map { mean + autocorrelationShare * ($0 - mean) }
    let traits = [
      fits.map(\.wear), fits.map(\.level), fits.map(\.spread), autocorrelations,
    ].map(CorrelationFit.normalScores)
    return MetricPopulation(
      metric: plan.metric, scale: plan.scale, badDirection: plan.badDirection,
      people: fits.count, observations: fits.reduce(0) { $0 + $1.observations },
      level: QuantileTable(of: fits.map(\.level), points: traitPoints).rounded(),
      spread: QuantileTable(of: fits.map(\.spread), points: traitPoints).rounded(),
      autocorrelation: QuantileTable(of: shrunk, points: traitPoints).rounded(),
      wear: QuantileTable(of: worn(fits), points: traitPoints).rounded(),
      traitCorrelation: traits.map { row in
        traits.map { (CorrelationFit.correlation(row, $0) * 100).rounded() / 100 }
      },
      weekdayMean: (0..<7).map { weekday in
        (fits.reduce(0) { $0 + $1.weekdays[weekday] } / Double(fits.count)).shortened
      },
      weekdaySpread: (0..<7).map { weekday in
        Self.deviation(fits.map { $0.weekdays[weekday] }).shortened
      },
      residuals: Self.standardized(residuals).rounded(),
      step: plan.step, limits: [plan.limits.lowerBound, plan.limits.upperBound])
  }

  /// The shares of people who wore the device; of all, raised to the least share, where these are few.
  private func worn(_ fits: [SeriesTraits]) -> [Double] {
    let shares = fits.map(\.wear).filter { $0 >= leastWear }
    return shares.count >= fewestPeople ? shares : fits.map { max($0.wear, leastWear) }
  }

  private static func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count))
      .squareRoot()
  }

  /// The table with mean 0 and standard deviation 1, as the mean over its equal shares says.
  private static func standardized(_ table: QuantileTable) -> QuantileTable {
    let fine = (0..<4_000).map { table.value(at: (Double($0) + 0.5) / 4_000) }
    let mean = fine.reduce(0, +) / Double(fine.count)
    let spread = deviation(fine)
    return table.map { ($0 - mean) / spread }
  }
}

extension QuantileTable {
  /// Four significant decimals are more than some thirty people can say.
  fileprivate func rounded() -> QuantileTable { map(\.shortened) }
}

extension Double {
  fileprivate var shortened: Double { (self * 10_000).rounded() / 10_000 }
}
