import VigilModel

extension MetricType {
  /// The metric in words, such as "resting heart rate".
  ///
  /// Metrics that an operator has added to the thresholds file take their words from the column's
  /// name.
  var words: String {
    Self.known[rawValue]?.words ?? rawValue.replacing("_", with: " ")
  }

  /// The metric where there is little room.
  var shortWords: String {
    switch rawValue {
    case "hrv_ms": "HRV"
    case "resting_hr": "resting HR"
    default: words
    }
  }

  /// The unit of its values; empty where that is not known.
  var unit: String {
    Self.known[rawValue]?.unit ?? ""
  }

  /// The unit where the metric is named too: steps are not counted in steps.
  var unitBesideName: String { unit == words ? "" : unit }

  private static let known: [String: (words: String, unit: String)] = [
    "steps": ("steps", "steps"),
    "sleep_minutes": ("sleep", "min"),
    "hrv_ms": ("heart rate variability", "ms"),
    "resting_hr": ("resting heart rate", "bpm"),
    "sleep_efficiency_pct": ("sleep efficiency", "%"),
    "movement_minutes": ("movement", "min"),
    "deep_sleep_minutes": ("deep sleep", "min"),
    "rem_sleep_minutes": ("REM sleep", "min"),
    "light_sleep_minutes": ("light sleep", "min"),
    "awake_minutes": ("time awake at night", "min"),
    "active_calories": ("active calories", "kcal"),
    "breathing_rate": ("breathing rate", "per min"),
    "spo2_avg_pct": ("oxygen saturation", "%"),
    "skin_temperature_c": ("skin temperature", "°C"),
    "worn_minutes": ("time worn", "min"),
    "dose_adherence_pct": ("dose adherence", "%"),
    "inactivity": ("time without data", "days"),
    "check_in_overdue": ("overdue check-in", "days"),
    "missed_streak": ("missed doses", "days"),
    "missed_dose": ("dose without a record", "days"),
    "refill_due": ("refill due", "days"),
    "combined": ("several metrics together", "personal spreads"),
  ]
}
