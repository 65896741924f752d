import Testing
import VigilDetection
import VigilModel

@Suite struct FeedHistoryTests {
  private let first = Day(ordinal: 20_000)

  private func history(_ counts: [Int]) -> FeedHistory {
    FeedHistory(days: first...(first + (counts.count - 1)), counts: counts)
  }

  /// The indices of the days on which a feed counts as broken.
  private func broken(_ counts: [Int], limit: Double = 0.3) -> [Int] {
    let history = history(counts)
    return history.brokenDays(in: history.days, limit: limit).map { $0 - first }
  }

  private let usual = Array(repeating: 100, count: 40)

  @Test func threeLowDaysAreABrokenFeedUntilTwoDaysAfterThem() {
    #expect(broken(usual + [0, 3, 0] + usual) == [42, 43, 44])
    #expect(broken(usual + [0, 3] + usual).isEmpty)
  }

  @Test func theLastDaysAreSynchronisedLate() {
    #expect(broken(usual + [100, 100, 40]).isEmpty)
    #expect(broken(usual + [100, 60, 10]).isEmpty)
  }

  @Test func theLimitIsOfTheUsualPersons() {
    #expect(broken(usual + [70, 70, 70]).isEmpty)
    #expect(broken(usual + [69, 69, 69]) == [42])
    #expect(broken(usual + [69, 69, 69], limit: 0.5).isEmpty)
  }

  @Test func threeWeeksWithoutDataDoNotBecomeUsual() {
    let outage = Array(repeating: 0, count: 22)
    #expect(broken(usual + outage) == Array(42...61))
  }

  @Test func twoPersonsSayNothing() {
    #expect(broken(Array(repeating: 2, count: 40) + [0, 0, 0]).isEmpty)
    #expect(broken(Array(repeating: 3, count: 40) + [0, 0, 0]) == [42])
  }

  @Test func aSmallFeedIsBrokenWhereNoPersonSendsAndForAWeek() {
    let small = Array(repeating: 19, count: 40)
    #expect(broken(small + [1, 0, 0]).isEmpty)
    #expect(broken(small + Array(repeating: 0, count: 20)) == Array(42...48))
    #expect(broken(Array(repeating: 20, count: 40) + [13, 13, 13]) == [42])
    #expect(broken(small + [0, 0, 0] + small + [0, 0, 0]) == [42, 43, 44, 85])
  }

  @Test func aDaySaysTheSameWhateverOthersAreJudged() {
    for (persons, count) in [(100, 5), (10, 7)] {
      let usual = Array(repeating: persons, count: 40)
      let outage =
        persons == 100 ? [0, 3, 0, 0, 50, 100, 100] : [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]
      let history = history(usual + outage + usual)
      let all = Set(history.brokenDays(in: history.days, limit: 0.3))
      #expect(all.count == count)
      for day in (first + 40)...(first + 60) {
        let counted = FeedHistory.days(for: day...day)
        let own = FeedHistory(days: counted, counts: counted.map(history.count))
        #expect(own.brokenDays(in: day...day, limit: 0.3).isEmpty != all.contains(day), "\(day)")
      }
    }
  }
}
