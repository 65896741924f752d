import Foundation
import Logging
import VigilDetection
import VigilModel
import VigilPipeline

extension LoadedBatch {
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
