import TestSupport
import Testing
import VigilDetection
import VigilModel

@Suite struct DoseFeedTests {
  private static let first = Day(ordinal: 20_000)

  /// The indices of the broken days among those from day 40 on.
  private func broken(_ counts: [Int], limit: Double = 0.3) -> [Int] {
    let all = Array(repeating: 100, count: 40) + counts
    let last = Self.first + (all.count - 1)
    let feed = DoseFeed(FeedHistory(days: Self.first...last, counts: all))
    return feed.brokenDays(in: (Self.first + 40)...last, limit: limit).map { $0 - Self.first - 40 }
  }

  @Test func lowDaysAreBrokenFromTheThirdInARowOn() {
    #expect(broken([0, 0]) == [])
    #expect(broken([0, 0, 0]) == [0, 1, 2])
    #expect(broken([0, 0, 0, 0, 100, 0, 0]) == [0, 1, 2, 3])
    #expect(broken([0, 0, 100, 0, 0]) == [])
    #expect(broken([70, 70, 70]) == [])
    #expect(broken([69, 69, 69, 100]) == [0, 1, 2])
    #expect(broken([0, 0, 0], limit: 1) == [])
  }

  @Test func aRowThatBeganBeforeCounts() {
    let counts = Array(repeating: 100, count: 40) + [0, 0, 0, 0, 0]
    let days = Self.first...(Self.first + 44)
    let feed = DoseFeed(FeedHistory(days: days, counts: counts))
    #expect(
      feed.brokenDays(in: (Self.first + 42)...(Self.first + 44), limit: 0.3)
        == [Self.first + 42, Self.first + 43, Self.first + 44])
    #expect(DoseFeed.days(for: (Self.first + 42)...(Self.first + 44)).lowerBound == Self.first + 12)
  }

  @Test func ofFewPersonsNothingIsSaid() {
    let counts = Array(repeating: 19, count: 40) + [0, 0, 0]
    let days = Self.first...(Self.first + 42)
    let feed = DoseFeed(FeedHistory(days: days, counts: counts))
    #expect(feed.brokenDays(in: (Self.first + 40)...(Self.first + 42), limit: 0.3) == [])
  }
}
