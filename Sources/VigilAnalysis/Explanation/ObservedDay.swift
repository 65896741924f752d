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

    /// The value of a row, with the reason why it does not count.
    ///
    /// - Parameters:
    ///   - rejected: Why the value alone cannot be used; nil where it can.
    ///   - isMissing: Whether the day has no observation of the metric.
    ///   - wear: Whether the device was worn on the day: a usable value of a day without an observation is of a
    ///     day without the device, or of a part of a day.
    public init(
      source: String, value: Double, rejected: DataQuality.Reason?, isMissing: Bool, wear: Wear
    ) {
      let left: DataQuality.Reason? =
        isMissing ? (wear == .partWorn ? .partWorn : .nonWear) : nil
      self.init(source: source, value: value, rejected: rejected ?? left)
    }
  }

  public init(day: Day, rows: [SourceValue]) {
    self.day = day
    self.rows = rows
  }

  /// The rows of one metric of a person by day, with the reasons why values do not count.
  ///
  /// - Parameters:
  ///   - rows: In the order of their days.
  ///   - rejected: By day and source, why a value alone cannot be used: `ObservationBuilder.rejections(ofMetric:)`.
  ///   - series: The observations of the metric.
  ///   - wear: How the device of the person, the first of a block, was worn.
  public static func days(
    of rows: some Sequence<(day: Day, source: String, value: Double)>,
    rejected: [Day: [String: DataQuality.Reason]], in series: ExplainedSeries, wear: WearDays
  ) -> [ObservedDay] {
    var days: [ObservedDay] = []
    for row in rows {
      let value = SourceValue(
        source: row.source, value: row.value, rejected: rejected[row.day]?[row.source],
        isMissing: series[row.day].isNaN, wear: wear.wear(person: 0, day: row.day))
      if days.last?.day == row.day {
        days[days.count - 1].rows.append(value)
      } else {
        days.append(ObservedDay(day: row.day, rows: [value]))
      }
    }
    return days
  }
}
