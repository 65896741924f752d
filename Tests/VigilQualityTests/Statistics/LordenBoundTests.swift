import Testing

@testable import vigil_quality

@Suite struct LordenBoundTests {
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
