extension MetricType {
  /// The values that a day of a metric that ships with Vigil can have, in its unit; nil for one that an operator has
  /// added.
  ///
  /// ```swift
  /// print(MetricType("resting_hr").possibleValues?.contains(900) ?? true)  // false
  /// ```
  ///
  /// A limit outside of them would be broken on every day, or on none. The shipped profiles from v2 on have the same ranges.
  public var possibleValues: ClosedRange<Double>? { Self.possibleValues[self] }

  /// The same by metric.
  public static let possibleValues: [MetricType: ClosedRange<Double>] = [
    MetricType("steps"): 0...200_000,
    MetricType("sleep_minutes"): 0...1440,
    MetricType("hrv_ms"): 1...500,
    MetricType("resting_hr"): 20...250,
    MetricType("sleep_efficiency_pct"): 0...100,
    MetricType("movement_minutes"): 0...1440,
    MetricType("deep_sleep_minutes"): 0...1440,
    MetricType("rem_sleep_minutes"): 0...1440,
    MetricType("light_sleep_minutes"): 0...1440,
    MetricType("awake_minutes"): 0...1440,
    MetricType("active_calories"): 0...20_000,
    MetricType("breathing_rate"): 4...60,
    MetricType("spo2_avg_pct"): 50...100,
    MetricType("skin_temperature_c"): 20...43,
  ]

  /// Whether a limit of single values can be set for it: it is measured by wearables, as far as its name says.
  public var canHaveLimits: Bool {
    let others = [MetricType.doseAdherence, .combined, .inactivity, .checkInOverdue, .wornMinutes]
    return !others.contains(self) && !Self.ofMedications.contains(self)
  }
}
