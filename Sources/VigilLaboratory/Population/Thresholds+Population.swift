public import VigilDetection
import VigilModel

extension Thresholds {
  /// The profile without doses, and without the metrics that a population lacks.
  public func watching(only population: Population) -> Thresholds {
    var narrowed = self
    narrowed.metrics = wearableMetrics.filter { population.index(of: $0.metric.rawValue) != nil }
    return narrowed
  }
}
