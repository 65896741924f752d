import Foundation
import VigilDetection

/// Draws the days on which simulated people of one habit wear their device, and when the rows come.
///
/// Everything about a person follows from the seed and their number.
struct SimulatedWear: Sendable {
  var habit: WearHabit
  var seed: UInt64

  /// The days of one person.
  struct Days: Hashable, Sendable {
    /// By day, whether the device is worn.
    var isWorn: [Bool]
    /// By day, the day on which its rows come.
    var comings: [Int]
    /// By day, the first evaluated day whose night knows its rows.
    ///
    /// A night begins on the morning after the day that it evaluates.
    var nights: [Int]
  }

  private static let holidayDays = 5...14
  /// With more days a pause is a person who has left.
  private static let longestPause = 29

  /// Returns the days of a person.
  ///
  /// - Parameters:
  ///   - number: The number of the person.
  ///   - dayCount: The number of days; the first is a Sunday.
  ///   - stop: The first of the days, to the end, without the device; the day before it is a worn one. Nil where the
  ///     person goes on.
  func days(of number: Int, dayCount: Int, stop: Int?) -> Days {
    var traits = RandomStream(seed: seed, person: number, purpose: .wearTraits)
    var stream = RandomStream(seed: seed, person: number, purpose: .pauses)
    let syncs = traits.integer(below: habit.syncDays)
    // An exponential share of the usual pauses: many people make few.
    let pauses = habit.pausesAYear * -log(1 - traits.uniform())
    var isWorn = [Bool](repeating: true, count: dayCount)
    var pauseUntil = -1
    for day in 0..<dayCount {
      let draws = (stream.uniform(), stream.uniform(), stream.uniform(), stream.uniform())
      if day > pauseUntil {
        if draws.0 < habit.holidaysAYear / 365 {
          let length =
            Self.holidayDays.lowerBound + Int(draws.3 * Double(Self.holidayDays.count))
          pauseUntil = day + length - 1
        } else if draws.1 < pauses / 365 {
          pauseUntil = day + Self.pause(atRank: draws.3) - 1
        }
      }
      if day <= pauseUntil || draws.2 < habit.singleDaysOff { isWorn[day] = false }
      if day % 7 == 6, draws.2 < habit.weekendsOff { isWorn[day] = false }
      if day % 7 == 0, day > 0, !isWorn[day - 1], habit.weekendsOff > 0 { isWorn[day] = false }
    }
    if let stop {
      isWorn[stop - 1] = true
      for day in stop..<dayCount { isWorn[day] = false }
    }
    let comings = (0..<dayCount).map { day in
      min(day + (syncs - day % habit.syncDays + habit.syncDays) % habit.syncDays, stop ?? .max)
    }
    let nights = comings.enumerated().map { day, coming in
      habit.syncsInTheEvening ? coming : max(day, coming - 1)
    }
    return Days(isWorn: isWorn, comings: comings, nights: nights)
  }

  /// The length of a pause of at least 2 days by its rank among all of them, from 0 to below 1.
  private static func pause(atRank rank: Double) -> Int {
    let prior = InactivitySettings.publicPrior
    let beyond = (1 - rank) * prior[0]
    let longest = 1 + prior.count { $0 > beyond }
    guard longest > prior.count else { return max(2, longest) }
    // Of those longer than the table says, each further day has the same chance.
    let tail = beyond / (prior.last ?? 1)
    return min(longestPause, longest + Int(6 * -log(max(tail, 1e-9))))
  }
}
