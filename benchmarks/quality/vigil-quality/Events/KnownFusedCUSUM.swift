import Foundation
import VigilLaboratory
import VigilModel

/// The CUSUM over all metrics of a person that knows the person's true levels, spreads, weekdays and
/// autocorrelations, the correlations of a day, the size of the change and the metrics that change: a bound, not a
/// rule for use.
///
/// It sums the log likelihood ratio of the day's innovations, as `KnownCUSUMRule` does for one metric. A metric
/// that does not change helps where it is correlated with one that does. It knows nothing of slow levels, the
/// yearly wave, the cycle or of lags between metrics.
struct KnownFusedCUSUM: EventDetector {
  let name: String
  /// The changes of the people, who need not have changed.
  let plan: ChangePlan
  /// The sum that raises an alarm.
  let threshold: Double
  /// Whether the first changed day counts with its full jump; see `KnownCUSUMRule.countsJump`.
  let countsJump: Bool
  private let metrics: [MetricPopulation]
  /// Of the metrics' innovations in their bad directions.
  private let correlation: [[Double]]

  /// - Parameters:
  ///   - plan: Says for each person which metrics change, and by how much.
  ///   - simulator: That of the people.
  ///   - threshold: The sum that raises an alarm.
  ///   - countsJump: Whether the first changed day counts with its full jump.
  init(
    plan: ChangePlan, simulator: Simulator, threshold: Double, countsJump: Bool = true
  ) {
    self.plan = plan
    self.threshold = threshold
    self.countsJump = countsJump
    name = KnownCUSUMRule(size: plan.size, countsJump: countsJump).name
    metrics = simulator.population.metrics
    let directions = metrics.map(\.badDirection)
    correlation = directions.indices.map { row in
      directions.indices.map { simulator.correlation[row][$0] * directions[row] * directions[$0] }
    }
  }

  func events(in block: ObservationBlock, people: [SimulatedPerson]) -> [DetectedEvent] {
    var factors: [Int: Cholesky] = [:]
    return people.enumerated().flatMap { slot, person -> [DetectedEvent] in
      guard let change = plan.change(of: person) else { return [] }
      var alarms: [Int] = []
      var sum = 0.0
      var latest = [(day: Int, u: Double)?](repeating: nil, count: metrics.count)
      for day in 0..<block.dayCount {
        let today = innovations(of: person, slot, on: day, in: block, &latest)
        guard !today.isEmpty else { continue }
        let key = today.reduce(0) { $0 | 1 << $1.metric }
        let factor = factors[key] ?? self.factor(of: today.map(\.metric))
        factors[key] = factor
        func ratio(_ shift: (Innovation) -> Double) -> Double {
          let shifts = factor.solved(
            today.map { change.metrics.contains($0.metric) ? plan.size * shift($0) : 0 })
          let values = factor.solved(today.map(\.value))
          return zip(shifts, values).reduce(0) { $0 + $1.0 * ($1.1 - $1.0 / 2) }
        }
        sum = max(
          0, sum + ratio { (1 - $0.p) / $0.q }, countsJump ? ratio { 1 / $0.q } : 0)
        if sum >= threshold {
          alarms.append(day)
          sum = 0
        }
      }
      return events(of: slot, alarms: alarms, metrics: change.metrics)
    }
  }

  /// The part of a value that the one before does not foretell.
  private struct Innovation {
    var metric: Int
    var value: Double
    /// The correlation with the value before.
    var p: Double
    /// The standard deviation of what it leaves.
    var q: Double
  }

  private func innovations(
    of person: SimulatedPerson, _ slot: Int, on day: Int, in block: ObservationBlock,
    _ latest: inout [(day: Int, u: Double)?]
  ) -> [Innovation] {
    metrics.indices.compactMap { index in
      let value = block.series(person: slot, metric: index)[day]
      guard !value.isNaN else { return nil }
      let (metric, truth) = (metrics[index], person.metrics[index])
      let usual = truth.level + truth.weekdays[day % 7]
      let u = metric.badDirection * (metric.scale.scaled(value) - usual) / truth.spread
      defer { latest[index] = (day, u) }
      guard let before = latest[index] else { return nil }
      let p = pow(max(truth.autocorrelation, 0), Double(day - before.day))
      let q = (1 - p * p).squareRoot()
      return Innovation(metric: index, value: (u - p * before.u) / q, p: p, q: q)
    }
  }

  private func factor(of metrics: [Int]) -> Cholesky {
    Cholesky(correlation: metrics.map { row in metrics.map { correlation[row][$0] } })
  }

  /// Alarms that follow each other closely are one event.
  private func events(of person: Int, alarms: [Int], metrics: Set<Int>) -> [DetectedEvent] {
    var runs: [(first: Int, last: Int)] = []
    for alarm in alarms {
      if let run = runs.last, alarm - run.last <= PeerDetector.quietDays {
        runs[runs.count - 1].last = alarm
      } else {
        runs.append((alarm, alarm))
      }
    }
    return runs.map { run in
      DetectedEvent(
        person: person,
        alerts: [.init(opened: run.first, metrics: metrics, isNotified: true)],
        resolved: run.last + PeerDetector.quietDays + 1,
        level: AlertLevel(duration: run.last - run.first + 1).rawValue, notifications: 1)
    }
  }
}
