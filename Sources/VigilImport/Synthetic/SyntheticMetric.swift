import VigilModel

/// The metrics of `thresholds/v1.json` that a synthetic episode can change.
enum SyntheticMetric: Int, CaseIterable {
  case steps
  case sleepMinutes
  case hrv
  case restingHeartRate
  case sleepEfficiency
  case movementMinutes
  case deepSleepMinutes

  /// The column of `wearable_daily_metrics`.
  var name: String {
    switch self {
    case .steps: "steps"
    case .sleepMinutes: "sleep_minutes"
    case .hrv: "hrv_ms"
    case .restingHeartRate: "resting_hr"
    case .sleepEfficiency: "sleep_efficiency_pct"
    case .movementMinutes: "movement_minutes"
    case .deepSleepMinutes: "deep_sleep_minutes"
    }
  }

  var pattern: PatternType {
    self == .restingHeartRate ? .rise : .drop
  }

  /// The least share of the person's level that an episode removes or adds: large enough that two changed
  /// days of three move the mean across the threshold of `thresholds/v1.json`, while one does not.
  var leastChanges: ClosedRange<Double> {
    switch self {
    case .steps: -0.62 ... -0.5
    case .sleepMinutes: -0.32 ... -0.26
    case .hrv: -0.42 ... -0.34
    case .restingHeartRate: 0.17...0.22
    case .sleepEfficiency: -0.22 ... -0.17
    case .movementMinutes: -0.75 ... -0.6
    case .deepSleepMinutes: -0.62 ... -0.5
    }
  }
}
