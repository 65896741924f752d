/// The limit and the value that an alert of a limit opened with (specification, limits.md section 3); fixed from then on.
///
/// ```swift
/// guard let day = Day("2026-05-24") else { return }
/// let evidence = LimitEvidence(openedOn: day, days: 1, value: 88, limit: 90, level: .day7)
/// print(evidence.openedOn, evidence.value)  // 2026-05-24 88.0
/// ```
public struct LimitEvidence: Hashable, Sendable {
  /// The day on which the rule was met.
  public var openedOn: Day
  /// The values in a row that it took.
  public var days: Int
  /// The value of that day, in the unit of the metric.
  public var value: Double
  /// The limit, in the unit of the metric.
  public var limit: Double
  /// The level with which the alert opened.
  public var level: AlertLevel

  public init(openedOn: Day, days: Int, value: Double, limit: Double, level: AlertLevel) {
    self.openedOn = openedOn
    self.days = days
    self.value = value
    self.limit = limit
    self.level = level
  }
}

extension EpisodeFigures {
  /// The figures of a day beyond a limit: the limit stands in the place of what is usual, and there is no deviation.
  ///
  /// - Parameters:
  ///   - value: The value of the day.
  ///   - limit: The limit of the day.
  ///   - day: The day.
  ///   - first: The first day of the alert.
  public init(_ value: Double, beyond limit: Double, on day: Day, since first: Day) {
    self.init(
      baseline: Window(value: limit, start: first, end: first, count: 1),
      recent: Window(value: value, start: day, end: day, count: 1), deviation: nil)
  }
}
