public import VigilModel

/// The rules by which a day counts as one without the device (specification, detection.md section 2).
///
/// ```swift
/// let settings = NonWearSettings()
/// print(settings.heartDays, settings.windowDays, settings.reachDays)  // 8 14 14
/// ```
public struct NonWearSettings: Hashable, Sendable {
  /// The sleep efficiency, in percent, from which a sleep is a device that lies still; nil where a day with any
  /// positive value is worn.
  public var stillSleepPercent: Double? = 99
  /// The days with a resting heart rate that make one usual.
  public var heartDays: Int = 8
  /// The days before a day among which these are.
  public var windowDays: Int = 14
  /// The share of the usual steps below which a day without a resting heart rate is a part of a day; nil where none
  /// is.
  public var partShare: Double? = 0.25
  /// The `worn_minutes` below which a day is not worn; nil where the column is not looked at.
  public var leastWornMinutes: Double? = 60
  /// The `worn_minutes` below which a day is a part of a day.
  public var fullWornMinutes: Double = 240

  public init() {}

  /// The days before a day whose rows decide whether it is a part of a day.
  public var reachDays: Int { partShare == nil ? 0 : windowDays }
}

/// A column of `wearable_daily_metrics` by which wear is judged, whether a profile follows it or not.
enum WearColumn: String, CaseIterable {
  case restingHeartRate = "resting_hr"
  case heartRateVariability = "hrv_ms"
  case breathingRate = "breathing_rate"
  case steps
  case movementMinutes = "movement_minutes"
  case activeCalories = "active_calories"
  case sleepMinutes = "sleep_minutes"
  case sleepEfficiency = "sleep_efficiency_pct"
  case wornMinutes = "worn_minutes"

  var metric: MetricType { MetricType(rawValue) }
}

extension Thresholds {
  /// The columns that wear is judged by, beside those of metrics that are read anyway.
  ///
  /// - Parameters:
  ///   - metrics: The metrics that are read.
  ///   - isAvailable: Whether the table has a column; others are missing on all days.
  public func wearColumns(
    beside metrics: [MetricThresholds], where isAvailable: (MetricType) -> Bool
  ) -> [MetricType] {
    guard nonWear != nil else { return [] }
    return WearColumn.allCases.map(\.metric).filter { column in
      isAvailable(column) && !metrics.contains { $0.metric == column }
    }
  }
}
