public import VigilDetection
public import VigilModel

/// The decision about one day of a limit of a person, which holds without a baseline (specification, limits.md).
public struct LimitExplanation: Hashable, Sendable {
  public var metric: MetricType
  public var direction: CriticalLimit.Direction
  public var day: Day
  /// Nil on a day without a usable value.
  public var value: Double?
  /// The values of the 14 days up to `day`, oldest first.
  public var values: [DayValue]
  /// The limits that hold on the day.
  public var limits: [Limit]
  /// The episode that was active at the end of the day before.
  public var before: Episode?
  /// The episode that is active at the end of the day, or else the one that ended on it.
  public var after: Episode?
  /// The episodes of the series up to the day, as they stand at its end, by `activeSince`.
  public var episodes: [Episode]
  public var change: Explanation.Change

  /// Whether there is an active episode at the end of the day: the answer that is explained.
  public var isActive: Bool { after?.isActive == true }

  /// A value of a day, in the unit of the metric.
  public struct DayValue: Hashable, Sendable {
    public var day: Day
    public var value: Double
    /// Whether it is beyond a limit that holds on its day; nil where none does.
    public var isBeyond: Bool?
  }

  /// A limit, and who set it.
  public struct Limit: Hashable, Sendable {
    public var limit: CriticalLimit
    /// Nil for a limit of the thresholds, which holds for all persons.
    public var personal: PersonLimit?
  }

  /// The values in a row within the limits that end an alert.
  public var calmValues: Int { max(2, limits.map(\.limit.days).max() ?? 1) }
}

/// Recomputes the decision about a day of a limit, by the same fold as runs.
public struct LimitExplainer {
  public let metric: MetricType
  public let direction: CriticalLimit.Direction
  public let thresholds: Thresholds
  /// The limits that are set for the person.
  public let personal: [PersonLimit]
  /// That of the person for the metric.
  public let sensitivity: Sensitivity

  private static let shownDays = 14

  public init(
    _ metric: MetricType, _ direction: CriticalLimit.Direction, of thresholds: Thresholds,
    personal: [PersonLimit], sensitivity: Sensitivity
  ) {
    self.metric = metric
    self.direction = direction
    self.thresholds = thresholds
    self.personal = personal
    self.sensitivity = sensitivity
  }

  /// Explains the decision about `day`.
  ///
  /// - Parameters:
  ///   - series: The days of the metric of the one person.
  ///   - stored: The episodes that the database holds, in order of `activeSince`.
  ///   - day: The evaluated day.
  ///   - first: The day to follow episodes from; nil where `stored` says what was active before `day`.
  /// - Precondition: The days were read for an evaluation of `day - 1` and `first`, or an earlier one.
  public func explain(
    _ series: ExplainedSeries, stored: [Episode], on day: Day, from first: Day? = nil
  ) -> LimitExplanation {
    let first = min(first ?? day, day - 1)
    let before = folded(series, stored, from: first, through: day - 1).last { $0.isActive }
    let later = folded(series, stored, from: first, through: day)
    let active = later.last { $0.isActive }
    let ended = later.last { $0.resolution?.day == day }
    let values = (day - (Self.shownDays - 1)...day).compactMap {
      day -> LimitExplanation.DayValue? in
      let value = series[day]
      guard !value.isNaN else { return nil }
      let limits = limits(on: day)
      return .init(
        day: day, value: value,
        isBeyond: limits.isEmpty ? nil : limits.contains { $0.limit.isBroken(by: value) })
    }
    return LimitExplanation(
      metric: metric, direction: direction, day: day,
      value: series[day].isNaN ? nil : series[day], values: values, limits: limits(on: day),
      before: before, after: active ?? ended,
      episodes: stored.ended(before: window(from: first, through: day)) + later,
      change: .init(from: before, to: active, ended: ended, on: day))
  }

  private func limits(on day: Day) -> [LimitExplanation.Limit] {
    let shared = sensitivity == .off ? [] : thresholds.criticalLimits
    return shared.filter(isOfSeries).map { .init(limit: $0, personal: nil) }
      + personal.filter { isOfSeries($0.limit) && $0.days.contains(day) }
      .map { .init(limit: $0.limit, personal: $0) }
  }

  private func isOfSeries(_ limit: CriticalLimit) -> Bool {
    limit.metric == metric && limit.direction == direction
  }

  private func window(from first: Day, through last: Day) -> FoldWindow {
    FoldWindow(evaluating: min(first, last)...last, thresholds: thresholds)
  }

  private func folded(
    _ series: ExplainedSeries, _ stored: [Episode], from first: Day, through last: Day
  ) -> [Episode] {
    let window = window(from: first, through: last)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: window.loaded)
    let values = block.series(person: 0, metric: 0)
    for index in values.indices { values[index] = series[window.loaded.lowerBound + index] }
    var result = FoldResult()
    let sensitivities = [0: PersonalSensitivity([metric: sensitivity])]
    BlockLimitFold(metrics: [metric], everybody: thresholds.criticalLimits).fold(
      [LimitSeries(person: 0, metric: metric, pattern: direction.pattern)], of: block,
      personal: [0: personal], sensitivity: sensitivities, over: window,
      stored: stored.isEmpty ? [:] : [0: stored], into: &result)
    return result.episodes.map(\.episode)
  }
}

extension LimitExplanation: ExplainedDecision {
  package var metricType: MetricType { metric }
  package var patternType: PatternType { direction.pattern }
}
