import VigilDetection
import VigilLaboratory

extension ProfileDetector {
  /// Returns the profile with `offset` added to every threshold of evidence.
  ///
  /// A profile of means stays as it is.
  func withThresholds(raisedBy offset: Double) -> ProfileDetector {
    var raised = self
    for index in raised.metrics.indices {
      guard let evidence = raised.metrics[index].evidence else { continue }
      raised.metrics[index].evidence?.thresholds = evidence.thresholds.raised(by: offset)
    }
    return raised
  }
}

extension EvidenceThresholds {
  func raised(by offset: Double) -> EvidenceThresholds {
    EvidenceThresholds(
      Dictionary(
        uniqueKeysWithValues: knots.map { ($0.poolSize, $0.threshold + offset) }))
  }
}
