import VigilModel

/// The clock by which a schedule expects its doses: local time in its reference zone until a
/// timezone event moves it (specification, adherence.md section 1).
struct ScheduleClock {
  /// From one move of the clock to the next.
  struct Stretch {
    var start: Int64
    var zone: ZoneRules
    /// What the clock is behind local time on `shiftDay`, in microseconds; negative where ahead.
    var shift: Int64 = 0
    /// The date of the move in `zone`.
    var shiftDay: Int32 = 0
    /// Which list of times holds: 0 the schedule's own, others `customTimes[times - 1]`.
    var times = 0

    /// What is left of the shift for a dose of `day`.
    func shift(on day: Int32) -> Int64 {
      guard shift != 0 else { return 0 }
      let shrunk = Int64(max(0, day - shiftDay)) * 3_600_000_000
      return shift > 0 ? max(0, shift - shrunk) : min(0, shift + shrunk)
    }
  }

  private(set) var first: Stretch
  /// Empty for most: few people travel.
  private(set) var later: [Stretch] = []
  private(set) var customTimes: [[TimeOfDay]] = []

  /// The clock of a schedule.
  ///
  /// - Parameters:
  ///   - events: Of the person, in order of time.
  ///   - adjustments: Of the schedule.
  init(
    of schedule: Schedule, events: [TimezoneEvent], adjustments: [ScheduleAdjustment],
    zones: [ZoneRules]
  ) {
    let reference = zones[Int(schedule.referenceZone.rawValue)]
    first = Stretch(start: ZoneRules.beforeAll, zone: reference)
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

  /// What an event does to the schedule, where nobody said so too.
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
    var stretch = Stretch(start: start, zone: zone, times: before.times)
    switch adjustment.strategy {
    case .keepLocalTime, .keepAbsoluteTime: break
    case .custom:
      customTimes.append(adjustment.newTimes)
      stretch.times = customTimes.count
    case .gradualShift:
      let local = zone.local(start)
      stretch.shift = local - Self.reading(of: before, at: start)
      stretch.shiftDay = ZoneRules.day(local)
    }
    later.append(stretch)
  }

  /// What the clock shows at `instant`.
  ///
  /// While it shifts, that is the time that a dose due then would be listed for: the latest date
  /// which agrees with its own shift, or the date there in the hour that belongs to none.
  private static func reading(of stretch: Stretch, at instant: Int64) -> Int64 {
    let local = stretch.zone.local(instant)
    guard stretch.shift != 0 else { return local }
    let there = ZoneRules.day(local)
    for day in stride(from: there + 2, through: there - 2, by: -1) {
      let reading = local - stretch.shift(on: day)
      if ZoneRules.day(reading) == day { return reading }
    }
    return local - stretch.shift(on: there)
  }

  var isFixed: Bool { later.isEmpty }

  /// The zone whose dates the clock shows at `instant`.
  func zone(at instant: Int64) -> ZoneRules {
    (later.last { $0.start <= instant } ?? first).zone
  }

  /// When a dose of `day` is due, and the list of times that holds then: the first instant at which
  /// the clock shows `local` or a later time.
  ///
  /// - Parameter local: In microseconds since 1970-01-01 00:00 on the clock; on `day`.
  func due(_ local: Int64, on day: Int32) -> (instant: Int64, times: Int) {
    var index = -1
    var stretch = first
    while true {
      let end = index + 1 < later.count ? later[index + 1].start : ZoneRules.afterAll
      // No wall clock is a day from UTC, and no schedule's clock shows what none shows.
      if end > local - ZoneRules.microsecondsPerDay {
        let there = local + stretch.shift(on: day)
        let instant = stretch.zone.firstInstant(
          showing: there, from: max(stretch.start, there - ZoneRules.microsecondsPerDay))
        if instant < end || index + 1 == later.count { return (instant, stretch.times) }
      }
      index += 1
      stretch = later[index]
    }
  }
}
