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
    let baseline: EpisodeFigures.Window
    if let anchor {
      baseline = anchor
      guard hasRecentWindow(series, at: index) else { return unknown(.gapInRecent) }
    } else {
      let observations = observationCount(series, at: index)
      guard observations >= settings.minTotalDays else { return unknown(.insufficientHistory) }
      guard hasRecentWindow(series, at: index) else { return unknown(.gapInRecent) }
      let size = settings.poolSize(observations: observations)
      guard size > 0 else { return unknown(.insufficientBaseline) }
      baseline = pool(series, before: index - settings.recentDays + 1, size: size, from: firstDay)
    }
    var sum = 0.0
    for position in (index - settings.recentDays + 1)...index { sum += series[position] }
    let recent = EpisodeFigures.Window(
      value: sum / Double(settings.recentDays), start: day - (settings.recentDays - 1), end: day,
      count: settings.recentDays)
    let verdict = judge.verdict(recentSum: sum, baseline: baseline.value)
    return DayEvaluation(
      day: day, state: verdict.contains(.deviating) ? .deviating : .normal,
      isClean: verdict.contains(.clean),
      figures: EpisodeFigures(
        baseline: baseline, recent: recent,
        deviation: abs(baseline.value) <= MetricJudge.zeroBaseline
          ? nil : (recent.value - baseline.value) / baseline.value),
      matchedRules: judge.matchedRules(recentSum: sum, baseline: baseline.value))
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

  /// Mean or median of the last `size` observations before `end`.
  private func pool(
    _ series: UnsafeBufferPointer<Double>, before end: Int, size: Int, from firstDay: Day
  ) -> EpisodeFigures.Window {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: size) { values in
      var found = 0
      var position = end - 1
      var first = position
      var last = position
      while found < size {
        if !series[position].isNaN {
          values.initializeElement(at: size - 1 - found, to: series[position])
          if found == 0 { last = position }
          first = position
          found += 1
        }
        position -= 1
      }
      let value: Double
      switch settings.statistic {
      case .mean: value = values.reduce(0, +) / Double(size)
      case .median: value = median(values)
      }
      return EpisodeFigures.Window(
        value: value, start: firstDay + first, end: firstDay + last, count: size)
    }
  }
}

/// The median of `values`, which it sorts; of an even number the mean of the middle two.
func median(_ values: UnsafeMutableBufferPointer<Double>) -> Double {
  var values = values
  values.sort()
  let middle = values.count / 2
  return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
}
