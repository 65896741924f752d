import ReferenceKernels
import TestSupport
import Testing
import VigilDetection
import VigilModel

/// Overdue check-ins: the rules by example, and the slow twin over random histories.
@Suite struct CheckInHistoryTests {
  private let first = Day(ordinal: 20_000)

  /// - Parameter hours: Hours after the first midnight in UTC.
  private func time(_ hours: Double) -> Timestamp {
    first.midnight.adding(seconds: Int64(hours * 3600))
  }

  /// By day from the first one, `x` where a check-in is overdue, with the first such day of those in a row.
  private func overdue(
    _ hours: [Double], every interval: Int, grace: Int = 0, from start: Double = 0, zone: Int = 0,
    days: Int = 6, asOf instant: Double? = nil
  ) -> [Int: Int] {
    let history = CheckInHistory(
      CheckIns(
        times: hours.map(time),
        plan: CheckInPlan(
          intervalMinutes: interval * 60, graceMinutes: grace * 60, startsAt: time(start))),
      zone: ZoneRules(offsetSeconds: zone * 3600))
    var found: [Int: Int] = [:]
    history.forEachOverdueDay(in: first...(first + (days - 1)), asOf: instant.map(time)) {
      found[$0 - first] = $1 - first
    }
    return found
  }

  @Test func theDayOfTheDeadlineIsTheFirstOverdueOne() {
    #expect(overdue([9], every: 24, grace: 2) == [1: 1, 2: 1, 3: 1, 4: 1, 5: 1])
    #expect(overdue([9], every: 72) == [3: 3, 4: 3, 5: 3])
  }

  @Test func aDayWithACheckInIsNot() {
    #expect(overdue([9, 3 * 24 + 23], every: 24) == [1: 1, 2: 1, 4: 4, 5: 4])
    // The deadline is on the day of the check-in itself.
    #expect(overdue([1, 25, 49, 73, 97], every: 6) == [5: 5])
  }

  @Test func withoutACheckInThePlanCountsFromItsStart() {
    #expect(overdue([], every: 24, from: 60) == [3: 3, 4: 3, 5: 3])
    // An older check-in does not make a new plan overdue.
    #expect(overdue([1], every: 24, from: 60) == [3: 3, 4: 3, 5: 3])
  }

  @Test func daysAreLocal() {
    // 23:30 in UTC on day 0 is day 1 further east.
    #expect(overdue([23.5], every: 24, zone: 1).keys.min() == 2)
    #expect(overdue([23.5], every: 24).keys.min() == 1)
    #expect(overdue([25], every: 24, zone: -5).keys.min() == 1)
  }

  @Test func aDeadlineThatHasNotPassedIsNone() {
    // The deadline is at 30:00, in a night that begins at 26:00.
    #expect(overdue([6], every: 24, days: 2, asOf: 26).isEmpty)
    #expect(overdue([6], every: 24, days: 2, asOf: 30) == [1: 1])
  }

  @Test func withoutAPlanNothingIsOverdue() {
    let history = CheckInHistory(CheckIns(times: [time(9)]), zone: ZoneRules(offsetSeconds: 0))
    history.forEachOverdueDay(in: first...(first + 9)) { _, _ in Issue.record("overdue") }
    #expect(history.days == [first])
  }

  // MARK: Random histories

  @Test func theHistoryDoesAsItsSlowTwin() throws {
    var overdue = 0
    for seed in 1...Repetitions.count(fast: 1_000, long: 30_000) {
      var random = SeededGenerator(seed: seed)
      var times: [Timestamp] = []
      var hour = Double.random(in: 0...600, using: &random)
      while hour < 60 * 24 {
        times.append(time(hour))
        hour += Double.random(in: 0.1...(random.chance(0.2) ? 300 : 40), using: &random)
      }
      let zone = ZoneRules(
        offsetSeconds: random.pick([0, 3_600, -18_000, 20_700, 46_800, -39_600]))
      let checkIns = CheckIns(
        times: times,
        plan: random.chance(0.9)
          ? CheckInPlan(
            intervalMinutes: random.pick([1, 60, 360, 1_440, 1_440, 4_320, 20_160]),
            graceMinutes: random.pick([0, 0, 30, 120, 1_440]),
            startsAt: time(Double.random(in: -500...1_000, using: &random))) : nil)
      let instant: Timestamp? =
        random.chance(0.5) ? time(Double.random(in: 200...1_400, using: &random)) : nil
      let twin = ReferenceCheckIns(checkIns, zone: zone, asOf: instant)
      var found: [Day: Day] = [:]
      let days = (first + 5)...(first + 55)
      CheckInHistory(checkIns, zone: zone).forEachOverdueDay(in: days, asOf: instant) {
        found[$0] = $1
      }
      overdue += found.count
      for day in days {
        // What began before the deadlines that are looked at is cut off by neither.
        #expect(found[day] == twin.start(on: day), "seed \(seed), \(day)")
      }
    }
    #expect(overdue > 1_000)
  }
}
