import Foundation
import Logging
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

extension LoadedBatch {
  /// Warns where copies were not what the rows are.
  func logHistory(to logger: Logger) {
    for (subject, made) in history?.made ?? [] where made.differing > 0 {
      logger.warning(
        "Copies of rows differed from the rows; all of them are made anew",
        metadata: [
          "history.subject": "\(subject.rawValue)", "history.compared": "\(made.compared)",
          "history.differing": "\(made.differing)",
        ])
    }
  }

  /// Logs rejected values and series with a changed source or little history, at level debug.
  func logDataQuality(to logger: Logger) {
    guard logger.logLevel <= .debug else { return }
    for rejection in own.input.observations.quality.rejections {
      logger.debug(
        "Value rejected",
        metadata: [
          "person.id": "\(persons[rejection.person].lowercased)", "day": "\(rejection.day)",
          "metric": "\(own.metrics[rejection.metric].metric)",
          "source": "\(own.input.observations.sourceName(rejection.source))",
          "reason": "\(rejection.reason.rawValue)",
        ])
    }
    for series in own.input.observations.quality.seriesTraits {
      logger.debug(
        "Series to know about",
        metadata: [
          "person.id": "\(persons[series.person].lowercased)",
          "metric": "\(own.metrics[series.metric].metric)",
          "trait": "\(series.trait.rawValue)",
        ])
    }
  }
}
