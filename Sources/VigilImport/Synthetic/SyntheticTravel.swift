import Foundation
import VigilModel

/// A journey into another time zone, and back where there is time for it.
struct SyntheticTrip {
  let home: SyntheticPlace
  let destination: SyntheticPlace
  /// The time from which the traveller is in the other zone.
  let leaves: Int
  /// Nil for a traveller who stays.
  let returns: Int?
  let isConfirmed: Bool
  let detection: String

  /// Nil for persons who stay at home, which are most.
  init?(
    home: SyntheticPlace, firstDay: Day, dayCount: Int, generator: inout SplitMix64
  ) {
    let travels = generator.chance(0.2)
    let others = SyntheticPlace.allCases.filter { $0 != home }
    let destination = generator.element(others)
    let day = generator.integer(10...max(10, dayCount - 12))
    let length = generator.integer(4...40)
    let hours = (generator.integer(0...23), generator.integer(0...23))
    isConfirmed = generator.chance(0.6)
    detection = generator.element(["automatic", "manual", "gps"])
    let comesBack = generator.chance(0.8) && day + length + 3 < dayCount
    guard travels, day + 4 < dayCount else { return nil }
    self.home = home
    self.destination = destination
    leaves = (firstDay + day).startSeconds + hours.0 * 3600 + 25 * 60
    returns = comesBack ? (firstDay + day + length).startSeconds + hours.1 * 3600 + 40 * 60 : nil
  }

  /// The changes of zone, in order.
  var events: [(from: SyntheticPlace, to: SyntheticPlace, time: Int)] {
    let away = (home, destination, leaves)
    return returns.map { [away, (destination, home, $0)] } ?? [away]
  }

  func place(at instant: Int) -> SyntheticPlace {
    instant >= leaves && instant < returns ?? .max ? destination : home
  }

  /// Whether the person travels within a day of `instant`.
  func isNear(_ instant: Int) -> Bool {
    events.contains { abs($0.time - instant) < 2 * 86_400 }
  }

  static func eventID(_ index: Int, of person: SyntheticPerson, seed: UInt64) -> UUID {
    UUID(name: "synthetic:\(seed):\(person.index):event:\(index)")
  }
}

/// A person's choice for a schedule on a trip; a row of `schedule_adjustments` for each change of
/// zone, or none where the person made no choice.
struct SyntheticAdjustment {
  /// Nil where the person made no choice.
  let strategy: ScheduleAdjustment.Strategy?
  /// By change of zone.
  let newTimes: [[Int]]

  init(
    times: [Int]?, trip: SyntheticTrip, zones: SyntheticZones, generator: inout SplitMix64
  ) {
    let choices: [ScheduleAdjustment.Strategy?] = [
      .keepLocalTime, .keepAbsoluteTime, .gradualShift, .custom, nil,
    ]
    var choice = generator.element(choices)
    let later = generator.integer(1...3) * 60
    let offsets = [trip.home, trip.destination].map { zones[$0].offset(at: trip.leaves) }
    let days = trip.returns.map { ($0 - trip.leaves) / 86_400 } ?? .max
    // A clock that still shifts when it moves again is a case that no app offers.
    if choice == .gradualShift, abs(offsets[1] - offsets[0]) / 3600 + 2 > days {
      choice = .keepLocalTime
    }
    if times == nil, choice == .gradualShift || choice == .custom { choice = nil }
    strategy = choice
    newTimes = times.map { times in [times.map { ($0 + later) % 1440 }.sorted(), times] } ?? []
  }

  /// The clock of a schedule, moved by the adjustment or, without one, by whether the change of
  /// zone was confirmed.
  func clock(for trip: SyntheticTrip, zones: SyntheticZones) -> SyntheticClock {
    var clock = SyntheticClock(home: zones[trip.home])
    let strategy = strategy ?? (trip.isConfirmed ? .keepLocalTime : .keepAbsoluteTime)
    for (index, event) in trip.events.enumerated() {
      clock.move(
        strategy, at: event.time, from: zones[event.from], to: zones[event.to],
        newTimes: strategy == .custom ? newTimes[index] : [])
    }
    return clock
  }
}
