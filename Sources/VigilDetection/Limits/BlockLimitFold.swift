public import VigilModel

/// Follows the limits of a block of persons, which hold without a baseline (specification, limits.md).
///
/// ```swift
/// guard let first = Day("2026-05-01") else { return }
/// let days = first...(first + 29)
/// let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
/// for index in 0..<30 { block.series(person: 0, metric: 0)[index] = index < 28 ? 97 : 88 }
/// let limit = CriticalLimit(metric: MetricType("spo2_avg_pct"), .below, 90)
/// let series = LimitSeries(person: 0, metric: limit.metric, pattern: .belowLimit)
/// var result = FoldResult()
/// BlockLimitFold(metrics: [limit.metric], everybody: [limit])
///   .fold([series], of: block, over: FoldWindow(wholeHistory: days), into: &result)
/// let episode = result.episodes[0].episode
/// print(episode.activeSince, episode.duration, episode.level)  // 2026-05-29 2 day7
/// ```
public struct BlockLimitFold: Sendable {
  /// The metrics of the blocks, in their order.
  private let metrics: [MetricType]
  private let everybody: [CriticalLimit]

  /// - Parameters:
  ///   - metrics: Those of the blocks, in their order.
  ///   - everybody: The limits that hold for all persons.
  public init(metrics: [MetricType], everybody: [CriticalLimit]) {
    self.metrics = metrics
    self.everybody = everybody
  }

  /// Returns the series of persons that have a limit, in order; of others there is nothing to follow.
  ///
  /// - Parameters:
  ///   - personCount: The persons of the block.
  ///   - personal: By person, the limits that are set for them alone.
  ///   - sensitivity: By person; a metric that is off has no limit that holds for all persons, but keeps those of the
  ///     person.
  ///   - stored: The series that have a stored alert.
  public func series(
    personCount: Int, personal: [Int: [PersonLimit]],
    sensitivity: [Int: PersonalSensitivity] = [:], stored: some Sequence<LimitSeries>
  ) -> [LimitSeries] {
    guard !everybody.isEmpty || !personal.isEmpty else { return stored.sorted() }
    var series = Set(stored)
    for (person, limits) in personal {
      for own in limits where metrics.contains(own.limit.metric) {
        series.insert(LimitSeries(own.limit, of: person))
      }
    }
    for limit in everybody where metrics.contains(limit.metric) {
      for person in 0..<personCount where sensitivity[person]?[limit.metric] != .off {
        series.insert(LimitSeries(limit, of: person))
      }
    }
    return series.sorted()
  }

  /// Folds series over `window`; the index of a series is its place.
  ///
  /// - Parameters:
  ///   - series: Those to follow, in order.
  ///   - block: The observations.
  ///   - personal: By person, the limits that are set for them alone.
  ///   - sensitivity: By person; of those without one the profile decides.
  ///   - window: The days to evaluate.
  ///   - stored: By place of a series, the episodes that the database holds and that were active or touched since the
  ///     first loaded day; in order of `activeSince`.
  ///   - result: Emptied first.
  /// - Precondition: `block.days` is `window.loaded`.
  /// - Complexity: O(series * days).
  public func fold(
    _ series: [LimitSeries], of block: ObservationBlock, personal: [Int: [PersonLimit]] = [:],
    sensitivity: [Int: PersonalSensitivity] = [:], over window: FoldWindow,
    stored: [Int: [Episode]] = [:], into result: inout FoldResult
  ) {
    result.removeAll()
    guard !series.isEmpty else { return }
    precondition(block.days == window.loaded)
    for (index, own) in series.enumerated() {
      let known = stored[index] ?? []
      guard let metric = metrics.firstIndex(of: own.metric) else {
        result.unjudgedSeries.insert(index)
        continue
      }
      let values = UnsafeBufferPointer(block.series(person: own.person, metric: metric))
      let hasValues = values.contains { !$0.isNaN }
      // An alert whose device fell silent before the loaded days ends; of others nothing is known.
      let isSilent = known.contains {
        $0.isActive && $0.lastDeviating < window.loaded.lowerBound
      }
      guard hasValues || isSilent else {
        if !known.isEmpty { result.unjudgedSeries.insert(index) }
        continue
      }
      let limits = limits(of: own, personal, sensitivity)
      var fold = LimitFold(
        limits, values: values, window: window, stored: known, seriesIndex: index)
      fold.run(into: &result)
    }
    result._checkInvariants()
  }

  private func limits(
    of series: LimitSeries, _ personal: [Int: [PersonLimit]],
    _ sensitivity: [Int: PersonalSensitivity]
  ) -> [DatedLimit] {
    let isOff = sensitivity[series.person]?[series.metric] == .off
    let shared = isOff ? [] : everybody.filter { LimitSeries($0, of: series.person) == series }
    let own = (personal[series.person] ?? []).filter {
      LimitSeries($0.limit, of: series.person) == series
    }
    return shared.map { DatedLimit(limit: $0, days: nil) }
      + own.map { DatedLimit(limit: $0.limit, days: $0.days) }
  }
}

/// A series of limits: a metric of a person of a block, and the bad side.
public struct LimitSeries: Hashable, Comparable, Sendable {
  /// The place of the person.
  public var person: Int
  public var metric: MetricType
  public var pattern: PatternType

  public init(person: Int, metric: MetricType, pattern: PatternType) {
    self.person = person
    self.metric = metric
    self.pattern = pattern
  }

  init(_ limit: CriticalLimit, of person: Int) {
    self.init(person: person, metric: limit.metric, pattern: limit.direction.pattern)
  }

  public static func < (left: LimitSeries, right: LimitSeries) -> Bool {
    (left.person, left.metric.rawValue, left.pattern.rawValue)
      < (right.person, right.metric.rawValue, right.pattern.rawValue)
  }
}
