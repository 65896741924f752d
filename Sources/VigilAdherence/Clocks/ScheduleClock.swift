import VigilModel

/// The clock by which a schedule expects its doses: local time in its reference zone until a
/// timezone event moves it (specification, adherence.md section 1).
struct ScheduleClock {
  /// The time from one move of the clock to the next.
  struct Interval {
    var start: Int64
    var zone: ZoneRules
    /// The time that the clock is behind local time on `shiftDay`, in microseconds; negative where
    /// ahead.
    var shift: Int64 = 0
    /// The date of the move in `zone`.
    var shiftDay: Int32 = 0
    /// The list of times in force: 0 is the schedule's own, others are `customTimes[times - 1]`.
    var times = 0

    /// The part of the shift that remains for a dose of `day`.
    func shift(on day: Int32) -> Int64 {
      guard shift != 0 else { return 0 }
      let shrunk = Int64(max(0, day - shiftDay)) * 3_600_000_000
      return shift > 0 ? max(0, shift - shrunk) : min(0, shift + shrunk)
    }
  }

  private(set) var first: Interval
  /// Empty for most schedules: few persons travel.
  private(set) var later: [Interval] = []
  private(set) var customTimes: [[TimeOfDay]] = []

  /// The clock of a schedule.
  ///
  /// - Parameters:
  ///   - events: The timezone events of the person, in order of time.
  ///   - adjustments: The adjustments of the schedule.
  init(
    of schedule: Schedule, events: [TimezoneEvent], adjustments: [ScheduleAdjustment],
    zones: [ZoneRules]
  ) {
    let reference = zones[Int(schedule.referenceZone.rawValue)]
    first = Interval(start: ZoneRules.beforeAll, zone: reference)
    if events.isEmpty { return }
    let events = events.filter { event in
      let zone = zones[Int(event.previousZone.rawValue)]
      return zone.day(of: event.transitionTime.microseconds) >= schedule.startDate.ordinal
    }
    let moves = events.compactMap { event -> (event: TimezoneEvent, how: ScheduleAdjustment)? in
      let how = Self.adjustment(for: event, of: schedule, among: adjustments)
      return how.strategy == .keepAbsoluteTime ? nil : (event, how)
    }
    if let last = moves.last, last.event.newZone == schedule.referenceZone, let event = events.first
    {
      first.zone = zones[Int(event.previousZone.rawValue)]
    }
    for move in moves {
      append(move.event, move.how, zone: zones[Int(move.event.newZone.rawValue)])
    }
  }

  /// The adjustment that an event makes to the schedule: the stored one, or the default.
  private static func adjustment(
    for event: TimezoneEvent, of schedule: Schedule, among adjustments: [ScheduleAdjustment]
  ) -> ScheduleAdjustment {
    if let said = adjustments.first(where: { $0.event == event.id }),
      said.strategy != .custom || !said.newTimes.isEmpty
    {
      return said
    }
    return ScheduleAdjustment(
      event: event.id, schedule: schedule.id,
      strategy: event.isConfirmed ? .keepLocalTime : .keepAbsoluteTime)
  }

  private mutating func append(
    _ event: TimezoneEvent, _ adjustment: ScheduleAdjustment, zone: ZoneRules
  ) {
    let start = event.transitionTime.microseconds
    let before = later.last ?? first
    var interval = Interval(start: start, zone: zone, times: before.times)
    switch adjustment.strategy {
    case .keepLocalTime, .keepAbsoluteTime: break
    case .custom:
      customTimes.append(adjustment.newTimes)
      interval.times = customTimes.count
    case .gradualShift:
      let local = zone.local(start)
      interval.shift = local - Self.reading(of: before, at: start)
      interval.shiftDay = ZoneRules.day(local)
    }
    later.append(interval)
  }

  /// The time that the clock shows at `instant`.
  ///
  /// While the clock shifts, this is the listed time of a dose that is due then: on the latest date
  /// whose own shift agrees with it or, in the hour that belongs to no date, on the local date.
  private static func reading(of interval: Interval, at instant: Int64) -> Int64 {
    let local = interval.zone.local(instant)
    guard interval.shift != 0 else { return local }
    let there = ZoneRules.day(local)
    for day in stride(from: there + 2, through: there - 2, by: -1) {
      let reading = local - interval.shift(on: day)
      if ZoneRules.day(reading) == day { return reading }
    }
    return local - interval.shift(on: there)
  }

  var isFixed: Bool { later.isEmpty }

  /// The zone whose dates the clock shows at `instant`.
  func zone(at instant: Int64) -> ZoneRules {
    (later.last { $0.start <= instant } ?? first).zone
  }

  /// The instant at which a dose of `day` is due, and the list of times in force then: the first
  /// instant at which the clock shows `local` or a later time.
  ///
  /// - Parameter local: In microseconds since 1970-01-01 00:00 on the clock; on `day`.
  func due(_ local: Int64, on day: Int32) -> (instant: Int64, times: Int) {
    var index = -1
    var interval = first
    while true {
      let end = index + 1 < later.count ? later[index + 1].start : ZoneRules.afterAll
      // No local time is a day or more from UTC, and no schedule's clock shows a time that no zone
      // shows.
      if end > local - ZoneRules.microsecondsPerDay {
        let there = local + interval.shift(on: day)
        let instant = interval.zone.firstInstant(
          showing: there, from: max(interval.start, there - ZoneRules.microsecondsPerDay))
        if instant < end || index + 1 == later.count { return (instant, interval.times) }
      }
      index += 1
      interval = later[index]
    }
  }
}
