import VigilModel

/// Slow twin of a schedule's clock: what it shows at an instant is spelled out, and the instant at
/// which it first shows something is searched for.
struct ReferenceClock {
  struct Part {
    var start: Int
    var zone: ReferenceZone
    var times: [TimeOfDay]
    /// New clock less old clock at the transition of a gradual shift.
    var difference = 0
    var date = 0
  }

  var parts: [Part]

  init(
    _ schedule: Schedule, times: [TimeOfDay], events: [TimezoneEvent],
    adjustments: [ScheduleAdjustment], zones: [ZoneID: ReferenceZone]
  ) {
    func zone(_ id: ZoneID) -> ReferenceZone {
      guard let zone = zones[id] else { preconditionFailure("every zone of the rows is given") }
      return zone
    }
    var known: [(event: TimezoneEvent, strategy: ScheduleAdjustment.Strategy, times: [TimeOfDay])] =
      []
    for event in events.sorted(by: { ($0.transitionTime, $0.id) < ($1.transitionTime, $1.id) }) {
      let date = floorDay(zone(event.previousZone).local(event.transitionTime.wholeSeconds))
      if date < Int(schedule.startDate.ordinal) { continue }
      let adjustment = adjustments.first { $0.event == event.id && $0.schedule == schedule.id }
      var strategy: ScheduleAdjustment.Strategy =
        event.isConfirmed ? .keepLocalTime : .keepAbsoluteTime
      if let adjustment, !(adjustment.strategy == .custom && adjustment.newTimes.isEmpty) {
        strategy = adjustment.strategy
      }
      known.append((event, strategy, adjustment?.newTimes ?? []))
    }
    let lastMove = known.last { $0.strategy != .keepAbsoluteTime }?.event
    let startZone =
      lastMove?.newZone == schedule.referenceZone
      ? known[0].event.previousZone : schedule.referenceZone
    parts = [Part(start: .min, zone: zone(startZone), times: times)]
    for (event, strategy, newTimes) in known where strategy != .keepAbsoluteTime {
      let start = event.transitionTime.wholeSeconds
      var part = Part(start: start, zone: zone(event.newZone), times: parts[parts.count - 1].times)
      if strategy == .custom { part.times = newTimes }
      if strategy == .gradualShift {
        let there = part.zone.local(start)
        part.difference = there - shown(by: parts[parts.count - 1], at: start)
        part.date = floorDay(there)
      }
      parts.append(part)
    }
  }

  /// The time that a part's clock shows at an instant, read for a dose of `day`.
  private func reading(of part: Part, at second: Int, day: Int) -> Int {
    let days = max(0, day - part.date)
    let left = max(0, abs(part.difference) - days * 3600)
    return part.zone.local(second) - (part.difference < 0 ? -left : left)
  }

  /// The time that a part's clock shows at an instant, read for no particular dose.
  private func shown(by part: Part, at second: Int) -> Int {
    let date = floorDay(part.zone.local(second))
    let readings = (-2...2).map { (date + $0, reading(of: part, at: second, day: date + $0)) }
    return readings.last { floorDay($0.1) == $0.0 }?.1 ?? readings[2].1
  }

  func part(at second: Int) -> Int {
    var index = 0
    while index + 1 < parts.count, parts[index + 1].start <= second { index += 1 }
    return index
  }

  func date(at second: Int) -> Int { floorDay(parts[part(at: second)].zone.local(second)) }

  /// The first instant at which the clock shows a time of a day or a later one.
  func firstInstant(day: Int, time: TimeOfDay) -> Int {
    let wanted = day * 86_400 + time.minutes * 60
    func isShown(_ second: Int) -> Bool {
      reading(of: parts[part(at: second)], at: second, day: day) >= wanted
    }
    // No clock is further ahead of UTC than 15 hours, and zones change between half hours only.
    var cell = (wanted - 15 * 3600) / 1800 * 1800
    while true {
      let moves = parts.map(\.start).filter { cell < $0 && $0 < cell + 1800 }
      if !moves.isEmpty || isShown(cell + 1799) {
        let instants = stride(from: cell, to: cell + 1800, by: 60) + moves
        if let found = instants.sorted().first(where: isShown) { return found }
      }
      cell += 1800
    }
  }
}

/// The day of a local time in seconds, counted from 1970-01-01.
func floorDay(_ seconds: Int) -> Int {
  Int((Double(seconds) / 86_400).rounded(.down))
}
