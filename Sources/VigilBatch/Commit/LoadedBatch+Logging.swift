import Foundation
import Logging
import VigilDetection
import VigilModel

extension LoadedBatch {
  /// Logs rejected values and series with a changed source or little history, at level debug.
  func logDataQuality(to logger: Logger) {
    guard logger.logLevel <= .debug else { return }
    for rejection in observations.quality.rejections {
      logger.debug(
        "Value rejected",
        metadata: [
          "person.id": "\(persons[rejection.person].lowercased)", "day": "\(rejection.day)",
          "metric": "\(metrics[rejection.metric].metric)",
          "source": "\(observations.sourceName(rejection.source))",
          "reason": "\(rejection.reason.rawValue)",
        ])
    }
    for series in observations.quality.seriesTraits {
      logger.debug(
        "Series to know about",
        metadata: [
          "person.id": "\(persons[series.person].lowercased)",
          "metric": "\(metrics[series.metric].metric)",
          "trait": "\(series.trait.rawValue)",
        ])
    }
  }
}
