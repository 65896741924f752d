import Testing

@testable import VigilLaboratory

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

  /// log(365 / 0.13) / (1.5^2 / 2 * 0.87 / 1.13).
  @Test func lordensBoundOfAKnownCase() {
    let days = LordenBound.days(
      size: 1.5, autocorrelation: 0.13, alarmsPerSeriesYear: 0.13, wear: 1)
    #expect((days - 9.1673).magnitude < 1e-3)
    let sparse = LordenBound.days(
      size: 1.5, autocorrelation: 0.13, alarmsPerSeriesYear: 0.13, wear: 0.5)
    #expect((sparse - 2 * days).magnitude < 1e-9)
  }

  /// The higher the autocorrelation, the less a further day says.
  @Test func autocorrelationDelays() {
    let information = [0, 0.3, 0.6, 0.9].map {
      LordenBound.information(size: 2, autocorrelation: $0)
    }
    #expect(information[0] == 2)
    #expect(information == information.sorted(by: >))
  }
}
