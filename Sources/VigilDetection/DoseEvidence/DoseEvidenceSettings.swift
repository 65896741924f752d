/// The settings of the detector `dose_evidence` (specification, evidence-doses.md section 10).
///
/// ```swift
/// let settings = DoseEvidenceSettings()
/// print(settings.guardCount(eligible: 10), settings.poolSize(eligible: 10))  // 3 7
/// print(settings.fewestObservations, settings.thresholds.threshold(poolSize: 12))  // 10 9.5
/// ```
public struct DoseEvidenceSettings: Hashable, Sendable {
  /// The number of days before an evaluation day from which observations count.
  public var horizonDays = 200
  /// The most observations of the baseline pool.
  public var baselineDays = 160
  /// The fewest observations of the baseline pool; a smaller pool makes a day unknown.
  public var minBaselineDays = 7
  /// The most of the newest observations that are kept out of the pool.
  public var guardDays = 28
  public var doses = Doses()
  public var recovery = Recovery()
  /// The number of days that an episode lasts at most before its level becomes the baseline.
  public var adoptAfterDays = 60
  /// Days without an observation in a row that end an episode with `no_data`.
  public var maxUnknownDays = 14
  /// The fraction of the usual persons whose dose rows may be missing before the feed of doses counts as broken;
  /// nil for any.
  public var feedLimit: Double? = 0.3
  /// The days between a dose and those of its medication on other days from which on it counts as rare.
  public var rareDays = 14
  /// The days after the due day of a rare dose from which on it is an alert that it has no record.
  public var rareAfterDays = 3
  /// The evidence that a day needs to deviate, by the size of its pool, in nats.
  public var thresholds = EvidenceThresholds([7: 8, 10: 9.5, 14: 9.7])

  public init() {}

  /// The weights of doses.
  public struct Doses: Hashable, Sendable {
    /// The missed doses of the prior of the usual share.
    public var priorMissed = 0.2
    /// The taken doses of the prior of the usual share.
    public var priorTaken = 4.8
    /// The prior of how far the misses of one day come together.
    public var dayPrior = 0.5
    /// The weight of that prior, in doses.
    public var dayPriorDoses = 3.0
    /// The weight of the usual share in that of a weekday, in counted doses.
    public var weekdayPriorDoses = 20.0
    /// The weight of no clustering in that of missed days, in counted doses.
    public var runPriorDoses = 2.0
    /// The most that missed days are taken to come together.
    public var mostRun = 0.6
    /// Lengths of the windows that are looked at, in observations.
    public var windows = 3...28
    /// The evidence that a window of one observation with some doses taken must show in addition, in nats; a longer
    /// one less.
    public var shortRun = 10.0
    /// The fewest observations of a window with a missed dose.
    public var missedDays = 3
    /// The fall of the share of taken doses that matters.
    public var fall = 0.2
    /// The share of taken doses below which a smaller fall matters.
    public var low = 0.8
    /// The fall that matters below `low`.
    public var lowFall = 0.1

    public init() {}
  }

  /// When an episode ends (specification, evidence-doses.md section 5).
  public struct Recovery: Hashable, Sendable {
    /// Observations whose doses say whether the change is easing.
    public var recentDays = 3
    /// The evidence for recovery that ends an episode, in nats.
    public var evidence = 4.5
    /// Observations in a row of easing that end an episode.
    public var calmDays = 7
    /// The largest share of missed doses that an episode is taken to have, where the usual one does not ask for
    /// more.
    public var mostLevel = 0.8
    /// The least distance of that share from the usual one.
    public var levelGap = 0.1

    public init() {}
  }

  /// The newest observations that are kept out of the pool where `eligible` count.
  @inline(__always)
  public func guardCount(eligible: Int) -> Int { max(3, min(eligible / 3, guardDays)) }

  /// The size of the pool where `eligible` observations count; 0 where it is too small.
  @inline(__always)
  public func poolSize(eligible: Int) -> Int {
    let size = min(eligible - guardCount(eligible: eligible), baselineDays)
    return size >= minBaselineDays ? size : 0
  }

  /// The fewest observations with which a day can be judged; a least pool above the largest counts as that.
  public var fewestObservations: Int {
    guard minBaselineDays <= baselineDays else { return baselineDays + guardDays }
    var count = minBaselineDays
    while poolSize(eligible: count) == 0 { count += 1 }
    return count
  }
}
