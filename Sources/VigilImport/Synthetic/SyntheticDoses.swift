import VigilModel

/// A row of `dose_history`.
struct SyntheticDose: Equatable {
  var status: DoseRecord.Status
  var scheduled: Int?
  var actual: Int?
  var place: SyntheticPlace
  var created: Int
}

/// The outcomes of the doses of a schedule, as an engine should count them.
struct SyntheticDoseCounts: Equatable {
  var taken = 0
  var skipped = 0
  var missed = 0
  var plannedSkips = 0
  var late = 0
  var early = 0
  var extra = 0
  var asNeeded = 0
  var asNeededOveruse = 0

  static func += (left: inout SyntheticDoseCounts, right: SyntheticDoseCounts) {
    left.taken += right.taken
    left.skipped += right.skipped
    left.missed += right.missed
    left.plannedSkips += right.plannedSkips
    left.late += right.late
    left.early += right.early
    left.extra += right.extra
    left.asNeeded += right.asNeeded
    left.asNeededOveruse += right.asNeededOveruse
  }
}

/// Simulates taking, forgetting and logging the doses of one medication, schedule by schedule.
struct SyntheticDoseLog {
  private let habits: SyntheticHabits
  private let firstDay: Day
  private let logsDueTimes: Bool
  private let trip: SyntheticTrip?
  private let home: SyntheticPlace
  /// Nothing is logged at this second or later.
  private let end: Int
  private var generator: SplitMix64

  /// The rows of the schedule logged last.
  private(set) var rows: [SyntheticDose] = []
  /// The counts of all schedules so far.
  private(set) var counts = SyntheticDoseCounts()

  /// The time after a dose's flexibility at which an app logs it as missed.
  private static let grace = Medication.defaultMissedAfterMinutes * 60

  init(
    _ medication: SyntheticMedication, habits: SyntheticHabits, home: SyntheticPlace,
    trip: SyntheticTrip?, firstDay: Day, end: Int, generator: SplitMix64
  ) {
    self.habits = habits
    self.firstDay = firstDay
    self.logsDueTimes = medication.logsDueTimes
    self.trip = trip
    self.home = home
    self.end = end
    self.generator = generator
  }

  private func place(at instant: Int) -> SyntheticPlace { trip?.place(at: instant) ?? home }

  private mutating func append(
    _ status: DoseRecord.Status, scheduled: Int?, actual: Int? = nil, created: Int
  ) -> Bool {
    guard created < end, scheduled ?? created < end else { return false }
    rows.append(
      SyntheticDose(
        status: status, scheduled: scheduled, actual: actual, place: place(at: actual ?? created),
        created: created))
    return true
  }

  // MARK: Expected doses

  /// Logs doses that are due.
  mutating func log(_ doses: [SyntheticSchedule.Dose], of schedule: SyntheticSchedule) {
    rows.removeAll(keepingCapacity: true)
    let flexibility = schedule.flexibility * 60
    // The doses that a decline leaves are spread evenly, so that it shows day by day.
    var readiness = 0.5
    var day: Day?
    var isPlannedSkip = false
    for (index, dose) in doses.enumerated() {
      if dose.day != day {
        day = dose.day
        isPlannedSkip = generator.chance(0.012)
      }
      if isPlannedSkip,
        append(.plannedSkip, scheduled: dose.instant, created: dose.instant - 10 * 3600)
      {
        counts.plannedSkips += 1
        continue
      }
      let next = index + 1 < doses.count ? doses[index + 1].instant : Int.max
      if takes(on: dose.day - firstDay, readiness: &readiness) {
        logTaken(dose, flexibility: flexibility, hasRoom: next - dose.instant >= 4 * 3600)
      } else {
        logNotTaken(dose, flexibility: flexibility)
      }
    }
  }

  private mutating func takes(on day: Int, readiness: inout Double) -> Bool {
    guard let phase = habits.phase(on: day) else {
      readiness = 0.5
      return habits.kind == .reliable || generator.chance(Double(habits.takenPercent) / 100)
    }
    readiness += phase.share(on: day)
    guard readiness >= 1 else { return false }
    readiness -= 1
    return true
  }

