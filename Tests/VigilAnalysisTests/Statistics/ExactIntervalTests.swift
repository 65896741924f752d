import Foundation
import TestSupport
import Testing

@testable import VigilAnalysis

/// Expected values are quantiles of the gamma and the beta distribution, computed with SciPy 1.17.
@Suite struct ExactIntervalTests {
  private func near(_ value: Double, _ expected: Double) -> Bool {
    (value - expected).magnitude <= 1e-9
  }

  @Test(arguments: [
    (0, 1.0, 0.95, 0.0, 3.6888794541139354),
    (1, 1, 0.95, 0.025317807984289897, 5.571643390938898),
    (10, 20, 0.95, 0.23976943480662166, 0.919517802100889),
    (258, 300, 0.99, 0.7283505839277571, 1.0077665868780266),
    (1540, 1791, 0.95, 0.8174410660805583, 0.9038985135230104),
  ])
  func poissonIntervalsAreThoseOfTheGammaDistribution(
    count: Int, exposure: Double, confidence: Double, lower: Double, upper: Double
  ) {
    let interval = ExactInterval.poisson(
      count: count, exposure: exposure, confidence: confidence)
    #expect(near(interval.lower, lower) && near(interval.upper, upper))
    #expect(interval.estimate == Double(count) / exposure)
  }

  @Test(arguments: [
    (0, 10, 0.95, 0.0, 0.3084971078187607), (10, 10, 0.95, 0.6915028921812392, 1),
    (81, 100, 0.95, 0.7193020420263876, 0.8815568038674564),
    (455, 500, 0.99, 0.8720003656036511, 0.9399219641129793),
    (1, 1000, 0.95, 2.5317487491294065e-05, 0.005558924279826672),
  ])
  func binomialIntervalsAreThoseOfTheBetaDistribution(
    successes: Int, trials: Int, confidence: Double, lower: Double, upper: Double
  ) {
    let interval = ExactInterval.binomial(
      successes: successes, of: trials, confidence: confidence)
    #expect(near(interval.lower, lower) && near(interval.upper, upper))
  }

  @Test func noTrialsSayNothing() {
    let interval = ExactInterval.binomial(successes: 0, of: 0)
    #expect(interval.estimate.isNaN && interval.lower == 0 && interval.upper == 1)
  }

  /// The interval of a rate holds the true one in at least 95 % of experiments.
  @Test func theIntervalHoldsTheTrueRate() {
    var random = SeededGenerator(seed: 3)
    let held = (0..<400).count { _ in
      // Events of a Poisson process with 2 a year in 5 years.
      var (time, count) = (0.0, 0)
      while true {
        time -= log(1 - Double.random(in: 0..<1, using: &random)) / 2
        if time > 5 { break }
        count += 1
      }
      let interval = ExactInterval.poisson(count: count, exposure: 5)
      return interval.lower <= 2 && 2 <= interval.upper
    }
    #expect(held >= 375)
  }
}
