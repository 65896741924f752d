public import VigilModel

/// One metric of one real person: the days with a value.
public struct RealSeries: Sendable {
  /// A number for the person, the same in all metrics.
  public var person: Int
  /// The column's name.
  public var metric: String
  /// Ascending.
  public var days: [Day]
  /// In the metric's unit, one for each day.
  public var values: [Double]

  /// - Precondition: as many values as days; days ascend.
  public init(person: Int, metric: String, days: [Day], values: [Double]) {
    precondition(days.count == values.count)
    self.person = person
    self.metric = metric
    self.days = days
    self.values = values
  }
}
