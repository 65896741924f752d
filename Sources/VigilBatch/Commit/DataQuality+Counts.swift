import VigilDetection
import VigilModel
import VigilStorage

extension DataQuality {
  /// The counts that a run records.
  ///
  /// - Parameter metrics: Those of the block, in its order.
  func counts(of metrics: [MetricType]) -> [DataQualityCount] {
    var counts: [DataQualityCount] = []
    for (index, metric) in metrics.enumerated() {
      let ofReasons = Reason.allCases.map { ($0.rawValue, count(metric: index, reason: $0)) }
      let ofTraits = Trait.allCases.map { ($0.rawValue, count(metric: index, trait: $0)) }
      for (reason, count) in ofReasons + ofTraits where count > 0 {
        counts.append(DataQualityCount(metric: metric, reason: reason, count: count))
      }
    }
    for (reason, count) in [(Reason.nonWear, nonWearDays), (.partWorn, partWornDays)]
    where count > 0 {
      counts.append(DataQualityCount(metric: nil, reason: reason.rawValue, count: count))
    }
    return counts
  }
}
