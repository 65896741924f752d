import Foundation
import Logging
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

extension LoadedBatch {
  /// Warns where copies of metric rows were not what the rows are.
  func logHistory(to logger: Logger) {
    guard let history, history.differing > 0 else { return }
    logger.warning(
      "Copies of metric rows differed from the rows; all of them are made anew",
      metadata: [
        "history.compared": "\(history.compared)", "history.differing": "\(history.differing)",
      ])
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
