/// Slow twin of the `evidence` detector for one series: evidence.md word by word.
///
/// Every day is computed from the whole series and from the episodes before it; nothing is carried
/// from one day to the next. Days are numbers, days since 1970-01-01. A series holds at most one
/// value a day, in the order of days, merged and cleaned (section 1).
public struct ReferenceEvidence: Sendable {
  /// The keys of evidence.md section 10 that are the same for all metrics.
  public var settings: Settings
  /// The keys of one metric.
  public var metric: Metric

  public init(settings: Settings = Settings(), metric: Metric) {
    self.settings = settings
    self.metric = metric
  }

  /// The past of a series, as far as a day depends on it.
  public struct Past: Sendable {
    /// The earlier days are not eligible; nil without adoption and device change.
    public var baselineSince: Int?
    /// Whether `baselineSince` is that of a device change.
    public var isRecalibrating: Bool
    /// Days inside episodes that ended as `recovered` or `no_data`.
    public var excluded: [ClosedRange<Int>]
    /// The day on which the last episode ended, for whatever reason.
    public var lastResolvedOn: Int?

    public init(
      baselineSince: Int? = nil, isRecalibrating: Bool = false,
      excluded: [ClosedRange<Int>] = [], lastResolvedOn: Int? = nil
    ) {
      self.baselineSince = baselineSince
      self.isRecalibrating = isRecalibrating
      self.excluded = excluded
      self.lastResolvedOn = lastResolvedOn
    }
  }

  /// The day of the week, 0 for Sunday; 1970-01-01 was a Thursday.
  public static func weekday(_ day: Int) -> Int {
    let remainder = (day + 4) % 7
    return remainder < 0 ? remainder + 7 : remainder
  }

  /// `clamp(v, a, b) = max(a, min(b, v))` of section 1.
  static func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double {
    max(low, min(high, value))
  }

  static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }
}
