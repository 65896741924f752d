import CVigil

/// A table that `vigil_push` takes.
enum InputTable {
  case observations
  case workouts
  case medications
  case schedules
  case doses
  case timezoneEvents
  case scheduleAdjustments
  case birthDates
  case scores
  case labels
  case checkIns
  case checkInPlans
  case timeZones
  case sensitivities
  case personLimits

  init(_ number: Int32) throws(Failure) {
    switch number {
    case VIGIL_OBSERVATIONS: self = .observations
    case VIGIL_WORKOUTS: self = .workouts
    case VIGIL_MEDICATIONS: self = .medications
    case VIGIL_SCHEDULES: self = .schedules
    case VIGIL_DOSES: self = .doses
    case VIGIL_TIMEZONE_EVENTS: self = .timezoneEvents
    case VIGIL_SCHEDULE_ADJUSTMENTS: self = .scheduleAdjustments
    case VIGIL_BIRTH_DATES: self = .birthDates
    case VIGIL_OTHER_SCORES: self = .scores
    case VIGIL_LABELS: self = .labels
    case VIGIL_CHECK_INS: self = .checkIns
    case VIGIL_CHECK_IN_PLANS: self = .checkInPlans
    case VIGIL_TIME_ZONES: self = .timeZones
    case VIGIL_SENSITIVITIES: self = .sensitivities
    case VIGIL_PERSON_LIMITS: self = .personLimits
    default: throw .argument("there is no table \(number) of rows; see vigil_push")
    }
  }
}
