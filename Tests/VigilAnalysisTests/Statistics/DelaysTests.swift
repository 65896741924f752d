import Testing

@testable import VigilAnalysis

@Suite struct DelaysTests {
  @Test func missedChangesCountAsInfinitelyLate() {
    let delays = Delays([3, nil, 5, nil, nil])
    #expect(delays.found == 2)
    #expect(delays.median.estimate == .infinity)
    #expect(delays.quantile(0.4).estimate == 5)
    #expect(delays.share().estimate == 0.4)
  }

  /// For 10 values the 2nd and the 9th hold the median with 97.9 % (David and Nagaraja, section 7.1).
  @Test func theMedianLiesBetweenOrderStatistics() {
    let median = Delays((1...10).map { $0 }).median
    #expect(median.estimate == 5 && median.lower == 2 && median.upper == 9)
  }

  @Test func noChangesHaveNoDelay() {
    #expect(Delays([]).median.estimate.isNaN)
  }
}
