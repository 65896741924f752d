public import VigilModel

/// The content of a sentence about an alert: no more than its figures show.
///
/// Messages, lists, pages and explanations all make their sentences from it, in the `Words` of a language.
public struct AlertSummary: Hashable, Sendable {
  public var metric: MetricType
  /// The days that the alert counts, from its first one to the last that deviated.
  public var days: Int
  public var change: Change

  public enum Change: Hashable, Sendable {
    /// The values of one metric beside what is usual.
    case value(ValueChange, Size)
    /// Several metrics together, the one with most evidence first.
    case together([MetricType])
    /// Missed doses.
    case doses(Doses)
    /// No sign of life, or no check-in.
    case silence
    /// Something about one medication on each of the days.
    case medication
    /// Values beyond a limit that holds without a baseline.
    case limit(Limit)
  }

  /// A limit, as far as it may be said.
  public struct Limit: Hashable, Sendable {
    public var direction: CriticalLimit.Direction
    /// The last value beyond the limit; nil where values may not be said.
    public var value: LimitValue?

    public init(_ direction: CriticalLimit.Direction, value: LimitValue? = nil) {
      self.direction = direction
      self.value = value
    }

    /// - Parameter pattern: That of an alert of a limit; nil is returned for others.
    public init?(_ pattern: PatternType) {
      guard let direction = CriticalLimit.Direction.allCases.first(where: { $0.pattern == pattern })
      else { return nil }
      self.init(direction)
    }
  }

  /// A value beyond a limit, in the metric's unit.
  public struct LimitValue: Hashable, Sendable {
    public var value: Double
    public var limit: Double
    public var day: Day

    public init(_ value: Double, beyond limit: Double, on day: Day) {
      self.value = value
      self.limit = limit
      self.day = day
    }
  }

  /// The size of a change, as far as it may be said.
  public struct Size: Hashable, Sendable {
    /// As a fraction of what is usual.
    public var deviation: Double?
    /// Nil where values may not be said.
    public var values: Values?
    public var window: Window

    public init(deviation: Double?, values: Values? = nil, window: Window = .newest) {
      self.deviation = deviation
      self.values = values
      self.window = window
    }
  }

  /// A mean of new values and the usual one, in the metric's unit.
  public struct Values: Hashable, Sendable {
    public var recent: Double
    public var usual: Double

    public init(recent: Double, usual: Double) {
      self.recent = recent
      self.usual = usual
    }
  }

  /// The values that a size is of.
  public enum Window: Hashable, Sendable {
    /// The values of the last day that deviated, with the days just before it.
    case newest
    /// The values of so many days up to today.
    case days(Int)
    /// The values that opened the alert, on an earlier day.
    case atFirst
  }

  /// The counts of missed doses.
  public struct Doses: Hashable, Sendable {
    /// Nil where it is not known for the days that are spoken of.
    public var counts: (missed: Int, expected: Int)? {
      guard let missed, let expected else { return nil }
      return (missed, expected)
    }
    private var missed: Int?
    private var expected: Int?
    public var usual: UsualMisses
    /// Whether any dose was recorded; otherwise the recording may have stopped.
    public var isRecorded: Bool
    /// The first day of the counts; nil where dates are left out.
    public var since: Day?
    /// The last day of the counts, where that is an earlier one.
    public var until: Day?

    public init(
      counts: (missed: Int, expected: Int)?, usual: UsualMisses, isRecorded: Bool,
      since: Day? = nil, until: Day? = nil
    ) {
      (missed, expected) = (counts?.missed, counts?.expected)
      self.usual = usual
      self.isRecorded = isRecorded
      self.since = since
      self.until = until
    }
  }

  public init(metric: MetricType, days: Int, change: Change) {
    self.metric = metric
    self.days = days
    self.change = change
  }

  /// The content of an alert, with its values.
  ///
  /// - Parameters:
  ///   - alert: The alert, with the figures of its last day that deviated, or of its opening where evidence opened it.
  ///   - limit: The absolute limit below which the values of its metric deviate; nil where none is known.
  public init(_ alert: PatternAlertState, limit: Double? = nil) {
    self.init(
      alert.episode, of: alert.series.metric, alert.series.pattern, limit: limit)
  }

  /// The content of an episode, with its values.
  public init(
    _ episode: Episode, of metric: MetricType, _ pattern: PatternType, limit: Double? = nil
  ) {
    self.init(
      metric: metric, days: episode.duration,
      change: Self.change(of: episode, pattern, limit: limit))
  }

  private static func change(
    of episode: Episode, _ pattern: PatternType, limit: Double?
  ) -> Change {
    if pattern == .medication { return .medication }
    if pattern == .silence { return .silence }
    if var own = Limit(pattern) {
      let figures = episode.figures
      own.value = LimitValue(
        figures.recent.value, beyond: figures.baseline.value, on: figures.recent.end)
      return .limit(own)
    }
    if let combined = episode.combined {
      return .together(combined.contributions.map(\.metric))
    }
    let isOfToday = episode.opening.map { $0.openedOn >= episode.lastDeviating } ?? true
    if let doses = episode.doses {
      return .doses(
        Doses(
          counts: (doses.missed, doses.expected), usual: UsualMisses(doses.anchor),
          isRecorded: doses.recordedOn != nil, since: episode.activeSince,
          until: isOfToday ? nil : doses.openedOn))
    }
    let figures = episode.figures
    let window: Window =
      isOfToday ? episode.opening?.windowDays.map(Window.days) ?? .newest : .atFirst
    return .value(
      ValueChange(figures, of: pattern, limit: limit),
      Size(
        deviation: figures.deviation,
        values: Values(recent: figures.recent.value, usual: figures.baseline.value), window: window)
    )
  }
}
