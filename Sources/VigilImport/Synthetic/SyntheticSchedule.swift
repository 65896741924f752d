import Foundation
import VigilModel

/// The times at which a medication is to be taken; a row of `schedules`.
struct SyntheticSchedule {
  let id: UUID
  let timing: Timing
  let startDay: Day
  let endDay: Day?
  /// The last day on which anything is logged, where that is before the end of the data.
  let lastDay: Day?
  let flexibilityMinutes: Int?
  /// The first dose of an interval.
  let firstDose: Int
  let clock: SyntheticClock
  /// Nil without a trip.
  let adjustment: SyntheticAdjustment?

  enum Timing {
    /// Minutes of the day; nil for every day of the week.
    case daily([Int], weekdays: [Int]?)
    case interval(minutes: Int, maximum: Int?)
    case asNeeded(minHours: Int, maximum: Int)

    var isAsNeeded: Bool {
      if case .asNeeded = self { true } else { false }
    }
  }

  /// A dose that is to be taken.
  struct Dose: Equatable {
    var instant: Int
    var day: Day
  }

  init(
    id: UUID, timing: Timing, startDay: Day, endDay: Day?, lastDay: Day?, home: SyntheticPlace,
    trip: SyntheticTrip?, zones: SyntheticZones, generator: inout SplitMix64
  ) {
    self.id = id
    self.timing = timing
    self.startDay = startDay
    self.endDay = endDay
    self.lastDay = lastDay
    let flexibility = generator.element([nil, nil, nil, 30, 120])
    var times: [Int]?
    if case .daily(let list, _) = timing { times = list }
    flexibilityMinutes = times == nil ? nil : flexibility
    firstDose = zones[home].firstInstant(showing: startDay.startSeconds + 8 * 3600)
    if let trip {
      let adjustment = SyntheticAdjustment(
        times: times, trip: trip, zones: zones, generator: &generator)
      self.adjustment = adjustment
      clock = adjustment.clock(for: trip, zones: zones)
    } else {
      adjustment = nil
      clock = SyntheticClock(home: zones[home])
    }
  }

  /// Minutes by which a dose may differ from its time.
  var flexibility: Int { flexibilityMinutes ?? Schedule.defaultFlexibilityMinutes }

  /// The doses due up to a day, in order of time and no two at once.
  func doses(upTo dataEnd: Day) -> [Dose] {
    let end = [endDay, lastDay, dataEnd].compactMap { $0 }.min() ?? dataEnd
    guard startDay <= end else { return [] }
    switch timing {
    case .daily(let times, let weekdays):
      return dailyDoses(times, weekdays: weekdays, on: startDay...end)
    case .interval(let minutes, let maximum):
      return intervalDoses(every: minutes * 60, maximum: maximum, on: startDay...end)
    case .asNeeded: return []
    }
  }

  private func dailyDoses(
    _ times: [Int], weekdays: [Int]?, on days: ClosedRange<Day>
  ) -> [Dose] {
    let lists = [times] + clock.customTimes
    var doses: [Dose] = []
    doses.reserveCapacity(times.count * (days.upperBound - days.lowerBound + 1))
    for day in days where weekdays?.contains(day.weekday) ?? true {
      for (number, list) in lists.enumerated() {
        for time in list {
          let due = clock.due(time, on: day)
          if due.times == number { doses.append(Dose(instant: due.instant, day: day)) }
        }
      }
    }
    if clock.intervals.count > 1 {
      doses.sort { ($0.instant, $0.day) < ($1.instant, $1.day) }
    }
    var last: Int?
    doses.removeAll { dose in
      defer { last = dose.instant }
      return dose.instant == last
    }
    return doses
  }

  private func intervalDoses(
    every seconds: Int, maximum: Int?, on days: ClosedRange<Day>
  ) -> [Dose] {
    var doses: [Dose] = []
    var counts = [Int](repeating: 0, count: days.upperBound - days.lowerBound + 1)
    // A journey can repeat a date.
    let end = (days.upperBound + 2).startSeconds
    for instant in stride(from: firstDose, to: end, by: seconds) {
      let day = clock.day(at: instant)
      guard days.contains(day) else { continue }
      counts[day - days.lowerBound] += 1
      if counts[day - days.lowerBound] <= maximum ?? .max {
        doses.append(Dose(instant: instant, day: day))
      }
    }
    return doses
  }
}

extension SyntheticSchedule.Timing {
  init(generator: inout SplitMix64) {
    let draw = generator.uniform()
    let times = generator.element(Self.times)
    let weekdays = generator.element(Self.weekdays)
    let interval = generator.element(Self.intervals)
    let limits = (generator.integer(4...8), generator.integer(2...4))
    self =
      switch draw {
      case ..<0.72: .daily(times, weekdays: weekdays)
      case ..<0.86: .interval(minutes: interval.0, maximum: interval.1)
      default: .asNeeded(minHours: limits.0, maximum: limits.1)
      }
  }

  /// One time is in the hour that summer time removes or repeats.
  private static let times = [
    [480], [420], [1320], [480, 1200], [435, 1170], [540, 1260], [480, 840, 1200], [150],
  ]

  private static let weekdays: [[Int]?] = [
    nil, nil, nil, nil, nil, nil, nil, [1, 2, 3, 4, 5], [1, 3, 5], [0],
  ]

  /// Minutes, and the largest number of doses a day.
  private static let intervals: [(Int, Int?)] = [
    (360, 3), (480, nil), (480, 2), (720, nil), (1440, nil), (2160, nil), (450, 3),
  ]
}
