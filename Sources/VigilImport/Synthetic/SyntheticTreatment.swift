import VigilModel

/// A person's medications, journeys and habits, decided before any dose.
struct SyntheticTreatment {
  let person: SyntheticPerson
  let trip: SyntheticTrip?
  let medications: [SyntheticMedication]
  let habits: SyntheticHabits
  /// By medication: days of overuse, counted from the first day of the data.
  let overuse: [ClosedRange<Int>?]
  let days: ClosedRange<Day>
  /// The end of the last day at the place where the person is.
  let end: Int
  private let seed: UInt64

  init(
    of person: SyntheticPerson, meanMedications: Double, seed: UInt64, days: ClosedRange<Day>,
    zones: SyntheticZones
  ) {
    var generator = SplitMix64(seed: seed, person: person.index, stream: 6)
    let dayCount = days.upperBound - days.lowerBound + 1
    let trip = SyntheticTrip(
      home: person.place, firstDay: days.lowerBound, dayCount: dayCount, generator: &generator)
    let medications = SyntheticMedication.plan(
      for: person, mean: meanMedications, seed: seed, days: days, trip: trip, zones: zones,
      generator: &generator)
    habits = SyntheticHabits(
      dayCount: dayCount, takesDaily: medications.contains(where: \.isDaily),
      generator: &generator)
    overuse = medications.map { medication in
      Self.overuse(of: medication, days: days, generator: &generator)
    }
    let place = trip?.place(at: (days.upperBound + 1).startSeconds) ?? person.place
    end = zones[place].start(of: days.upperBound + 1)
    self.person = person
    self.trip = trip
    self.medications = medications
    self.days = days
    self.seed = seed
  }

  private static func overuse(
    of medication: SyntheticMedication, days: ClosedRange<Day>, generator: inout SplitMix64
  ) -> ClosedRange<Int>? {
    let overuses = generator.chance(0.35)
    let length = generator.integer(3...6)
    let (schedule, start) = (medication.schedules[0], medication.startDay - days.lowerBound)
    let last = [days.upperBound, schedule.endDay, schedule.lastDay].compactMap { $0 }.min()
    let room = (last ?? days.upperBound) - days.lowerBound - length - 1 - start
    let delay = generator.integer(0...max(0, room))
    guard overuses, room > 0, schedule.timing.isAsNeeded else { return nil }
    return start + delay...start + delay + length - 1
  }

  func log(of medication: Int) -> SyntheticDoseLog {
    SyntheticDoseLog(
      medications[medication], habits: habits, home: person.place, trip: trip,
      firstDay: days.lowerBound, end: end,
      generator: SplitMix64(
        seed: seed, person: person.index, stream: 16 + UInt64(medication)))
  }
}

extension SyntheticDoseLog {
  /// Logs all doses of a schedule.
  ///
  /// - Parameter overuse: Days of overuse of the medication, within its first schedule.
  mutating func log(
    _ schedule: SyntheticSchedule, upTo dataEnd: Day, overuse: ClosedRange<Int>?,
    zones: SyntheticZones
  ) {
    guard case .asNeeded(let minHours, let maximum) = schedule.timing else {
      log(schedule.doses(upTo: dataEnd), of: schedule)
      return
    }
    let last = [schedule.endDay, schedule.lastDay, dataEnd].compactMap { $0 }.min() ?? dataEnd
    logAsNeeded(
      minHours: minHours, maximum: maximum,
      on: schedule.startDay...max(schedule.startDay, last), overuse: overuse, zones: zones)
  }
}
