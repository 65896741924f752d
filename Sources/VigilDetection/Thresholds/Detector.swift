public import VigilModel

/// The way in which a metric is judged.
public enum Detector: String, Hashable, Sendable, CaseIterable {
  /// The mean of the last days is compared with a baseline (specification, detection.md).
  case means
  /// A change must be real and must matter (specification, evidence.md).
  case evidence
  /// More doses are missed than a person's own misses explain (specification, evidence-doses.md).
  case doseEvidence = "dose_evidence"
}

/// The origin of the thresholds of the detector `evidence`.
///
/// ```swift
/// let calibration = Calibration(openingsPerSeriesYear: 0.13, simulatedSeries: 8_000)
/// print(calibration.simulatedSeries)  // 8000
/// ```
public struct Calibration: Hashable, Sendable {
  /// Episodes that open in a year of a series in which nothing changes.
  public var openingsPerSeriesYear: Double
  /// Simulated series of each metric.
  public var simulatedSeries: Int
  /// The seed of the simulation; nil where it is not known.
  public var seed: Int?
  /// The identity of the simulated population; nil where it is not known.
  public var digest: String?
  /// The population and its origin, in a sentence; nil for none.
  public var source: String?
  /// The false episodes per person-year of all metrics that the thresholds were set for, or the false events
  /// where metrics are followed together; nil where it is not known.
  public var budget: Double?
  /// Episodes of several metrics together that open in a year of a person in whom nothing changes; nil where
  /// it is not known.
  public var combinedOpeningsPerPersonYear: Double?
  /// By metric, the people whose values its priors are fitted to; empty where it is not known.
  public var people: [MetricType: FittedPeople] = [:]
  /// The people whose pauses the prior of silence is fitted to; nil where it is not known.
  public var pauses: FittedPeople?
  /// The people whose doses the priors of missed doses are fitted to; nil where it is not known.
  public var doses: FittedPeople?

  public init(
    openingsPerSeriesYear: Double, simulatedSeries: Int, seed: Int? = nil, digest: String? = nil,
    source: String? = nil
  ) {
    self.openingsPerSeriesYear = openingsPerSeriesYear
    self.simulatedSeries = simulatedSeries
    self.seed = seed
    self.digest = digest
    self.source = source
  }

  /// The people behind the priors of a metric.
  public struct FittedPeople: Hashable, Sendable {
    /// People with enough values.
    public var count: Int
    /// Whether they were enough for a fit; otherwise the priors are those of the profile before.
    public var areEnough: Bool

    public init(count: Int, areEnough: Bool) {
      self.count = count
      self.areEnough = areEnough
    }
  }
}
