extension ReferenceEvidence.Metric {
  /// The seven metrics of profile v3, in the order of the table in evidence.md section 10.
  public static let v3: [ReferenceEvidence.Metric] = [
    metric(
      "steps", .sqrt, 23.4, 0.13, -1, [.percentDropAtLeast(0.2)],
      [4.58, 4.58, 4.55, 4.52, 4.46, 4.37, 4.28, 4.20]),
    metric(
      "sleep_minutes", .none, 75, 0.05, -1, [.percentDropAtLeast(0.1), .absoluteDropAtLeast(45)],
      [4.39, 4.39, 4.39, 4.39, 4.39, 4.35, 4.31, 4.22]),
    metric(
      "hrv_ms", .log, 0.20, 0.34, -1, [.percentDropAtLeast(0.15)],
      [4.51, 4.51, 4.51, 4.48, 4.44, 4.33, 4.26, 4.22], suppressed: true),
    metric(
      "resting_hr", .none, 2.2, 0.85, 1, [.percentRiseAtLeast(0.05), .absoluteRiseAtLeast(3)],
      [4.25, 4.23, 4.23, 4.23, 4.23, 4.16, 4.05, 3.85], suppressed: true),
    metric(
      "sleep_efficiency_pct", .none, 2.5, 0.11, -1,
      [.percentDropAtLeast(0.04), .absoluteDropBelow(85)],
      [4.87, 4.76, 4.66, 4.47, 4.38, 4.26, 4.20, 4.12]),
    metric(
      "movement_minutes", .sqrt, 3.0, 0.09, -1,
      [.percentDropAtLeast(0.3), .absoluteDropAtLeast(20)],
      [4.07, 3.95, 3.89, 3.89, 3.89, 3.83, 3.74, 3.61]),
    metric(
      "deep_sleep_minutes", .none, 22, 0.11, -1,
      [.percentDropAtLeast(0.25), .absoluteDropAtLeast(15)],
      [4.71, 4.62, 4.58, 4.47, 4.45, 4.38, 4.32, 4.24]),
  ]

  /// The metrics that v3-plus has besides (evidence.md section 10).
  public static let further: [ReferenceEvidence.Metric] = [
    metric(
      "breathing_rate", .none, 0.72, 0.29, 1, [.absoluteRiseAtLeast(1)],
      [4.24, 4.24, 4.24, 4.24, 4.24, 4.21, 4.21, 4.04]),
    metric(
      "spo2_avg_pct", .none, 0.62, 0.08, -1, [.absoluteDropAtLeast(1), .absoluteDropBelow(92)],
      [4.52, 4.52, 4.18, 4.18, 4.18, 4.18, 3.95, 3.86]),
    metric(
      "skin_temperature_c", .none, 0.47, 0.24, 1, [.absoluteRiseAtLeast(0.5)],
      [3.89, 3.89, 3.89, 3.89, 3.89, 3.89, 3.83, 3.70]),
  ]

  /// Returns the metric of profile v3 with this name, nil for a metric without one.
  public static func v3(_ name: String) -> ReferenceEvidence.Metric? {
    v3.first { $0.name == name }
  }

  private static func metric(
    _ name: String, _ transform: ReferenceEvidence.Transform, _ priorSpread: Double,
    _ priorAutocorrelation: Double, _ direction: Double, _ rules: [ReferenceEvidence.Rule],
    _ thresholds: [Double], suppressed: Bool = false
  ) -> ReferenceEvidence.Metric {
    let knots = [10, 14, 20, 28, 40, 60, 90, 120]
    return ReferenceEvidence.Metric(
      name: name, transform: transform, priorSpread: priorSpread,
      priorAutocorrelation: priorAutocorrelation, direction: direction, rules: rules,
      isSuppressedOnWorkoutDays: suppressed,
      thresholds: zip(knots, thresholds).map { (knot: $0, c: $1) })
  }
}
