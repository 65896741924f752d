// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

@Suite struct VigilAnalysisExamples {
  /// Sources/VigilAnalysis/Comparison/ProfileComparison.swift
  @Test func profileComparisonExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let first = Day("2026-05-01") else { return }
    let steps = SeriesKey(user: UUID(name: "anna"), metric: MetricType("steps"), pattern: .drop)
    func episode(_ begin: Int, _ end: Int, _ level: AlertLevel) -> ComparedEpisode {
      ComparedEpisode(
        series: steps, days: first + begin...first + end, openedOn: first + begin + 2, level: level,
        resolution: .recovered)
    }
    var comparison = ProfileComparison(of: first...(first + 59), persons: 1)
    comparison.add(
      ProfileFindings(episodes: [episode(3, 8, .day3), episode(20, 29, .day7)]),
      ProfileFindings(episodes: [episode(22, 40, .day14)]))
    let total = comparison.total
    checks.expect(0, "1 1 0", total.both, total.only.first, total.only.second)
    checks.expect(1, "1 1", total.later, total.otherLevel)
  }

  /// Sources/VigilAnalysis/Evaluation/DetectionEvaluation.swift
  @Test func detectionEvaluationExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let first = Day("2026-05-01") else { return }
    let anna = UUID(name: "anna")
    let change = LabelledChange(person: anna, metric: MetricType("steps"), days: first...(first + 9))
    let alerts = [4, 30].map { day in
      RaisedAlert(person: anna, metric: MetricType("steps"), openedOn: first + day, level: .day7)
    }
    let evaluation = DetectionEvaluation(of: alerts, against: [change])
    checks.expect(0, "1 5.0", evaluation.total.found, evaluation.total.delays.median.estimate)
    checks.expect(1, "1", evaluation.total.others)
  }

  /// Sources/VigilAnalysis/Explanation/DecisionExplainer.swift
  @Test func decisionExplainerExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-06-01") else { return }
    let steps = MetricThresholds(
      metric: MetricType("steps"), unit: "steps", pattern: .drop,
      rules: [MetricRule(.percentDropAtLeast, 0.25)], plausible: 0...200_000)
    let thresholds = Thresholds(version: "mine", digest: "", metrics: [steps])
    let values: [Double] = Array(repeating: 8_000, count: 27) + [7_000, 7_000, 7_000]
    let series = ExplainedSeries(firstDay: first, values: values)
    let explanation = DecisionExplainer(steps, of: thresholds).explain(series, on: first + 29)
    checks.expect(0, "none", explanation.change)
    if case .valueAtMost(let value)? = explanation.opposite { print(value.rounded()) }  // 4000.0
  }

  /// Sources/VigilAnalysis/Explanation/EvidenceStanding.swift
  @Test func evidenceStandingExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let standing = EvidenceStanding(shift: 1.8, recent: 302, usual: 412, strongest: nil)
    checks.expect(0, "true", standing.shift > 0)
  }

  /// Sources/VigilAnalysis/Statistics/Delays.swift
  @Test func delaysExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let delays = Delays([4, nil, 9, 6])
    checks.expect(0, "3 6.0 inf", delays.found, delays.median.estimate, delays.quantile(0.9).estimate)
  }

  /// Sources/VigilAnalysis/Statistics/ExactInterval.swift
  @Test func exactIntervalExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    let rate = ExactInterval.poisson(count: 10, exposure: 20)
    checks.expect(0, "0.5", rate.estimate)
    let share = ExactInterval.binomial(successes: 81, of: 100, confidence: 0.99)
    checks.expect(1, "true true", share.lower < 0.81, share.upper < 1)
  }
}
