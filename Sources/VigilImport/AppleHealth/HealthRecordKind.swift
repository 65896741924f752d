import VigilModel

/// The types of Apple Health's records that become daily metrics.
enum HealthRecordKind: UInt8, CaseIterable {
  case steps
  case activeEnergy
  case exerciseTime
  case restingHeartRate
  case heartRateVariability
  case respiratoryRate
  case oxygenSaturation

  /// The record's type without its prefix `HKQuantityTypeIdentifier`.
  var name: StaticString {
    switch self {
    case .steps: "StepCount"
    case .activeEnergy: "ActiveEnergyBurned"
    case .exerciseTime: "AppleExerciseTime"
    case .restingHeartRate: "RestingHeartRate"
    case .heartRateVariability: "HeartRateVariabilitySDNN"
    case .respiratoryRate: "RespiratoryRate"
    case .oxygenSaturation: "OxygenSaturation"
    }
  }

  var metric: MetricType {
    switch self {
    case .steps: MetricType("steps")
    case .activeEnergy: MetricType("active_calories")
    case .exerciseTime: MetricType("movement_minutes")
    case .restingHeartRate: MetricType("resting_hr")
    case .heartRateVariability: MetricType("hrv_ms")
    case .respiratoryRate: MetricType("breathing_rate")
    case .oxygenSaturation: MetricType("spo2_avg_pct")
    }
  }

  /// Whether the values of a day are added up; their mean counts otherwise.
  var isSum: Bool {
    switch self {
    case .steps, .activeEnergy, .exerciseTime: true
    case .restingHeartRate, .heartRateVariability, .respiratoryRate, .oxygenSaturation: false
    }
  }

  /// The units that records have, each with the number of the metric's units in it.
  var units: [(name: StaticString, factor: Double)] {
    switch self {
    case .steps: [("count", 1)]
    case .activeEnergy: [("kcal", 1), ("Cal", 1), ("kJ", 1 / 4.184)]
    case .exerciseTime: [("min", 1), ("s", 1 / 60), ("hr", 60)]
    case .restingHeartRate, .respiratoryRate: [("count/min", 1), ("count/s", 60)]
    case .heartRateVariability: [("ms", 1), ("s", 1000)]
    // Apple writes shares under this name.
    case .oxygenSaturation: [("%", 100)]
    }
  }
}

/// The state of a person in a part of the night.
enum SleepStage: UInt8, CaseIterable {
  case inBed
  case awake
  /// Asleep, the device does not know how deeply.
  case asleep
  case core
  case deep
  case rem

  /// The record's value without its prefix `HKCategoryValueSleepAnalysis`.
  init?(_ value: UnsafePointer<CChar>) {
    guard let stage = Self.named.first(where: { value.equals($0.name) })?.stage else { return nil }
    self = stage
  }

  var isAsleep: Bool { self != .inBed && self != .awake }

  private static let named: [(name: StaticString, stage: SleepStage)] = [
    ("HKCategoryValueSleepAnalysisInBed", .inBed), ("HKCategoryValueSleepAnalysisAwake", .awake),
    ("HKCategoryValueSleepAnalysisAsleep", .asleep),
    ("HKCategoryValueSleepAnalysisAsleepUnspecified", .asleep),
    ("HKCategoryValueSleepAnalysisAsleepCore", .core),
    ("HKCategoryValueSleepAnalysisAsleepDeep", .deep),
    ("HKCategoryValueSleepAnalysisAsleepREM", .rem),
  ]
}
