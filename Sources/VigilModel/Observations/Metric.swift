/// The name of a metric, which is also the name of its column in `wearable_daily_metrics`.
///
/// ```swift
/// let metric = MetricType("steps")
/// print(metric)  // steps
/// ```
///
/// Metrics are data: the thresholds file says which there are, so this is no enum.
public struct MetricType: RawRepresentable, Hashable, Comparable, Sendable, Codable,
  CustomStringConvertible
{
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ name: String) {
    rawValue = name
  }

  public var description: String { rawValue }

  public static func < (left: MetricType, right: MetricType) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The direction in which a metric deviates when something is wrong.
public enum PatternType: String, Sendable, Codable, CaseIterable {
  case drop = "drop_vs_baseline"
  case rise = "rise_vs_baseline"
  /// Several metrics of a person together, each in its own bad direction.
  case worse = "worse_than_usual"
  /// No sign of life of a person, or no check-in that was due.
  case silence
  /// Something about one medication of a person: missed doses, or a refill that is due.
  case medication
  /// Values below a limit that holds without a baseline.
  case belowLimit = "critical_value_below"
  /// Values above such a limit.
  case aboveLimit = "critical_value_above"

  /// Whether values are compared with a limit that holds without a baseline.
  public var isOfLimit: Bool { self == .belowLimit || self == .aboveLimit }

  /// The level of an episode that has lasted some days from its first one on.
  ///
  /// An alert about a medication has its first level on its first day. A deviation has lasted three days when Vigil
  /// first finds it.
  public func level(afterDays duration: Int) -> AlertLevel {
    AlertLevel(duration: self == .medication ? duration + 2 : duration)
  }
}

extension MetricType {
  /// The column with the minutes of a day for which a device was worn, where its maker says.
  ///
  /// It is no measurement of the body: it shows nothing but wear.
  public static let wornMinutes = MetricType("worn_minutes")

  /// The name of the series of a person's metrics together (specification, evidence-person.md).
  public static let combined = MetricType("combined")

  /// The name of the series of days without any sign of life of a person (specification, silence.md).
  public static let inactivity = MetricType("inactivity")

  /// The name of the series of days with an overdue check-in (specification, silence.md section 7).
  public static let checkInOverdue = MetricType("check_in_overdue")

  /// The name of the series of days on which doses of a medication were missed in a row (specification, adherence.md
  /// section 5).
  public static let missedStreak = MetricType("missed_streak")

  /// The name of the series of overdue doses of a medication that is taken rarely (specification, evidence-doses.md
  /// section 7).
  public static let missedDose = MetricType("missed_dose")

  /// The name of the series of days on which a refill of a medication is due (specification, adherence.md section 5).
  public static let refillDue = MetricType("refill_due")

  /// The name of the series of days on which a medication has to be replaced because it expires (specification,
  /// adherence.md section 5).
  public static let expiryDue = MetricType("expiry_due")

  /// The names of the series about one medication.
  public static let ofMedications = [missedStreak, missedDose, refillDue, expiryDue]

  /// The severity of an alert of a level.
  ///
  /// Silence and a single dose are never more than to be watched; what else is found about a medication calls for
  /// attention at once (specification, silence.md section 5 and adherence.md section 5).
  public func severity(of level: AlertLevel) -> Severity {
    if self == .inactivity || self == .missedDose { return .watch }
    return Self.ofMedications.contains(self) && level.severity == .watch
      ? .attention : level.severity
  }

  /// The one metric that comes from doses: the share of those expected that were taken, in percent.
  public static let doseAdherence = MetricType("dose_adherence_pct")
}
