import VigilDetection
import VigilModel
import VigilStorage

extension DataQuality {
  /// What a run records of it.
  ///
  /// - Parameter metrics: Those of the block, in its order.
  func counts(of metrics: [MetricType]) -> [DataQualityCount] {
    var counts: [DataQualityCount] = []
    for (index, metric) in metrics.enumerated() {
      for reason in Reason.allCases {
        let count = count(metric: index, reason: reason)
        if count > 0 {
          counts.append(DataQualityCount(metric: metric, reason: reason.rawValue, count: count))
        }
      }
    }
    if nonWearDays > 0 {
      counts.append(
        DataQualityCount(metric: nil, reason: Reason.nonWear.rawValue, count: nonWearDays))
    }
    return counts
  }
}