  /// - Parameter hasRoom: Whether an extra dose soon after is nearer to this one than to the next.
  private mutating func logTaken(
    _ dose: SyntheticSchedule.Dose, flexibility: Int, hasRoom: Bool
  ) {
    let (timing, delay) = nextDelay(flexibility: flexibility)
    let actual = dose.instant + delay
    let created = actual + generator.integer(2...90)
    let correction = generator.uniform()
    let correctionTime = generator.integer(600...10 * 3600)
    let extra = generator.uniform()
    let extraDelay = generator.integer(20 * 60...50 * 60)
    let scheduled = logsDueTimes ? dose.instant : nil
    let noted = dose.instant + flexibility + Self.grace
    if correction < 0.01, scheduled != nil, noted + correctionTime < end, actual < noted {
      _ = append(.missed, scheduled: scheduled, created: noted)
      _ = append(.taken, scheduled: scheduled, actual: actual, created: noted + correctionTime)
    } else if !append(.taken, scheduled: scheduled, actual: actual, created: created) {
      counts.missed += 1
      return
    }
    counts.taken += 1
    switch timing {
    case .onTime: break
    case .late: counts.late += 1
    case .early: counts.early += 1
    }
    let chance = habits.kind == .forgetful ? 0.012 : 0.004
    if extra < chance, hasRoom, logsDueTimes, timing == .onTime, delay < 1800,
      append(.taken, scheduled: nil, actual: actual + extraDelay, created: actual + extraDelay + 30)
    {
      counts.extra += 1
    }
  }

  private enum Timing { case onTime, late, early }

  private mutating func nextDelay(flexibility: Int) -> (Timing, Int) {
    let draw = generator.uniform()
    let usual = Int(300 + 480 * generator.normal())
    let late = flexibility + 60 * generator.integer(5...140)
    let early = -(flexibility + 60 * generator.integer(3...35))
    let lateness = habits.kind == .late ? 0.45 : 0.03
    // Without the time it was due, a dose far from that time may be matched with another one.
    guard logsDueTimes else { return (.onTime, max(-1200, min(1500, usual))) }
    if draw < lateness { return (.late, late) }
    if draw > 0.98 { return (.early, early) }
    return (.onTime, max(-1200, min(1500, usual)))
  }

  private mutating func logNotTaken(_ dose: SyntheticSchedule.Dose, flexibility: Int) {
    let draw = generator.uniform()
    let delay = generator.integer(0...3600)
    let noted = dose.instant + flexibility + Self.grace
    if draw < 0.22, append(.skipped, scheduled: dose.instant, created: dose.instant + delay) {
      counts.skipped += 1
      return
    }
    counts.missed += 1
    switch draw {
    case 0.22..<0.45: _ = append(.missed, scheduled: dose.instant, created: noted)
    case 0.45..<0.48 where logsDueTimes && noted < end:
      // Logged by mistake, and then corrected.
      let actual = dose.instant + delay
      _ = append(.taken, scheduled: dose.instant, actual: actual, created: actual + 10)
      _ = append(.missed, scheduled: dose.instant, created: noted)
    default: break
    }
  }

  // MARK: As needed

  /// Logs doses taken as needed: one on some days, and on days of overuse more than the schedule
  /// allows.
  mutating func logAsNeeded(
    minHours: Int, maximum: Int, on days: ClosedRange<Day>, overuse: ClosedRange<Int>?,
    zones: SyntheticZones
  ) {
    rows.removeAll(keepingCapacity: true)
    let chance = generator.uniform(0.15...0.5)
    for day in days {
      let isNeeded = generator.chance(chance)
      let minute = generator.integer(9 * 60...20 * 60)
      let more = generator.integer(1...2)
      let offset = day - firstDay
      let zone = zones[place(at: day.startSeconds + 43_200)]
      var minutes = isNeeded ? [minute] : []
      if let overuse {
        if overuse.contains(offset) {
          minutes = (0..<maximum + more).map { 480 + $0 * 100 }
        } else if offset == overuse.upperBound + 1 {
          minutes = []
        }
      }
      for minute in minutes {
        let actual = zone.firstInstant(showing: day.startSeconds + minute * 60)
        // Around a change of zone two days can be closer than the limits allow.
        if trip?.isNear(actual) ?? false { continue }
        if append(.taken, scheduled: nil, actual: actual, created: actual + 20) {
          counts.asNeeded += 1
        }
      }
    }
    counts.asNeededOveruse += overuseCount(minSeconds: minHours * 3600, maximum: maximum)
  }

  private func overuseCount(minSeconds: Int, maximum: Int) -> Int {
    let times = rows.compactMap(\.actual)
    var first = 0
    return times.indices.count { index in
      while times[first] <= times[index] - 86_400 { first += 1 }
      let isTooSoon = index > 0 && times[index] - times[index - 1] < minSeconds
      return isTooSoon || index - first + 1 > maximum
    }
  }
}
