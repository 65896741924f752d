import VigilModel

/// The clock by which a schedule expects doses: local time at home until a trip moves it
/// (specification, adherence.md section 1).
struct SyntheticClock {
  /// The time from one move to the next.
  struct Interval {
    var start: Int
    var zone: SyntheticZone
    /// Seconds behind local time on `shiftDay`, negative where ahead; an hour less each day.
    var shift = 0
    var shiftDay = Day(ordinal: 0)
    /// The list of times in force: 0 is the schedule's own.
    var times = 0

    func shift(on day: Day) -> Int {
      let shrunk = max(0, day - shiftDay) * 3600
      return shift > 0 ? max(0, shift - shrunk) : min(0, shift + shrunk)
    }
  }

  private(set) var intervals: [Interval]
  /// The lists of times that adjustments add; they are numbered from 1.
  private(set) var customTimes: [[Int]] = []

  init(home: SyntheticZone) {
    intervals = [Interval(start: .min, zone: home)]
  }

  /// Applies a journey from `previous` to `zone` to the clock.
  ///
  /// - Precondition: An earlier gradual shift is over.
  mutating func move(
    _ strategy: ScheduleAdjustment.Strategy, at instant: Int, from previous: SyntheticZone,
    to zone: SyntheticZone, newTimes: [Int]
  ) {
    guard strategy != .keepAbsoluteTime, let last = intervals.last else { return }
    var interval = Interval(start: instant, zone: zone, times: last.times)
    switch strategy {
    case .keepLocalTime, .keepAbsoluteTime: break
    case .gradualShift:
      interval.shift = zone.offset(at: instant) - previous.offset(at: instant)
      interval.shiftDay = zone.day(at: instant)
    case .custom:
      customTimes.append(newTimes)
      interval.times = customTimes.count
    }
    intervals.append(interval)
  }

  /// The date that the clock shows.
  func day(at instant: Int) -> Day {
    (intervals.last { $0.start <= instant } ?? intervals[0]).zone.day(at: instant)
  }

  /// The instant at which a dose is due: the first second in which the clock shows its time on
  /// `day` or later; with the list of times in force then.
  func due(_ minutes: Int, on day: Day) -> (instant: Int, times: Int) {
    var due = (instant: 0, times: 0)
    for (index, interval) in intervals.enumerated() {
      let local = day.startSeconds + minutes * 60 + interval.shift(on: day)
      due = (max(interval.start, interval.zone.firstInstant(showing: local)), interval.times)
      if index + 1 == intervals.count || due.instant < intervals[index + 1].start { break }
    }
    return due
  }
}
