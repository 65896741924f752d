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
    _ metric: MetricType, of person: UUID, _ thresholds: Thresholds, _ reading: ExplanationReading,
    _ storage: any Storage
  ) throws -> (SilenceExplanationReport, SeriesStrip) {
    let (runs, day, first) = try evaluation(by: thresholds, in: storage)
    guard let input = try reading.readSilence(metric, of: person, on: day, from: first) else {
      throw CommandFailure(
        .usage,
        "--metric \(metric): thresholds \(thresholds.version) do not follow silence; add the object"
          + " \(metric) to the file, or give --thresholds v3")
    }
    let run = runs.filter { $0.days.contains(day) }.max { $0.startedAt < $1.startedAt }
    let explanation = SilenceExplainer(input.series, of: thresholds).explain(
      input.days, stored: input.episodes, on: day, from: first,
      brokenFeed: Set(run?.feed?.brokenDays ?? []))
    var report = SilenceExplanationReport(
      explanation, of: person, profile: thresholds.profile)
    let episode = explanation.after ?? explanation.before
    report.alert = input.stored.first { $0.episode.activeSince == episode?.activeSince }
    if let alert = report.alert {
      report.notifications = try notifications(of: alert, in: .live, storage)
      report.shadowNotifications = try notifications(of: alert, in: .shadow, storage)
    }
    report.run = run
    report.externalIDs = try storage.externalIDs(of: report.persons)
    return (report, report.strip(evaluated: runs.lastEvaluatedDays))
  }
}
