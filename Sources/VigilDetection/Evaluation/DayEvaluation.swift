public import VigilModel

/// One day of one series, with everything that explains its verdict.
public struct DayEvaluation: Hashable, Sendable {
  public var day: Day
  public var state: State
  public var isClean: Bool
  /// Nil on unknown days.
  public var figures: EpisodeFigures?
  /// The rules that match, in the order of the thresholds file.
  public var matchedRules: [MetricRule.Kind]

  public enum State: Hashable, Sendable {
    case deviating
    case normal
    case unknown(UnknownReason)
  }

  /// Why a day cannot be judged; the raw values are those of reports.
  public enum UnknownReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// Fewer observations within the horizon than `min_total_days`.
    case insufficientHistory = "insufficient_history"
    /// No value on the day itself or on one of the recent days before it.
    case gapInRecent = "gap_in_recent"
    /// Fewer observations before the recent window than `min_days`.
    case insufficientBaseline = "insufficient_baseline"
  }
}

/// Evaluates single days of a series with plain loops, for explanations and for the figures of
/// episodes (specification, detection.md section 3).
///
/// ```swift
/// guard let first = Day("2026-06-01") else { return }
/// let steps = MetricThresholds(
///   metric: MetricType("steps"), unit: "steps", pattern: .drop,
///   rules: [MetricRule(.percentDropAtLeast, 0.3)])
/// let thresholds = Thresholds(version: "mine", digest: "", metrics: [steps])
/// let series: [Double] = Array(repeating: 8_000, count: 27) + [4_000, 4_000, 4_000]
/// let evaluation = series.withUnsafeBufferPointer { series in
///   DayEvaluator(steps, of: thresholds).evaluate(series, at: 29, firstDay: first)
/// }
/// print(evaluation.day, evaluation.state)  // 2026-06-30 deviating
/// print(evaluation.figures?.deviation ?? 0)  // -0.5
/// ```
///
/// The detection of whole blocks is `SeriesEvaluator`; both come to the same verdict.
public struct DayEvaluator: Sendable {
  let settings: EvaluationSettings
  let judge: MetricJudge

  public init(_ metric: MetricThresholds, of thresholds: Thresholds) {
    settings = EvaluationSettings(thresholds)
    judge = MetricJudge(
      metric, recentDays: thresholds.recentDays, recoveryWithin: thresholds.recovery.within)
  }

  /// Evaluates the day at `index` of a series that begins on `firstDay`.
  ///
  /// - Parameters:
  ///   - series: One value a day, NaN where missing; at least the horizon before `index` where
  ///     there are data.
  ///   - index: The place of the day in `series`.
  ///   - firstDay: The day of the first value.
  ///   - anchor: The baseline to compare with instead of the rolling one; then only a usable recent
  ///     window is needed (specification, episodes.md section 3).
  /// - Complexity: O(horizon).
  public func evaluate(
    _ series: UnsafeBufferPointer<Double>, at index: Int, firstDay: Day,
    against anchor: EpisodeFigures.Window? = nil
  ) -> DayEvaluation {
    let day = firstDay + index
    func unknown(_ reason: DayEvaluation.UnknownReason) -> DayEvaluation {
      DayEvaluation(
        day: day, state: .unknown(reason), isClean: false, figures: nil, matchedRules: [])
    }
    if anchor == nil {
      guard observationCount(series, at: index) >= settings.minTotalDays else {
        return unknown(.insufficientHistory)
      }
    }
    guard hasRecentWindow(series, at: index) else { return unknown(.gapInRecent) }
    guard let figures = figures(series, at: index, firstDay: firstDay, against: anchor) else {
      return unknown(.insufficientBaseline)
    }
    let recentSum = recentSum(series, at: index)
    let verdict = judge.verdict(recentSum: recentSum, baseline: figures.baseline.value)
    return DayEvaluation(
      day: day, state: verdict.contains(.deviating) ? .deviating : .normal,
      isClean: verdict.contains(.clean), figures: figures,
      matchedRules: judge.matchedRules(recentSum: recentSum, baseline: figures.baseline.value))
  }

  /// The figures of a day whose recent window is known to be whole; nil where the baseline pool is
  /// too small.
  func figures(
    _ series: UnsafeBufferPointer<Double>, at index: Int, firstDay: Day,
    against anchor: EpisodeFigures.Window?
  ) -> EpisodeFigures? {
    let recentStart = index - settings.recentDays + 1
    guard
      let baseline = anchor
        ?? pool(
          series, in: max(0, index - settings.horizonDays)..<recentStart, firstDay: firstDay)
    else { return nil }
    let recent = EpisodeFigures.Window(
      value: recentSum(series, at: index) / Double(settings.recentDays),
      start: firstDay + recentStart, end: firstDay + index, count: settings.recentDays)
    return EpisodeFigures(baseline: baseline, recent: recent)
  }

  private func recentSum(_ series: UnsafeBufferPointer<Double>, at index: Int) -> Double {
    // Newest first, the order of the block's sums: the same bits either way.
    var sum = series[index]
    for age in 1..<max(1, settings.recentDays) { sum += series[index - age] }
    return sum
  }

  private func observationCount(_ series: UnsafeBufferPointer<Double>, at index: Int) -> Int {
    var count = 0
    for position in max(0, index - settings.horizonDays)...index where !series[position].isNaN {
      count += 1
    }
    return count
  }

  private func hasRecentWindow(_ series: UnsafeBufferPointer<Double>, at index: Int) -> Bool {
    let first = index - settings.recentDays + 1
    guard first >= 0 else { return false }
    return !(first...index).contains { series[$0].isNaN }
  }

  /// Mean or median of the newest observations in `range`; nil where there are too few.
  private func pool(
    _ series: UnsafeBufferPointer<Double>, in range: Range<Int>, firstDay: Day
  ) -> EpisodeFigures.Window? {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: settings.maxDays) { values in
      var count = 0
      var first = 0
      var last = 0
      var position = range.upperBound - 1
      while position >= range.lowerBound, count < settings.maxDays {
        let value = series[position]
        if !value.isNaN {
          if count == 0 { last = position }
          first = position
          values[count] = value
          count += 1
        }
        position -= 1
      }
      guard count >= settings.minDays else { return nil }
      let pool = UnsafeMutableBufferPointer(rebasing: values[..<count])
      let value: Double
      switch settings.statistic {
      case .mean:
        var sum = 0.0
        for index in stride(from: count - 1, through: 0, by: -1) { sum += pool[index] }
        value = sum / Double(count)
      case .median:
        value = median(pool)
      }
      return EpisodeFigures.Window(
        value: value, start: firstDay + first, end: firstDay + last, count: count)
    }
  }
}

/// The median of `values`, which it sorts; of an even number the mean of the middle two.
func median(_ values: consuming UnsafeMutableBufferPointer<Double>) -> Double {
  values.sort()
  let middle = values.count / 2
  return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
}
