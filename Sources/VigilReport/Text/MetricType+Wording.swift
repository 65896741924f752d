import VigilModel
import VigilWords

extension MetricType {
  /// The metric in words, such as "resting heart rate".
  ///
  /// Metrics that an operator has added to the thresholds file take their words from the column's
  /// name.
  var words: String {
    Words.english.knownName(of: self) ?? rawValue.replacing("_", with: " ")
  }

  /// The metric where there is little room.
  var shortWords: String {
    switch rawValue {
    case "hrv_ms": "HRV"
    case "resting_hr": "resting HR"
    case "combined": "several together"
    default: words
    }
  }

  /// The unit of its values; empty where that is not known.
  var unit: String {
    Self.ownUnits[self] ?? PageWords.english.unit(of: self)
  }

  /// The unit where the metric is named too: steps are not counted in steps.
  var unitBesideName: String { unit == words ? "" : unit }

  /// Whether its values are minutes, which people read with hours.
  var isDuration: Bool { Words.english.isDuration(self) }

  /// A value for people, with its unit: `57 bpm`, `4 h 57 min`.
  func text(of value: Double) -> String {
    if isDuration { return DurationText.minutes(value) }
    return NumberText.value(value) + (unit.isEmpty ? "" : " \(unit)")
  }

  /// A usual value and the one of now: `60 → 66.7 bpm`, `6 h 52 min → 4 h 57 min`.
  func text(from usual: Double, to recent: Double) -> String {
    "\(isDuration ? text(of: usual) : NumberText.value(usual)) → \(text(of: recent))"
  }

  /// Units that no sentence of a message names.
  private static let ownUnits: [MetricType: String] = [
    .inactivity: "days", .checkInOverdue: "days", .missedStreak: "days", .missedDose: "days",
    .refillDue: "days", .expiryDue: "days", .combined: "personal spreads",
  ]
}
