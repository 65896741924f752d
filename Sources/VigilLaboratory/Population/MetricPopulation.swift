/// The distribution of one metric in a population: how people differ, and how the days of a person do.
///
/// Level, spread and residuals are on the metric's scale (`y`), see `Scale`.
public struct MetricPopulation: Hashable, Sendable, Codable {
  /// The column's name, such as `steps`.
  public var metric: String
  public var scale: Scale
  /// -1 where a drop is bad, +1 where a rise is.
  public var badDirection: Double
  /// The people whose series were fitted; 0 where the figures are assumed.
  public var people: Int
  /// The observations of these people.
  public var observations: Int
  /// The source of assumed figures; nil where all were fitted.
  public var assumed: String?

  /// The mean of `y` of a person.
  public var level: QuantileTable
  /// The standard deviation of a person's days, weekday effects taken away.
  public var spread: QuantileTable
  /// The correlation of a day with the next, above -1, below 1.
  public var autocorrelation: QuantileTable
  /// The share of days with a value.
  public var wear: QuantileTable
  /// The correlation of wear, level, spread and autocorrelation, in this order, between people; of
  /// normal scores, row by row.
  public var traitCorrelation: [[Double]]

  /// The mean effect of each weekday, Sunday first, in personal spreads.
  public var weekdayMean: [Double]
  /// The standard deviation of each weekday's effect between people, in personal spreads.
  public var weekdaySpread: [Double]
  /// The residuals of all people together, in personal spreads: mean 0, standard deviation 1.
  public var residuals: QuantileTable

  /// The step that devices round to, in the metric's unit; 0 for none.
  public var step: Double
  /// The least and the greatest value that a device reports.
  public var limits: [Double]
}
