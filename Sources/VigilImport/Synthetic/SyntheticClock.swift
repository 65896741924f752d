import VigilModel

/// The clock by which a schedule expects doses: local time at home until a trip moves it
/// (specification, adherence.md section 1).
struct SyntheticClock {
  /// From one move to the next.
  struct Stretch {
    var start: Int
    var zone: SyntheticZone
    /// Seconds behind local time on `shiftDay`, negative where ahead; an hour less each day.
    var shift = 0
    var shiftDay = Day(ordinal: 0)
    /// Which list of times holds: 0 the schedule's own.
    var times = 0

    func shift(on day: Day) -> Int {
      let shrunk = max(0, day - shiftDay) * 3600
      return shift > 0 ? max(0, shift - shrunk) : min(0, shift + shrunk)
    }
  }

  private(set) var stretches: [Stretch]
  /// The lists of times that adjustments bring, from 1 on.
  private(set) var customTimes: [[Int]] = []

  init(home: SyntheticZone) {
    stretches = [Stretch(start: .min, zone: home)]
  }

  /// What a journey from `previous` to `zone` does to the clock.
  ///
  /// - Precondition: An earlier gradual shift is over.
  mutating func move(
    _ strategy: ScheduleAdjustment.Strategy, at instant: Int, from previous: SyntheticZone,
    to zone: SyntheticZone, newTimes: [Int]
  ) {
    guard strategy != .keepAbsoluteTime, let last = stretches.last else { return }
    var stretch = Stretch(start: instant, zone: zone, times: last.times)
    switch strategy {
    case .keepLocalTime, .keepAbsoluteTime: break
    case .gradualShift:
      stretch.shift = zone.offset(at: instant) - previous.offset(at: instant)
      stretch.shiftDay = zone.day(at: instant)
    case .custom:
      customTimes.append(newTimes)
      stretch.times = customTimes.count
    }
    stretches.append(stretch)
  }

  /// The date that the clock shows, were it on a wall.
  func day(at instant: Int) -> Day {
    (stretches.last { $0.start <= instant } ?? stretches[0]).zone.day(at: instant)
  }

  /// When a dose is due: the first second in which the clock shows its time on `day` or later, and the
  /// list of times that holds then.
  func due(_ minutes: Int, on day: Day) -> (instant: Int, times: Int) {
    var due = (instant: 0, times: 0)
    for (index, stretch) in stretches.enumerated() {
      let local = day.startSeconds + minutes * 60 + stretch.shift(on: day)
      due = (max(stretch.start, stretch.zone.firstInstant(showing: local)), stretch.times)
      if index + 1 == stretches.count || due.instant < stretches[index + 1].start { break }
    }
    return due
  }
}
