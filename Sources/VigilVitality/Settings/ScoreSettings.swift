public import VigilModel

/// The rules that make scores of the metrics of some days (specification, vitality.md section 1).
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// var settings = ScoreSettings()
/// settings.ageGroups = [AgeGroup(name: "adult", below: 65), AgeGroup(name: "senior", below: nil)]
/// print(settings.ageGroup(born: day - 70 * 366, on: day))  // 1
/// ```
public struct ScoreSettings: Hashable, Sendable {
  /// The number of days that a mean covers; the scored day is the last of them.
  public var windowDays: Int = 7
  /// The number of days before those whose latest value replaces a missing mean.
  public var lookbackDays: Int = 7
  /// The number of pillars with a score that a row needs.
  public var minPillars: Int = 2
  /// By age; only the last has no upper end.
  public var ageGroups: [AgeGroup] = []
  /// The group of persons whose age is unknown: an index of `ageGroups`.
  public var groupOfUnknownAge: Int = 0
  /// In the order of `Pillar.scored`.
  public var pillars: [PillarSettings] = []

  public init() {}

  /// Days that a scored day depends on, itself included.
  public var reachDays: Int { windowDays + lookbackDays }

  /// Index of the age group of a person born on `birthDate`, by completed years on `day`.
  public func ageGroup(born birthDate: Day?, on day: Day) -> Int {
    guard let birthDate else { return groupOfUnknownAge }
    let years = day.completedYears(since: birthDate)
    return ageGroups.firstIndex { group in group.below.map { years < $0 } ?? true }
      ?? groupOfUnknownAge
  }
}

/// Persons whose scores use the same bands.
public struct AgeGroup: Hashable, Sendable {
  public var name: String
  /// The age in completed years at which the next group begins; nil for the last group.
  public var below: Int?

  public init(name: String, below: Int?) {
    self.name = name
    self.below = below
  }
}

/// The settings of one pillar.
public struct PillarSettings: Hashable, Sendable {
  public var pillar: Pillar
  /// Its share of the total, above 0; shares are renormalised over the pillars that have a score.
  public var weight: Double
  /// Never empty.
  public var subMetrics: [SubMetricSettings]

  public init(pillar: Pillar, weight: Double, subMetrics: [SubMetricSettings]) {
    self.pillar = pillar
    self.weight = weight
    self.subMetrics = subMetrics
  }
}

/// The settings of one sub-metric.
public struct SubMetricSettings: Hashable, Sendable {
  public var subMetric: SubMetric
  /// Its share of the pillar, above 0; shares are renormalised over the sub-metrics with a score.
  public var weight: Double
  public var direction: ScoreDirection
  /// One for each of `ScoreSettings.ageGroups`.
  public var bands: [ScoreBands]

  public init(
    subMetric: SubMetric, weight: Double, direction: ScoreDirection, bands: [ScoreBands]
  ) {
    self.subMetric = subMetric
    self.weight = weight
    self.direction = direction
    self.bands = bands
  }
}

/// A number that is scored, derived from the means of one or several metrics.
public enum SubMetric: String, Hashable, Sendable, CaseIterable {
  /// Hours.
  case sleepDuration = "sleep_duration_h"
  case restorative = "restorative_pct"
  case sleepEfficiency = "sleep_efficiency_pct"
  case awake = "awake_pct"
  case movementMinutes = "movement_minutes"
  case steps
  case activeCalories = "active_calories"
  case hrv = "hrv_ms"
  case restingHeartRate = "resting_hr"
  case breathingRate = "breathing_rate"

  public var pillar: Pillar {
    switch self {
    case .sleepDuration, .restorative, .sleepEfficiency, .awake: .sleep
    case .movementMinutes, .steps, .activeCalories: .movement
    case .hrv, .restingHeartRate, .breathingRate: .stress
    }
  }
}

/// Which values of a sub-metric are good.
public enum ScoreDirection: String, Hashable, Sendable, CaseIterable {
  case optimalRange = "optimal_range"
  case higher
  case lower
}

/// Ends of the bands of a sub-metric, in its unit, as they stand in the file.
///
/// ```swift
/// let sleep = ScoreBands(optimal: 7...9, acceptable: 6...10, poor: 4...12)
/// print(sleep.optimal.contains(7.5), sleep.poor.contains(3))  // true false
/// ```
public struct ScoreBands: Hashable, Sendable {
  public var optimal: ClosedRange<Double>
  public var acceptable: ClosedRange<Double>
  public var poor: ClosedRange<Double>

  public init(
    optimal: ClosedRange<Double>, acceptable: ClosedRange<Double>, poor: ClosedRange<Double>
  ) {
    self.optimal = optimal
    self.acceptable = acceptable
    self.poor = poor
  }

  /// The value at which the score reaches 0 at the low end.
  ///
  /// A poor end inside the acceptable band is replaced by a value as far below that band as the
  /// acceptable low end is below the optimal one.
  public var effectivePoorLow: Double {
    poor.lowerBound >= acceptable.lowerBound
      ? acceptable.lowerBound - (optimal.lowerBound - acceptable.lowerBound) : poor.lowerBound
  }

  /// The value at which the score reaches 0 at the high end.
  public var effectivePoorHigh: Double {
    poor.upperBound <= acceptable.upperBound
      ? acceptable.upperBound + (acceptable.upperBound - optimal.upperBound) : poor.upperBound
  }
}
