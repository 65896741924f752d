public import VigilModel

/// One day of one series under evidence, with every figure that explains its verdict (specification,
/// evidence.md sections 2 and 3).
public struct EvidenceDay: Hashable, Sendable {
  public var day: Day
  public var state: State
  /// Nil on unknown days.
  public var figures: Figures?

  public enum State: Hashable, Sendable {
    case deviating
    case normal
    case unknown(UnknownReason)
  }

  /// Why a day cannot be judged; the raw values are those of reports.
  public enum UnknownReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// No value on the day.
    case noValue = "no_value"
    /// Fewer observations before the newest ones than `min_days`.
    case insufficientBaseline = "insufficient_baseline"
    /// The same, because another device measures.
    case recalibrating
  }

  /// The comparison of a day that can be judged.
  public struct Figures: Hashable, Sendable {
    /// The pool: its raw mean, its first and last day, and its size.
    public var baseline: EpisodeFigures.Window
    public var anchor: EvidenceAnchor
    /// The `z` that a window needs.
    public var threshold: Double
    /// The allowed windows, shortest first.
    public var windows: [Window]
    /// Index of the window that makes the day deviate; nil where none does.
    public var deviating: Int?
  }

  /// The newest observations, and what they show.
  public struct Window: Hashable, Sendable {
    /// Observations.
    public var count: Int
    public var start: Day
    /// The distance from what is usual, in standard deviations of such windows.
    public var z: Double
    /// Their mean shift in personal spreads; positive is bad.
    public var shift: Double
    /// The mean of the raw values.
    public var recent: Double
    /// Whether the mean shows enough of the estimated shift.
    public var isHeld: Bool
    /// Whether a rule of the metric matches.
    public var matters: Bool
  }
}

/// Evaluates single days of a series under evidence, for explanations.
///
/// ```swift
/// guard let first = Day("2026-03-02") else { return }
/// let sleep = MetricThresholds(
///   metric: MetricType("sleep_minutes"), unit: "min", pattern: .drop,
///   rules: [MetricRule(.percentDropAtLeast, 0.1)])
/// let evidence = MetricEvidence(
///   transform: .none, priorSpread: 75, priorAutocorrelation: 0.05,
///   thresholds: EvidenceThresholds([10: 4.39]))
/// let series = (0..<60).map { day in (day < 56 ? 420.0 : 240) + Double(day * 7 % 11) }
/// let found = series.withUnsafeBufferPointer { series in
///   EvidenceEvaluator(sleep, evidence, EvidenceSettings())
///     .evaluate(series, at: 59, firstDay: first)
/// }
/// print(found.state)  // deviating
/// ```
///
/// The detection of whole blocks comes to the same verdict with the same figures.
public struct EvidenceEvaluator {
  let judge: EvidenceJudge

  public init(_ metric: MetricThresholds, _ evidence: MetricEvidence, _ settings: EvidenceSettings)
  {
    judge = EvidenceJudge(metric, evidence, settings)
  }

  /// Evaluates the day at `index` of a series that begins on `firstDay`.
  ///
  /// - Parameters:
  ///   - series: One value a day, NaN where missing; at least the horizon before `index` where there are data.
  ///   - index: The place of the day in `series`.
  ///   - firstDay: The day of the first value.
  ///   - context: What earlier days leave.
  /// - Complexity: O(horizon).
  public func evaluate(
    _ series: UnsafeBufferPointer<Double>, at index: Int, firstDay: Day,
    context: EvidenceContext = EvidenceContext()
  ) -> EvidenceDay {
    let day = firstDay + index
    func unknown(_ reason: EvidenceDay.UnknownReason) -> EvidenceDay {
      EvidenceDay(day: day, state: .unknown(reason), figures: nil)
    }
    guard !series[index].isNaN else { return unknown(.noValue) }
    let settings = judge.settings
    let workspace = EvidenceWorkspace(days: firstDay...day)
    var eligible = workspace.load(UnsafeBufferPointer(rebasing: series[...index]), for: judge)
    for range in context.excluded {
      eligible.remove(days: range.lowerBound - firstDay...range.upperBound - firstDay)
    }
    let since = context.baselineSince.map { $0 - firstDay } ?? .min
    let first = eligible.place(from: max(index - settings.horizonDays, since))
    let count = eligible.count - first
    let size = settings.poolSize(eligible: count)
    guard size > 0 else {
      return unknown(context.isRecalibrating ? .recalibrating : .insufficientBaseline)
    }
    let guardCount = settings.guardCount(eligible: count)
    let poolEnd = eligible.count - guardCount
    let pool = judge.pool(poolEnd - size..<poolEnd, of: eligible)
    let fresh = context.lastResolved.map {
      eligible.count - eligible.place(from: $0 - firstDay + 1)
    }
    func date(_ place: Int) -> Day { firstDay + Int(eligible.days[place]) }
    var windows: [EvidenceDay.Window] = []
    judge.forEachWindow(
      endingAt: eligible.count - 1, of: eligible, guardCount: guardCount,
      fresh: min(count, fresh ?? count), pool: pool
    ) { window in
      windows.append(
        EvidenceDay.Window(
          count: window.count, start: date(window.first), z: window.z, shift: window.shift,
          recent: window.recent, isHeld: window.isHeld, matters: window.matters))
    }
    let chosen = judge.deviatingWindow(
      endingAt: eligible.count - 1, of: eligible, guardCount: guardCount,
      fresh: min(count, fresh ?? count), pool: pool)
    return EvidenceDay(
      day: day, state: chosen == nil ? .normal : .deviating,
      figures: EvidenceDay.Figures(
        baseline: EpisodeFigures.Window(
          value: pool.base, start: date(pool.range.lowerBound),
          end: date(pool.range.upperBound - 1), count: size),
        anchor: pool.anchor, threshold: judge.prior.thresholds.threshold(poolSize: size),
        windows: windows, deviating: windows.firstIndex { $0.count == chosen?.count }))
  }
}
