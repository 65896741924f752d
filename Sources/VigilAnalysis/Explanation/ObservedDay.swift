public import VigilDetection
public import VigilModel

/// The values that the sources have of a metric on a day.
public struct ObservedDay: Hashable, Sendable {
  public var day: Day
  public var rows: [SourceValue]

  public struct SourceValue: Hashable, Sendable {
    public var source: String
    /// In the metric's unit; may be infinite.
    public var value: Double
    /// The reason why it counts as missing; nil where it does not.
    public var rejected: DataQuality.Reason?

    public init(source: String, value: Double, rejected: DataQuality.Reason? = nil) {
      self.source = source
      self.value = value
      self.rejected = rejected
    }
  }

  public init(day: Day, rows: [SourceValue]) {
    self.day = day
    self.rows = rows
  }
}
