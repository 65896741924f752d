/// The properties of simulated people that a population's figures do not say.
///
/// The defaults are those of the specification, evidence.md section 11.
public struct SimulationConditions: Hashable, Sendable {
  /// The standard deviation of the slow level, in personal spreads.
  public var wander = 0.20
  /// The days after which a slow level has forgotten two thirds of itself.
  public var wanderDays = 30.0
  /// The amplitude of the yearly wave, in personal spreads.
  public var season = 0.15
  /// Added to the autocorrelation of every person; the sum stays below 0.97.
  public var moreAutocorrelation = 0.0
  /// The share of values that is lost besides what the population's wear says.
  public var lost = 0.0
  /// The mean length of a gap, in days.
  public var meanGap = 2.0
  /// The share of people with a cycle in `cycleMetric`.
  public var cycleShare = 0.3
  public var cycleMetric = "resting_hr"
  /// From the lowest to the highest point of the cycle, in the metric's unit; on the scale `none`.
  public var cycleHeight = 3.8
  /// Each cyclic person has one length, in days.
  public var cycleDays = 26...31
  /// The number of device changes a year; 0 for none.
  public var deviceChangesPerYear = 0.0
  /// The standard deviation by which a new device reads higher or lower, in personal spreads.
  public var deviceBias = 0.75
  /// Whether rows name their device, so that a change of it can be recognized.
  public var devicesAreNamed = true
  /// Whether metrics keep the population's correlation on a day; otherwise they are independent.
  public var metricsAreCorrelated = true
  /// Added to the correlation of each two metrics on a day, in their bad directions.
  public var moreCorrelation = 0.0
  /// The number of metrics that a person has, chosen at random; nil for all.
  public var metricsPerPerson: Int?

  public init() {}
}
