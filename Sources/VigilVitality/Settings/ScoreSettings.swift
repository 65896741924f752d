public import VigilModel

/// How the metrics of some days become scores (specification, vitality.md section 1).
public struct ScoreSettings: Hashable, Sendable {
  /// Days whose values a mean is of, the scored day the last of them.
  public var windowDays: Int = 7
  /// Days before those in which the latest value stands in for a mean.
  public var lookbackDays: Int = 7
  /// Pillars with a score that a row needs.
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

  /// Index of the group of somebody born on `birthDate`, by completed years on `day`.
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
  /// Completed years from which on one belongs to the next group; nil for the last group.
  public var below: Int?

  public init(name: String, below: Int?) {
    self.name = name
    self.below = below
  }
}

/// What one pillar is made of.
public struct PillarSettings: Hashable, Sendable {
  public var pillar: Pillar
  /// Its share of the total, over 0; shares are renormalised over the pillars that are there.
  public var weight: Double
  /// Never empty.
  public var subMetrics: [SubMetricSettings]

  public init(pillar: Pillar, weight: Double, subMetrics: [SubMetricSettings]) {
    self.pillar = pillar
    self.weight = weight
    self.subMetrics = subMetrics
  }
}

/// How one sub-metric is scored.
public struct SubMetricSettings: Hashable, Sendable {
  public var subMetric: SubMetric
  /// Its share of the pillar, over 0; shares are renormalised over what is there.
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

  /// Where the score reaches 0 at the low end.
  ///
  /// A poor end inside the acceptable band stands for one as far beyond it as that is from the
  /// optimal band.
  public var effectivePoorLow: Double {
    poor.lowerBound >= acceptable.lowerBound
      ? acceptable.lowerBound - (optimal.lowerBound - acceptable.lowerBound) : poor.lowerBound
  }

  /// Where the score reaches 0 at the high end.
  public var effectivePoorHigh: Double {
    poor.upperBound <= acceptable.upperBound
      ? acceptable.upperBound + (acceptable.upperBound - optimal.upperBound) : poor.upperBound
  }
}
