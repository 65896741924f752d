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
  case wristTemperature

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
    case .wristTemperature: "AppleSleepingWristTemperature"
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
    case .wristTemperature: MetricType("skin_temperature_c")
    }
  }

  /// Whether the values of a day are added up; their mean counts otherwise.
  var isSum: Bool {
    switch self {
    case .steps, .activeEnergy, .exerciseTime: true
    case .restingHeartRate, .heartRateVariability, .respiratoryRate, .oxygenSaturation,
      .wristTemperature:
      false
    }
  }

  /// Whether a record is of a whole night, which belongs to the day of waking.
  var isOfANight: Bool { self == .wristTemperature }

  /// A unit that records have: the value in the metric's unit is `(number - zero) * factor`.
  struct Unit {
    var name: StaticString
    var factor = 1.0
    var zero = 0.0
  }

  var units: [Unit] {
    switch self {
    case .steps: [Unit(name: "count")]
    case .activeEnergy:
      [Unit(name: "kcal"), Unit(name: "Cal"), Unit(name: "kJ", factor: 1 / 4.184)]
    case .exerciseTime:
      [Unit(name: "min"), Unit(name: "s", factor: 1 / 60), Unit(name: "hr", factor: 60)]
    case .restingHeartRate, .respiratoryRate:
      [Unit(name: "count/min"), Unit(name: "count/s", factor: 60)]
    case .heartRateVariability: [Unit(name: "ms"), Unit(name: "s", factor: 1000)]
    // Apple writes shares under this name.
    case .oxygenSaturation: [Unit(name: "%", factor: 100)]
    case .wristTemperature:
      [Unit(name: "degC"), Unit(name: "degF", factor: 1 / 1.8, zero: 32)]
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
