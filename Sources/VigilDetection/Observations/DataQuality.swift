public import VigilModel

/// The faults of the observations of a block, and the values that were left out.
public struct DataQuality: Sendable {
  /// The reason why a value, or a day, was treated as missing.
  public enum Reason: String, Sendable, CaseIterable {
    /// Plus or minus infinity; NaN is a missing value.
    case notFinite = "not_finite"
    /// Outside the profile's plausible range.
    case implausible
    /// Of a day on which the device was not worn.
    case nonWear = "non_wear"
    /// Of a day on which it was worn for some hours only.
    case partWorn = "part_worn"
  }

  /// A property of a series whose values are all good.
  public enum Trait: String, Sendable, CaseIterable {
    /// Observations within the horizon of the last day, but fewer than `min_total_days`: that day
    /// cannot be judged.
    case insufficientHistory = "insufficient_history"
    /// Two days with values, one after the other, without a common source: perhaps another device,
    /// which measures differently.
    case sourceChanged = "source_changed"
  }

  /// A value that was treated as missing; the value itself is not kept.
  public struct Rejection: Hashable, Sendable {
    public var person: Int
    public var day: Day
    public var metric: Int
    public var source: Int
    public var reason: Reason
  }

  /// A trait of the series of one metric of one person.
  public struct SeriesTrait: Hashable, Sendable {
    public var person: Int
    public var metric: Int
    public var trait: Trait
  }

  /// By metric, values rejected for each reason.
  private var counts: [[Reason: Int]]
  /// By metric, series with each trait.
  private var traitCounts: [[Trait: Int]]
  public private(set) var nonWearDays = 0
  /// Days of which steps or minutes of movement are missing.
  public private(set) var partWornDays = 0
  /// In the order in which they were found.
  public private(set) var rejections: [Rejection] = []
  /// In the order in which they were found; a series has a trait once.
  public private(set) var seriesTraits: [SeriesTrait] = []

  init(metricCount: Int) {
    counts = Array(repeating: [:], count: metricCount)
    traitCounts = Array(repeating: [:], count: metricCount)
  }

  mutating func reject(_ reason: Reason, metric: Int, person: Int, day: Day, source: Int) {
    counts[metric][reason, default: 0] += 1
    rejections.append(
      Rejection(person: person, day: day, metric: metric, source: source, reason: reason))
  }

  mutating func addNonWearDay() {
    nonWearDays += 1
  }

  mutating func addPartWornDay() {
    partWornDays += 1
  }

  mutating func add(_ trait: Trait, metric: Int, person: Int) {
    traitCounts[metric][trait, default: 0] += 1
    seriesTraits.append(SeriesTrait(person: person, metric: metric, trait: trait))
  }

  public func count(metric: Int, reason: Reason) -> Int { counts[metric][reason] ?? 0 }

  /// Persons whose series of a metric has a trait.
  public func count(metric: Int, trait: Trait) -> Int { traitCounts[metric][trait] ?? 0 }
}

#if VIGIL_CHECK_INVARIANTS
  extension DataQuality {
    /// Stops the process where the counts are not those of what was found.
    func _checkInvariants() {
      precondition(
        counts.reduce(0) { $0 + $1.values.reduce(0, +) } == rejections.count,
        "rejections are counted that are not there, or the other way round")
      precondition(
        traitCounts.reduce(0) { $0 + $1.values.reduce(0, +) } == seriesTraits.count,
        "traits are counted that are not there, or the other way round")
      precondition(Set(seriesTraits).count == seriesTraits.count, "a series has a trait twice")
    }
  }
#else
  extension DataQuality {
    @inline(__always)
    func _checkInvariants() {}
  }
#endif
