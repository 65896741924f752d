import VigilDetection
public import VigilLaboratory
import VigilModel

extension ProfileEvents {
  /// The metrics of the people of `Population.uniform`, in their order.
  public static let twoMetrics = ["steps", "resting_hr"]

  /// Two metrics that are easily proven, alone and together.
  public static let ofTwoMetrics: ProfileEvents = {
    func metric(_ name: String, _ pattern: PatternType, _ transform: MetricEvidence.Transform)
      -> MetricThresholds
    {
      MetricThresholds(
        metric: MetricType(name), unit: "", pattern: pattern,
        rules: [MetricRule(pattern == .drop ? .percentDropAtLeast : .percentRiseAtLeast, 0)],
        evidence: MetricEvidence(
          transform: transform, priorSpread: pattern == .drop ? 10 : 2, priorAutocorrelation: 0.3,
          thresholds: EvidenceThresholds([10: 3.3])))
    }
    var thresholds = Thresholds(
      version: "test", digest: "",
      metrics: [metric("resting_hr", .rise, .none), metric("steps", .drop, .squareRoot)])
    var combined = CombinedSettings()
    combined.metrics = twoMetrics.map { MetricType($0) }
    combined.thresholds = [2: 2.6]
    thresholds.combined = combined
    return ProfileEvents("test", thresholds: thresholds, order: twoMetrics)
  }()
}

extension Corpus {
  /// A year of people in whom nothing changes.
  public static func quiet() async -> Corpus {
    await Corpus(Simulator(population: .uniform(), seed: 3), people: 0..<120, dayCount: 365)
  }
}
