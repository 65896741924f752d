public import VigilModel

extension ObservationBuilder {
  /// By day and source, why values of a metric cannot be used.
  ///
  /// - Parameter metric: The place of the metric; the block has one person.
  public func rejections(ofMetric metric: Int) -> [Day: [String: DataQuality.Reason]] {
    var rejected: [Day: [String: DataQuality.Reason]] = [:]
    for rejection in quality.rejections where rejection.metric == metric {
      rejected[rejection.day, default: [:]][sourceName(rejection.source)] = rejection.reason
    }
    return rejected
  }
}
