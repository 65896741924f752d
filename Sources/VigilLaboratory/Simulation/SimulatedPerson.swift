/// The true figures of a simulated person, which a detector does not know.
public struct SimulatedPerson: Sendable {
  /// The number that decides, with the seed, everything about this person.
  public var number: Int
  /// One for each metric of the population.
  public var metrics: [Metric]
  /// By metric, whether the person's device measures it.
  public var hasMetric: [Bool]
  /// The height of the person's cycle in half, in the metric's unit; 0 without a cycle.
  public var cycleAmplitude: Double
  /// In days.
  public var cycleLength: Double
  /// The indexes of the days on which the person begins to wear another device, ascending.
  public var deviceChanges: [Int]

  public struct Metric: Sendable {
    /// The mean of `y`.
    public var level: Double
    /// The standard deviation of the days, in the unit of `y`.
    public var spread: Double
    /// In the unit of `y`, Sunday first; their mean is 0.
    public var weekdays: [Double]
    public var autocorrelation: Double
    /// The share of days with a value.
    public var wear: Double
    /// The place of the yearly wave, in radians.
    public var seasonPhase: Double

    public init(
      level: Double, spread: Double, weekdays: [Double], autocorrelation: Double, wear: Double,
      seasonPhase: Double
    ) {
      self.level = level
      self.spread = spread
      self.weekdays = weekdays
      self.autocorrelation = autocorrelation
      self.wear = wear
      self.seasonPhase = seasonPhase
    }
  }
}
