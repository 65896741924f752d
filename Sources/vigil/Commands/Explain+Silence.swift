import Foundation
import VigilAnalysis
import VigilBatch
import VigilCharts
import VigilDetection
import VigilModel
import VigilReport
import VigilStorage

extension Explain {
  /// The report on a series of silence, and its strip.
  func reportSilence(
    _ metric: MetricType, of person: UUID, _ thresholds: Thresholds,
    _ sensitivity: PersonalSensitivity, _ reading: ExplanationReading, _ storage: any Storage
  ) throws -> (SilenceExplanationReport, SeriesStrip) {
    let evaluated = try evaluatedDays(reading, in: storage)
    let (day, first) = (evaluated.day, evaluated.first)
    guard let input = try reading.readSilence(metric, of: person, on: day, from: first) else {
      throw CommandFailure(
        .usage,
        "--metric \(metric): thresholds \(thresholds.version) do not follow silence; add the object"
          + " \(metric) to the file, or give --thresholds v3")
    }
    let explanation = SilenceExplainer(input.series, of: thresholds).explain(
      input.days, stored: input.episodes, on: day, from: first,
      brokenFeed: Set(evaluated.run?.feed?.brokenDays ?? []))
    var report = SilenceExplanationReport(
      explanation, of: ExplainedPerson(person, by: thresholds.profile, sensitivity[metric]))
    try read(
      &report.stored, of: explanation.after ?? explanation.before, of: person,
      among: input.stored, evaluated, reading, storage)
    return (report, report.strip(evaluated: evaluated.runs.lastEvaluatedDays))
  }
}
