import Foundation
import VigilLaboratory

/// The CUSUM that knows the person's true level, spread, weekdays and autocorrelation, and the size of the
/// change: a bound, not a rule for use.
///
/// It sums the log likelihood ratio of a step of this size in an AR(1) series (Moustakides, Annals of
/// Statistics 14, 1986, for why that is best). The first changed observation moves the innovation by
/// `size / q`, the others by `size * (1 - p) / q`. It knows nothing of the slow level, the yearly wave or the
/// cycle.
struct KnownCUSUMRule: PeerRule {
  let name: String
  let usualThreshold = Double.nan
  /// In personal spreads.
  let size: Double
  /// Whether the first changed day counts with its full jump.
  ///
  /// Without it, the sum looks for the lasting part of the change only, and one odd day says less.
  let countsJump: Bool

  init(size: Double, countsJump: Bool = true) {
    self.size = size
    self.countsJump = countsJump
    name = countsJump ? "CUSUM, known parameters" : "CUSUM, known parameters, no jump"
  }

  func makeSeries(
    metric: MetricPopulation, truth: SimulatedPerson.Metric
  ) -> (any PeerSeries)? {
    Series(
      rule: self, scale: metric.scale, direction: metric.badDirection, truth: truth)
  }

  struct Series: PeerSeries {
    private let rule: KnownCUSUMRule
    private let scale: Scale
    private let direction: Double
    private let truth: SimulatedPerson.Metric
    private var sum = 0.0
    private var latest: (day: Int, u: Double)?

    init(
      rule: KnownCUSUMRule, scale: Scale, direction: Double, truth: SimulatedPerson.Metric
    ) {
      self.rule = rule
      self.scale = scale
      self.direction = direction
      self.truth = truth
    }

    mutating func statistic(_ value: Double, day: Int) -> Double? {
      let usual = truth.level + truth.weekdays[day % 7]
      let u = direction * (scale.scaled(value) - usual) / truth.spread
      defer { latest = (day, u) }
      guard let latest else { return nil }
      let gap = day - latest.day
      let a = max(truth.autocorrelation, 0)
      let p = gap == 1 ? a : pow(a, Double(gap))
      let q = (1 - p * p).squareRoot()
      let innovation = (u - p * latest.u) / q
      let lasting = rule.size * (1 - p) / q
      let next = sum + lasting * (innovation - lasting / 2)
      let jump = rule.size / q
      sum = max(0, next, rule.countsJump ? jump * (innovation - jump / 2) : 0)
      return sum
    }

    mutating func didAlarm() { sum = 0 }
  }
}
