/// The settings of the `evidence` detector (specification, evidence.md section 10).
///
/// ```swift
/// var settings = EvidenceSettings()
/// settings.windows = [3, 7, 14, 28]
/// print(settings.guardCount(eligible: 60), settings.guardCount(eligible: 200))  // 20 28
/// print(settings.fewestObservations)  // 14
/// ```
public struct EvidenceSettings: Hashable, Sendable {
  /// The number of days before an evaluation day from which observations count.
  public var horizonDays = 200
  /// The most observations of the baseline pool.
  public var baselineDays = 120
  /// The fewest observations of the baseline pool; a smaller pool makes a day unknown.
  public var minBaselineDays = 10
  /// The most of the newest observations that are kept out of the pool.
  public var guardDays = 28
  /// Lengths of the windows that are looked at, in observations; ascending.
  public var windows = [3, 4, 5, 7, 10, 14, 21, 28]
  /// The distance at which the values of a window may lie, in days for each observation.
  public var spanFactor = 2.0
  /// The shift of level that is no concern, in personal spreads.
  public var driftAllowance = 0.15
  /// The most that one day can count, in personal spreads.
  public var clip = 3.0
  /// The share of the estimated shift that the mean of a window must show.
  public var held = 0.5
  /// The weight of the metric's spread in a person's, in observations.
  public var spreadPriorDays = 12.0
  /// The least personal spread, as a fraction of the metric's.
  public var spreadFloor = 0.35
  /// The weight of no effect in the effect of a weekday, in observations.
  public var weekdayPriorDays = 6.0
  /// The weight of the metric's autocorrelation in a person's, in pairs of days.
  public var autocorrelationPriorDays = 150.0
  /// The largest autocorrelation.
  public var mostAutocorrelation = 0.95
  /// The weight of the expected noise in a person's, in pairs of days.
  public var noisePriorDays = 30.0
  public var recovery = Recovery()
  /// The number of days that an episode lasts at most before its level becomes the baseline.
  public var adoptAfterDays = 60
  /// Days without a value in a row that end an episode with `no_data`.
  public var maxUnknownDays = 14

  public init() {}

  /// When an episode ends (specification, evidence.md section 5).
  public struct Recovery: Hashable, Sendable {
    /// Observations whose mean says whether the change is easing.
    public var recentDays = 3
    /// The evidence for recovery that ends an episode, in nats.
    public var evidence = 3.5
    /// Observations in a row of easing that end an episode.
    public var calmDays = 7
    /// Bounds of the shift that an episode is taken to have, in personal spreads.
    public var levels = 1.0...2.0

    public init() {}

    init(levels: ClosedRange<Double>) { self.levels = levels }
  }

  /// The newest observations that are kept out of the pool where `eligible` count.
  @inline(__always)
  public func guardCount(eligible: Int) -> Int {
    max(min(3, guardDays), min(eligible / 3, guardDays))
  }

  /// The size of the pool where `eligible` observations count; 0 where it is too small.
  @inline(__always)
  public func poolSize(eligible: Int) -> Int {
    let size = min(eligible - guardCount(eligible: eligible), baselineDays)
    return size >= minBaselineDays ? size : 0
  }

  /// The largest autocorrelation that can be found where `prior` is the metric's.
  func mostAutocorrelation(prior: Double) -> Double {
    // a + (1 + 3 a) / max(P, 4) is at most 1 + 4 / P.
    let pairs = Double(baselineDays - 1)
    let weight = autocorrelationPriorDays
    return min((pairs + 4 + weight * prior) / (pairs + weight), mostAutocorrelation)
  }

  /// The fewest observations with which a day can be judged; a least pool above the largest counts as that.
  public var fewestObservations: Int {
    guard minBaselineDays <= baselineDays else { return baselineDays + guardDays }
    var count = minBaselineDays
    while poolSize(eligible: count) == 0 { count += 1 }
    return count
  }
}

/// The settings of the `evidence` detector that each metric has for itself.
///
/// ```swift
/// let steps = MetricEvidence(
///   transform: .squareRoot, priorSpread: 23.4, priorAutocorrelation: 0.13,
///   thresholds: EvidenceThresholds([10: 4.58, 60: 4.37, 120: 4.2]))
/// print(steps.thresholds.threshold(poolSize: 75))  // 4.37
/// ```
public struct MetricEvidence: Hashable, Sendable {
  public var transform: Transform
  /// The usual personal spread, in the unit of the transformed values.
  public var priorSpread: Double
  /// The usual correlation of a day with the day before.
  public var priorAutocorrelation: Double
  public var thresholds: EvidenceThresholds

  public init(
    transform: Transform, priorSpread: Double, priorAutocorrelation: Double,
    thresholds: EvidenceThresholds
  ) {
    self.transform = transform
    self.priorSpread = priorSpread
    self.priorAutocorrelation = priorAutocorrelation
    self.thresholds = thresholds
  }

  /// The scale on which the values of a metric are compared.
  public enum Transform: String, Hashable, Sendable, CaseIterable {
    case none
    case squareRoot = "sqrt"
    /// The natural logarithm; values below 1 count as 1.
    case logarithm = "log"
  }
}

/// The evidence that a day needs to deviate, by the size of its baseline pool.
public struct EvidenceThresholds: Hashable, Sendable {
  /// Ascending by size.
  public let knots: [Knot]
  /// The knots before they were moved for a person.
  private let usual: [Knot]

  /// The threshold from a size of the pool on.
  public struct Knot: Hashable, Sendable {
    public var poolSize: Int
    public var threshold: Double
  }

  /// - Parameter thresholds: By size of the pool; not empty.
  public init(_ thresholds: [Int: Double]) {
    precondition(!thresholds.isEmpty)
    knots = thresholds.map { Knot(poolSize: $0.key, threshold: $0.value) }
      .sorted { $0.poolSize < $1.poolSize }
    usual = knots
  }

  private init(_ knots: [Knot], usual: [Knot]) {
    (self.knots, self.usual) = (knots, usual)
  }

  /// The same, asking for `amount` more evidence of the metric alone; at least a tenth.
  func moved(by amount: Double) -> EvidenceThresholds {
    EvidenceThresholds(
      knots.map { Knot(poolSize: $0.poolSize, threshold: max($0.threshold + amount, 0.1)) },
      usual: usual)
  }

  /// The threshold of the largest knot up to `poolSize`; of a smaller pool that of the first.
  ///
  /// - Complexity: O(knots).
  public func threshold(poolSize: Int) -> Double { Self.threshold(poolSize, in: knots) }

  private static func threshold(_ poolSize: Int, in knots: [Knot]) -> Double {
    (knots.last { $0.poolSize <= poolSize } ?? knots[0]).threshold
  }

  /// The factor by which the evidence of a metric is believed beside others, at most 1: less with a short baseline
  /// (specification, evidence-person.md section 2).
  func trust(poolSize: Int) -> Double {
    usual[usual.count - 1].threshold / Self.threshold(poolSize, in: usual)
  }

  /// The least threshold of all sizes.
  public var least: Double { knots.map(\.threshold).min() ?? .infinity }
}
