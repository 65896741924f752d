import VigilModel

extension ScheduleInForce {
  /// Appends the doses that belong to `days`, in order of time unless the clock shifts.
  ///
  /// - Parameters:
  ///   - days: Within `expectingDays`.
  ///   - rank: Of the schedule among those of its medication.
  func appendDoses(on days: ClosedRange<Int32>, rank: Int32, to doses: inout [ExpectedDose]) {
    let minutes = row.flexibilityMinutes ?? Schedule.defaultFlexibilityMinutes
    let dose = ExpectedDose(
      flexibilityMinutes: Int32(clamping: max(0, minutes)), schedule: rank)
    switch row.timing {
    case .timeBased(let times, let weekdays):
      let times = Self.microseconds(times)
      if clock.isFixed {
        appendFixed(times, weekdays, on: days, like: dose, to: &doses)
      } else {
        appendMoving(
          [times] + clock.customTimes.map(Self.microseconds), weekdays, on: days, like: dose,
          to: &doses)
      }
    case .intervalBased(let seconds, let first, let maximum):
      guard seconds > 0 else { return }
      appendIntervals(
        of: Int64(min(seconds, Self.longestInterval)) * 1_000_000, from: first.microseconds,
        maximum: maximum, on: days,
        like: dose, to: &doses)
    case .asNeeded: break
    }
  }

  /// Seconds; no database column holds more, and sums with it do not overflow.
  private static let longestInterval = 1_000_000_000

  /// Times of day in microseconds, in order.
  private static func microseconds(_ times: [TimeOfDay]) -> [Int64] {
    times.map { Int64($0.minutes) * 60_000_000 }.sorted()
  }

  /// Doses on the clock of one zone.
  ///
  /// Days and the clock's periods only move forward, so a dose costs one look at the end of the
  /// period.
  private func appendFixed(
    _ times: [Int64], _ weekdays: Schedule.Weekdays, on days: ClosedRange<Int32>,
    like template: ExpectedDose, to doses: inout [ExpectedDose]
  ) {
    let zone = clock.first.zone
    var dose = template
    var last = Int64.min
    let from = Int64(days.lowerBound) * ZoneRules.microsecondsPerDay
    // A day before the first: no wall clock is further from UTC.
    var period = zone.period(at: from - ZoneRules.microsecondsPerDay)
    var localEnd = zone.localEnds[period]
    var (start, offset) = (zone.starts[period], zone.offsets[period])
    var weekday = Day(ordinal: days.lowerBound).weekday
    for day in days {
      if weekdays.contains(weekday: weekday) {
        let midnight = Int64(day) * ZoneRules.microsecondsPerDay
        dose.day = day
        for time in times {
          let local = midnight + time
          while local >= localEnd {
            period += 1
            localEnd = zone.localEnds[period]
            (start, offset) = (zone.starts[period], zone.offsets[period])
          }
          dose.instant = max(start, local - offset)
          if dose.instant == last { continue }
          last = dose.instant
          doses.append(dose)
        }
      }
      weekday = weekday == 6 ? 0 : weekday + 1
    }
  }

  /// Doses on a clock that timezone events move; each is due once, by the list of times in force
  /// then.
  private func appendMoving(
    _ lists: [[Int64]], _ weekdays: Schedule.Weekdays, on days: ClosedRange<Int32>,
    like template: ExpectedDose, to doses: inout [ExpectedDose]
  ) {
    var dose = template
    for day in days where weekdays.contains(weekday: Day(ordinal: day).weekday) {
      let midnight = Int64(day) * ZoneRules.microsecondsPerDay
      dose.day = day
      for list in lists.indices {
        for time in lists[list] {
          let due = clock.due(midnight + time, on: day)
          guard due.times == list else { continue }
          dose.instant = due.instant
          doses.append(dose)
        }
      }
    }
  }

  /// Doses at equal intervals of elapsed time; the first `maximum` of each local day.
  private func appendIntervals(
    of interval: Int64, from first: Int64, maximum: Int?, on days: ClosedRange<Int32>,
    like template: ExpectedDose, to doses: inout [ExpectedDose]
  ) {
    var dose = template
    let dayLength = ZoneRules.microsecondsPerDay
    let begin = (Int64(days.lowerBound) - 1) * dayLength
    let end = (Int64(days.upperBound) + 2) * dayLength
    let skipped = begin > first ? (begin - first + interval - 1) / interval : 0
    // An event can make a date come twice, so a date's doses need not follow each other.
    var counts = maximum == nil ? [] : [Int](repeating: 0, count: days.count)
    var instant = first + skipped * interval
    while instant < end {
      defer { instant += interval }
      let day = clock.zone(at: instant).day(of: instant)
      guard days.contains(day) else { continue }
      if let maximum {
        let index = Int(day - days.lowerBound)
        counts[index] += 1
        if counts[index] > maximum { continue }
      }
      dose.day = day
      dose.instant = instant
      doses.append(dose)
    }
  }
}
