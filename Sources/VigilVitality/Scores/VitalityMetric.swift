public import VigilModel

/// A column of `wearable_daily_metrics` that scores are computed from.
public enum VitalityMetric: Int, Sendable, CaseIterable {
  case sleepMinutes, deepSleepMinutes, remSleepMinutes, lightSleepMinutes, awakeMinutes
  case sleepEfficiency, movementMinutes, steps, activeCalories, hrv, restingHeartRate
  case breathingRate

  /// All of them in the order that blocks have.
  public static let columns: [MetricType] = allCases.map(\.column)

  public var column: MetricType {
    switch self {
    case .sleepMinutes: MetricType("sleep_minutes")
    case .deepSleepMinutes: MetricType("deep_sleep_minutes")
    case .remSleepMinutes: MetricType("rem_sleep_minutes")
    case .lightSleepMinutes: MetricType("light_sleep_minutes")
    case .awakeMinutes: MetricType("awake_minutes")
    case .sleepEfficiency: MetricType("sleep_efficiency_pct")
    case .movementMinutes: MetricType("movement_minutes")
    case .steps: MetricType("steps")
    case .activeCalories: MetricType("active_calories")
    case .hrv: MetricType("hrv_ms")
    case .restingHeartRate: MetricType("resting_hr")
    case .breathingRate: MetricType("breathing_rate")
    }
  }
}

extension ObservationBlock {
  /// No measurement is larger; a sum of doubles near their limit would be infinite.
  private static let largestVitalityValue = 1e100

  /// An empty block for scores: one series for each `VitalityMetric`.
  public static func forVitality(personCount: Int, days: ClosedRange<Day>) -> ObservationBlock {
    ObservationBlock(
      personCount: personCount, metricCount: VitalityMetric.allCases.count, days: days)
  }

  /// Takes one row: of several sources a day the largest finite value counts.
  ///
  /// Rows may come in any order; days outside the block are ignored.
  ///
  /// - Parameter values: One for each metric of the block, NaN where the column is empty.
  /// - Complexity: O(metrics).
  public func keepLargest(person: Int, day: Day, values: UnsafeBufferPointer<Double>) {
    guard days.contains(day) else { return }
    let index = day - days.lowerBound
    let series = series(ofPerson: person)
    for metric in 0..<metricCount {
      let value = values[metric]
      guard value.magnitude <= Self.largestVitalityValue else { continue }
      let place = metric * dayCount + index
      if !(series[place] >= value) { series[place] = value }
    }
  }
}
