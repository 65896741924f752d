/// A text of a drawing; `{name}` stands for a value.
///
/// ```swift
/// print(ChartLanguage.english.text(.lane, ["label": "sleep", "count": "6", "days": "7"]))
/// // sleep: 6 of 7 days have a value
/// ```
public enum ChartText: String, Hashable, Sendable, CaseIterable {
  /// The form of a date on an axis, and with its year.
  case date, longDate = "long_date"
  /// A series in words.
  case values, noValues = "no_values", mean, onDay = "on_day"
  case drop, rise, alert, atLevel = "at_level", against, ended
  case belowLimit = "below_limit", aboveLimit = "above_limit", againstLimit = "against_limit"
  /// Events of a series, one or several.
  case deviceChange = "device_change", deviceChanges = "device_changes"
  case sent, sentMany = "sent_many", withheld, withheldMany = "withheld_many"
  /// Stacked series in words.
  case lane, laneMean = "lane_mean", points, better, worse, usual
  /// Metrics beside what is usual.
  case axisTitle = "axis_title", axisRow = "axis_row", axisBetter = "axis_better"
  case axisWorse = "axis_worse", notKnown = "not_known"
  /// The state of each metric by day.
  case statesTitle = "states_title", noAlert = "no_alert", alertDays = "alert_days"
  /// Doses.
  case calendarTitle = "calendar_title", fullDays = "full_days"
  case dosesTitle = "doses_title", doses, dosesLate = "doses_late", dosesEarly = "doses_early"
  case dosesMissed = "doses_missed", dosesSkipped = "doses_skipped"
  case dosesExtra = "doses_extra", dosesPending = "doses_pending"

  /// The English text.
  public var english: String {
    switch self {
    case .date: "{day} {month}"
    case .longDate: "{day} {month} {year}"
    case .values: "{count} of {days} days to {day} have a value, from {low} to {high}."
    case .noValues: "None of the {days} days to {day} has a value."
    case .mean: "The latest mean of 7 days is {value}"
    case .onDay: ", on {day}"
    case .drop: "A drop since {day}"
    case .rise: "A rise since {day}"
    case .alert: "An alert since {day}"
    case .atLevel: ", at level {level}"
    case .against: ", against a usual {value}"
    case .belowLimit: "Below the limit since {day}"
    case .aboveLimit: "Above the limit since {day}"
    case .againstLimit: ", the limit is {value}"
    case .ended: ", ended on {day}"
    case .deviceChange: "1 change of device."
    case .deviceChanges: "{count} changes of device."
    case .sent: "1 notification sent."
    case .sentMany: "{count} notifications sent."
    case .withheld: "1 notification withheld."
    case .withheldMany: "{count} notifications withheld."
    case .lane: "{label}: {count} of {days} days have a value"
    case .laneMean: "; the latest mean of 7 days is {value}"
    case .points: "{value} points"
    case .better: "{value} personal spreads better than usual"
    case .worse: "{value} personal spreads worse than usual"
    case .usual: "usual"
    case .axisTitle: "Distance from usual, in personal spreads; positive is worse"
    case .axisRow: "{label}: {place} ({text})."
    case .axisBetter: "better"
    case .axisWorse: "worse"
    case .notKnown: "not known"
    case .statesTitle: "State of each metric by day"
    case .noAlert: "{label}: no alert."
    case .alertDays: "{label}: {count} of {days} days in an alert."
    case .calendarTitle: "Doses taken by day"
    case .fullDays: "{count} of {days} days with expected doses have all of them taken."
    case .dosesTitle: "Doses of each medication by day"
    case .doses: "{label}: {taken} of {expected} doses taken"
    case .dosesLate: ", {count} of them late"
    case .dosesEarly: ", {count} of them early"
    case .dosesMissed: "; {count} missed"
    case .dosesSkipped: "; {count} skipped"
    case .dosesExtra: "; {count} extra or as needed"
    case .dosesPending: "; {count} not yet due"
    }
  }

  /// The names of the values that the English text has.
  public var names: Set<String> { Self.names(in: english) }

  /// The names of the values of a text.
  public static func names(in text: String) -> Set<String> {
    Set(
      text.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first }
        .map(String.init))
  }
}
