import Foundation
import TestSupport
import Testing
import VigilAnalysis
import VigilModel

@Suite struct DetectionEvaluationTests {
  private let first = Day(ordinal: 20_000)
  private let steps = MetricType("steps")
  private let sleep = MetricType("sleep_minutes")

  private func change(
    _ person: String, _ metric: MetricType?, _ days: ClosedRange<Int>
  ) -> LabelledChange {
    LabelledChange(
      person: UUID(name: person), metric: metric,
      days: first + days.lowerBound...first + days.upperBound)
  }

  private func alert(
    _ person: String, _ metric: MetricType, _ day: Int, _ level: AlertLevel = .day3
  ) -> RaisedAlert {
    RaisedAlert(person: UUID(name: person), metric: metric, openedOn: first + day, level: level)
  }

  @Test func theFirstAlertFindsAndFurtherOnesAreNeitherTrueNorFalse() {
    let evaluation = DetectionEvaluation(
      of: [alert("a", steps, 16), alert("a", steps, 12, .day14), alert("a", steps, 40)],
      against: [change("a", steps, 10...19)])
    let total = evaluation.total
    #expect((total.alerts, total.finding, total.repeated, total.others) == (3, 1, 1, 1))
    #expect(total.delays == Delays([3]))
    #expect(total.reached == [.day3: 1, .day7: 1, .day14: 1])
    #expect(total.precision?.estimate == 0.5)
    #expect(total.recall?.estimate == 1)
  }

  @Test func alertsOfLimitsAreCountedApart() {
    var limit = alert("a", steps, 12)
    limit.isOfLimit = true
    var other = alert("b", steps, 70)
    other.isOfLimit = true
    let evaluation = DetectionEvaluation(
      of: [limit, other, alert("a", steps, 14)], against: [change("a", steps, 10...19)])
    #expect(evaluation.ofLimits == 2)
    let total = evaluation.total
    #expect((total.alerts, total.finding, total.others) == (1, 1, 0))
    #expect(total.delays == Delays([5]), "the limit has found no change")
    #expect(evaluation.events.count == 1)
  }

  @Test(
    "an alert counts from the first day to seven days after the last",
    arguments: [
      (9, false), (10, true), (26, true), (27, false),
    ])
  func bounds(day: Int, isFound: Bool) {
    let evaluation = DetectionEvaluation(
      of: [alert("a", steps, day)], against: [change("a", steps, 10...19)])
    #expect(evaluation.total.found == (isFound ? 1 : 0))
    #expect(evaluation.total.others == (isFound ? 0 : 1))
  }

  @Test func anAlertOfSeveralMetricsFindsTheLabelsOfThose() {
    let together = RaisedAlert(
      person: UUID(name: "a"), metric: .combined, openedOn: first + 12, level: .day3,
      contributing: [steps, sleep])
    let evaluation = DetectionEvaluation(
      of: [together],
      against: [
        change("a", steps, 10...19), change("a", sleep, 11...19),
        change("a", MetricType("hrv_ms"), 10...19), change("a", nil, 10...19),
      ])
    #expect(evaluation.total.found == 3)
    #expect(evaluation.total.finding == 1)
    #expect(evaluation.total.others == 0)
    #expect(evaluation.metrics[steps]?.found == 1)
  }

  @Test func anEventIsFalseWhereNoLabelExplainsAnyOfItsAlerts() {
    let (one, two) = (UUID(name: "one"), UUID(name: "two"))
    let alerts = [(steps, 12, one), (sleep, 14, one), (sleep, 40, two), (steps, 41, two)].map {
      RaisedAlert(
        person: UUID(name: "a"), metric: $0.0, openedOn: first + $0.1, level: .day3, event: $0.2)
    }
    let evaluation = DetectionEvaluation(of: alerts, against: [change("a", steps, 10...19)])
    #expect(evaluation.total.others == 3)
    #expect((evaluation.events.count, evaluation.events.others) == (2, 1))
    let alone = DetectionEvaluation(
      of: [alert("a", steps, 12), alert("a", steps, 13)], against: [change("a", sleep, 1...2)])
    #expect((alone.events.count, alone.events.others) == (2, 2))
  }

  @Test func aLabelIsFoundByItsOwnPersonAndMetricOnly() {
    let evaluation = DetectionEvaluation(
      of: [alert("b", steps, 12), alert("a", sleep, 12)],
      against: [change("a", steps, 10...19)])
    #expect(evaluation.total.found == 0)
    #expect(evaluation.total.others == 2)
    #expect(evaluation.metrics[steps]?.labels == 1)
    #expect(evaluation.metrics[sleep]?.others == 1)
    #expect(evaluation.total.delays.median.estimate == .infinity)
  }

  @Test func aLabelWithoutMetricIsFoundByAny() {
    let evaluation = DetectionEvaluation(
      of: [alert("a", sleep, 14), alert("a", steps, 11)],
      against: [change("a", nil, 10...19)])
    #expect(evaluation.total.delays == Delays([2]))
    #expect(evaluation.total.repeated == 1)
    #expect(evaluation.metrics[steps]?.finding == 1)
    #expect(evaluation.metrics[steps]?.labels == 0)
  }

  @Test func anAlertMayFindTwoLabelsAndCountsOnce() {
    let evaluation = DetectionEvaluation(
      of: [alert("a", steps, 14)],
      against: [change("a", steps, 10...19), change("a", nil, 12...13)])
    #expect(evaluation.total.found == 2)
    #expect(evaluation.total.finding == 1)
    #expect(evaluation.total.precision?.estimate == 1)
  }

  @Test func withoutLabelsOrDaysThereIsNoShareAndNoRate() {
    let total = DetectionEvaluation(of: [], against: []).total
    #expect(total.recall == nil)
    #expect(total.precision == nil)
    #expect(total.alertsPerPersonYear(personDays: 0) == nil)
    #expect(total.alertsPerPersonYear(personDays: 365)?.estimate == 0)
  }

  /// A second path: each label by itself, alert by alert.
  @Test(arguments: 0..<60)
  func randomCasesAgreeWithAPlainCount(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let people = ["a", "b", "c"]
    let metrics = [steps, sleep]
    let labels = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      let start = Int.random(in: 0...100, using: &random)
      return change(
        random.pick(people), random.pick([steps, sleep, nil]),
        start...start + Int.random(in: 0...20, using: &random))
    }
    let alerts = (0..<Int.random(in: 0...20, using: &random)).map { _ in
      alert(
        random.pick(people), random.pick(metrics), Int.random(in: 0...130, using: &random),
        random.pick(AlertLevel.allCases))
    }
    func matches(_ label: LabelledChange, _ alert: RaisedAlert) -> Bool {
      label.person == alert.person && [nil, alert.metric].contains(label.metric)
        && (0...(label.days.upperBound - label.days.lowerBound + 7)).contains(
          alert.openedOn - label.days.lowerBound)
    }
    let evaluation = DetectionEvaluation(of: alerts, against: labels)
    let delays = labels.map { label in
      alerts.filter { matches(label, $0) }.map { $0.openedOn - label.days.lowerBound + 1 }.min()
    }
    #expect(evaluation.total.delays == Delays(delays))
    let others = alerts.count { alert in !labels.contains { matches($0, alert) } }
    #expect(evaluation.total.others == others)
    let total = evaluation.total
    #expect(total.alerts == alerts.count)
    #expect(total.finding + total.repeated + total.others == total.alerts)
    #expect(evaluation.metrics.values.map(\.alerts).reduce(0, +) == total.alerts)
  }
}
