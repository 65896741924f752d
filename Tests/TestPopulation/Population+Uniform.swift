@testable public import VigilLaboratory

extension Population {
  /// Two metrics with the same traits in everyone and normal residuals.
  public static func uniform(
    autocorrelation: Double = 0.3, wear: Double = 0.85, correlation: Double = 0, step: Double = 0
  ) -> Population {
    let residuals = QuantileTable(
      values: (0...400).map { Normal.quantile((Double($0) + 0.5) / 401) })
    func metric(_ name: String, scale: Scale, direction: Double, level: Double, spread: Double)
      -> MetricPopulation
    {
      MetricPopulation(
        metric: name, scale: scale, badDirection: direction, people: 30, observations: 3000,
        level: QuantileTable(values: [level, level]),
        spread: QuantileTable(values: [spread, spread]),
        autocorrelation: QuantileTable(values: [autocorrelation, autocorrelation]),
        wear: QuantileTable(values: [wear, wear]),
        traitCorrelation: (0..<4).map { row in (0..<4).map { $0 == row ? 1 : 0 } },
        weekdayMean: [0, 0, 0, 0, 0, 0, 0], weekdaySpread: [0, 0, 0, 0, 0, 0, 0],
        residuals: residuals, step: step, limits: [0, 1e6])
    }
    return Population(
      provenance: .init(dataset: "none", people: 0, date: "2026-01-01", command: ""),
      metrics: [
        metric("steps", scale: .sqrt, direction: -1, level: 90, spread: 10),
        metric("resting_hr", scale: .none, direction: 1, level: 60, spread: 2),
      ],
      correlation: [[1, correlation], [correlation, 1]])
  }
}

extension SimulationConditions {
  /// Nothing but the days: no slow level, wave or cycle.
  public static var plain: SimulationConditions {
    var conditions = SimulationConditions()
    conditions.wander = 0
    conditions.season = 0
    conditions.cycleShare = 0
    return conditions
  }
}
