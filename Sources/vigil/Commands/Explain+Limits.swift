import Foundation
import VigilAnalysis
import VigilBatch
import VigilCharts
import VigilDetection
import VigilModel
import VigilReport
import VigilStorage

extension Explain {
  /// The report on a limit of a metric, and its strip.
  ///
  /// - Parameter thresholds: Those of all persons: a limit is no matter of sensitivity.
  func reportLimit(
    _ direction: CriticalLimit.Direction, of person: UUID, _ thresholds: Thresholds,
    _ sensitivity: PersonalSensitivity, _ reading: ExplanationReading, _ storage: any Storage
  ) throws -> (LimitExplanationReport, SeriesStrip) {
    let metric = try metric(in: thresholds)
    let evaluated = try evaluatedDays(reading, in: storage)
    let (day, first) = (evaluated.day, evaluated.first)
    let input = try reading.read(metric, of: person, on: day, from: first)
    let stored = input.storedLimits.filter {
      $0.series.metric == metric.metric && $0.series.pattern == direction.pattern
    }
    let explanation = LimitExplainer(
      metric.metric, direction, of: thresholds, personal: input.limits,
      sensitivity: sensitivity[metric.metric]
    ).explain(input.series, stored: stored.map(\.episode), on: day, from: first)
    var report = LimitExplanationReport(
      explanation,
      of: ExplainedPerson(person, by: thresholds.profile, sensitivity[metric.metric]))
    try read(
      &report.stored, of: explanation.after ?? explanation.before, of: person, among: stored,
      evaluated, reading, storage)
    let strip = report.strip(of: input.series, evaluated: evaluated.runs.lastEvaluatedDays)
    report.chart = strip.values.isEmpty ? nil : strip.terminalText(width: 79)
    return (report, strip)
  }
}
