import Foundation
import VigilModel

/// Draws the doses of simulated people of one habit.
///
/// Everything about a person follows from the seed and their number. Half of the people have a share that moves
/// slowly; in a seventh the number of doses changes by one on some day; 1.2 % of the days are planned pauses.
struct SimulatedDoses: Sendable {
  var habit: DoseHabit
  var seed: UInt64

  /// Standard deviation of the moving log odds, and the days in which it forgets.
  private static let drift = (spread: 0.3, days: 60.0)
  private static let changedSchedules = 0.15
  private static let pauses = 0.012
  /// The share of days on which all doses are taken or missed alike.
  private static let daysAlike = 0.4

  /// Writes the days of a person.
  ///
  /// - Parameters:
  ///   - number: The number of the person.
  ///   - days: The days to fill, which are those without a dose; the first is a Sunday.
  ///   - change: Nil where nothing changes.
  func write(
    _ number: Int, into days: UnsafeMutableBufferPointer<DoseCounts>, change: DoseChange?
  ) {
    var traits = RandomStream(seed: seed, person: number, purpose: .doseTraits)
    var stream = RandomStream(seed: seed, person: number, purpose: .doses)
    var changed = RandomStream(seed: seed, person: number, purpose: .changedDoses)
    let moves = traits.uniform() < 0.5
    let weekday = traits.integer(below: 7)
    let newSchedule =
      traits.uniform() < Self.changedSchedules ? traits.integer(below: days.count) : .max
    let more = traits.uniform() < 0.5 && habit.dosesADay > 1 ? -1 : 1
    let usual = habit.logOdds
    let keeps = exp(-1 / Self.drift.days)
    var level = traits.normal() * Self.drift.spread
    var missedBefore = 0.0
    for day in days.indices {
      level = keeps * level + (1 - keeps * keeps).squareRoot() * Self.drift.spread * stream.normal()
      let isPause = stream.uniform() < Self.pauses
      guard habit.everyDays == 1 || day % 7 == weekday else { continue }
      let count = habit.dosesADay + (habit.everyDays == 1 && day >= newSchedule ? more : 0)
      let isWeekend = day % 7 == 0 || day % 7 == 6
      let odds =
        usual + (moves ? level : 0) + missedBefore * log(habit.repeating)
        + (isWeekend ? log(habit.weekendOdds) : 0)
      let isAlike = stream.uniform() < Self.daysAlike
      var draws = (0..<count).map { _ in stream.uniform() }
      if isAlike { draws = draws.map { _ in draws[0] } }
      var share = DoseHabit.probability(odds)
      // The numbers of a change are its own, so that all other days stay as they are.
      if let change, change.days.contains(day) {
        share = change.missedShare
        draws = (0..<count).map { _ in changed.uniform() }
      }
      let missed = draws.count { $0 < share }
      missedBefore = Double(missed) / Double(count)
      if isPause { continue }
      days[day] = DoseCounts(
        expected: UInt16(count), missed: UInt16(missed), inferred: UInt16(missed))
    }
  }
}
