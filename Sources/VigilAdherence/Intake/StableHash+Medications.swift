import VigilModel

extension StableHash {
  mutating func combine(_ truth: Bool) { combine(truth ? 1 : 0) }

  /// No day is `Int.min`.
  mutating func combine(_ day: Day?) { combine(day.map { Int($0.ordinal) } ?? .min) }

  mutating func combine(_ time: Timestamp) { combine(UInt64(bitPattern: time.microseconds)) }

  /// - Parameter zone: The name, because its number is another in each process.
  mutating func combine(_ schedule: Schedule, zone: String) {
    combine(schedule.id)
    combine(schedule.medication)
    combine(zone)
    combine(schedule.isActive)
    combine(schedule.startDate)
    combine(schedule.endDate)
    combine(schedule.flexibilityMinutes ?? -1)
    switch schedule.timing {
    case .timeBased(let times, let weekdays):
      combine(0)
      for time in times { combine(time.minutes) }
      combine(Int(weekdays.rawValue))
    case .intervalBased(let seconds, let first, let most):
      combine(1)
      combine(seconds)
      combine(first)
      combine(most ?? -1)
    case .asNeeded(let seconds, let most):
      combine(2)
      combine(seconds ?? -1)
      combine(most ?? -1)
    }
  }
}
