import VigilDetection
import VigilLaboratory

extension ProfileEvents {
  /// The same profile without the series of several metrics together.
  func withoutCombined(named name: String) -> ProfileEvents {
    var thresholds = thresholds
    thresholds.combined = nil
    return ProfileEvents(name, thresholds, metrics: metrics)
  }

  /// Returns the profile with `offset` added to every threshold of evidence, of one metric and of several.
  func withThresholds(raisedBy offset: Double) -> ProfileEvents {
    var thresholds = thresholds
    if let combined = thresholds.combined {
      thresholds.combined?.thresholds = combined.thresholds.mapValues { $0 + offset }
    }
    return ProfileEvents(
      name, thresholds,
      metrics: metrics.map { metric in
        var raised = metric
        if let evidence = metric.evidence {
          raised.evidence?.thresholds = evidence.thresholds.raised(by: offset)
        }
        return raised
      })
  }
}
