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

  @Test func fewPersonsSayNothing() {
    #expect(broken(Array(repeating: 19, count: 40) + [0, 0, 0]).isEmpty)
    #expect(broken(Array(repeating: 20, count: 40) + [0, 0, 0]) == [42])
  }

  @Test func aDaySaysTheSameWhateverOthersAreJudged() {
    let history = history(usual + [0, 3, 0, 0, 50, 100, 100] + usual)
    let all = Set(history.brokenDays(in: history.days, limit: 0.3))
    #expect(all.count == 5)
    for day in (first + 40)...(first + 60) {
      let counted = FeedHistory.days(for: day...day)
      let own = FeedHistory(days: counted, counts: counted.map(history.count))
      #expect(own.brokenDays(in: day...day, limit: 0.3).isEmpty != all.contains(day), "\(day)")
    }
  }
}
