public import VigilModel

/// The reason why members are called upon about an alert, as `escalation_log` has it.
public enum EscalationType: String, Sendable, CaseIterable {
  case missedDose = "missed_dose"
  case inactivity
  case refillDue = "refill_due"
  /// An alert that the person has raised.
  case panicButton = "panic_button"
  case patternAnomaly = "pattern_anomaly"
  /// An alert of values beyond a limit.
  case criticalValue = "critical_value"

  /// The reason of alerts of all metrics and patterns that `byMetric` and `byPattern` lack.
  public static let ofOthers = patternAnomaly

  /// The reasons of alerts by their metric; missed doses count as falling adherence.
  public static let byMetric: [MetricType: EscalationType] = [
    .doseAdherence: .missedDose, .missedStreak: .missedDose, .missedDose: .missedDose,
    .inactivity: .inactivity, .checkInOverdue: .inactivity, .refillDue: .refillDue,
    .expiryDue: .refillDue,
  ]

  /// The reasons of alerts by their pattern, which come before those by metric.
  public static let byPattern: [PatternType: EscalationType] = [
    .belowLimit: .criticalValue, .aboveLimit: .criticalValue,
  ]
}
