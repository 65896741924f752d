public import VigilModel

/// One day of a person's doses, with every figure that explains its verdict (specification, evidence-doses.md
/// sections 2 and 3).
public struct DoseDay: Hashable, Sendable {
  public var day: Day
  public var state: EvidenceDay.State
  /// Nil on unknown days.
  public var figures: Figures?

  /// The comparison of a day that can be judged.
  public struct Figures: Hashable, Sendable {
    /// The pool: its share of taken doses in percent, its first and last day, and its size.
    public var baseline: EpisodeFigures.Window
    public var anchor: DoseAnchor
    /// The newest observations that are not in the pool.
    public var guardCount: Int
    /// The evidence that a window needs, in nats.
    public var threshold: Double
    /// The windows that are looked at, shortest first; none on a day without a missed dose.
    public var windows: [Window]
    /// Index of the window that matters and has the most evidence; nil where none matters.
    public var deciding: Int?
  }

  /// The newest observations, and the doses missed on them.
  public struct Window: Hashable, Sendable {
    /// Observations.
    public var count: Int
    public var start: Day
    public var missed: Int
    public var expected: Int
    /// The doses expected, by their weight.
    public var counted: Double
    /// The usual share of missed doses on such days.
    public var usualShare: Double
    /// In nats.
    public var evidence: Double
    /// Whether the change is large enough.
    public var matters: Bool
  }
}

/// A day of an episode of missed doses: how much speaks for its end (specification, evidence-doses.md section 5).
public struct DoseRecovery: Hashable, Sendable {
  public var day: Day
  /// Evidence for recovery, in nats.
  public var evidence: Double
  /// Observations in a row of easing.
  public var calmDays: Int
  /// Whether the newest doses are closer to what is usual than to the episode.
  public var isEasing: Bool
  /// Whether the change is over.
  public var isOver: Bool
  /// The newest observation up to the day.
  public var lastObservation: Day?
}

/// Evaluates single days of a person's doses, for explanations.
///
/// ```swift
/// guard let first = Day("2026-03-02") else { return }
/// let days = (0..<60).map { day in
///   DoseCounts(expected: 1, missed: day < 57 ? 0 : 1, inferred: 0)
/// }
/// let series = days.withUnsafeBufferPointer { DoseSeries($0, from: first) }
/// let found = DoseEvaluator(DoseEvidenceSettings()).evaluate(series, on: first + 59)
/// print(found.state)  // deviating
/// ```
///
/// The detection of whole blocks comes to the same verdict with the same figures.
public struct DoseEvaluator: Sendable {
  let judge: DoseJudge

  public init(_ settings: DoseEvidenceSettings) { judge = DoseJudge(settings) }

  /// Evaluates a day.
  ///
  /// - Parameters:
  ///   - series: At least the horizon before the day where there are data.
  ///   - day: The day.
  ///   - context: What earlier days leave.
  /// - Complexity: O(horizon).
  public func evaluate(
    _ series: DoseSeries, on day: Day, context: EvidenceContext = EvidenceContext()
  ) -> DoseDay {
    func unknown(_ reason: EvidenceDay.UnknownReason) -> DoseDay {
      DoseDay(day: day, state: .unknown(reason), figures: nil)
    }
    let settings = judge.settings
    var eligible = series
    for range in context.excluded {
      eligible.remove(
        days: range.lowerBound - series.firstDay...range.upperBound - series.firstDay)
    }
    let last = eligible.place(from: day - series.firstDay)
    guard last < eligible.count, eligible.day(at: last) == day else { return unknown(.noValue) }
    let earliest = max(day - settings.horizonDays, context.baselineSince ?? series.firstDay)
    let first = eligible.place(from: earliest - series.firstDay)
    let count = last - first + 1
    let size = settings.poolSize(eligible: count)
    guard size > 0 else { return unknown(.insufficientBaseline) }
    let guardCount = settings.guardCount(eligible: count)
    let pool = last + 1 - guardCount - size..<last + 1 - guardCount
    let anchor = judge.anchor(of: eligible.observations[pool])
    let fresh = context.lastResolved.map { eligible.place(from: $0 - series.firstDay + 1) } ?? 0
    let longest = min(guardCount, last - max(first, fresh) + 1)
    var figures = DoseDay.Figures(
      baseline: EpisodeFigures.Window(
        value: 100 * (1 - anchor.missedShare), start: eligible.day(at: pool.lowerBound),
        end: eligible.day(at: pool.upperBound - 1), count: size),
      anchor: anchor, guardCount: guardCount,
      threshold: settings.thresholds.threshold(poolSize: size), windows: [])
    guard eligible.observations[last].missed > 0 else {
      return DoseDay(day: day, state: .normal, figures: figures)
    }
    judge.forEachWindow(endingAt: last, of: eligible, longest: longest, against: anchor) { window in
      figures.windows.append(
        DoseDay.Window(
          count: window.count, start: eligible.day(at: window.first), missed: window.missed,
          expected: window.expected, counted: window.counted, usualShare: window.usualShare,
          evidence: window.evidence, matters: window.matters))
    }
    let deciding = judge.decidingWindow(
      endingAt: last, of: eligible, longest: longest, against: anchor)
    figures.deciding = deciding.flatMap { window in
      figures.windows.firstIndex { $0.count == window.count }
    }
    let deviates = deciding.map { judge.isEnough($0, poolSize: size) } ?? false
    return DoseDay(day: day, state: deviates ? .deviating : .normal, figures: figures)
  }

  /// Follows an episode from its opening to a day.
  ///
  /// - Parameters:
  ///   - opening: The evidence that the episode opened with.
  ///   - series: From the recent days before the opening on.
  ///   - day: The day.
  /// - Complexity: O(days).
  public func recovery(
    from opening: DoseEvidence, in series: DoseSeries, on day: Day
  ) -> DoseRecovery {
    let opened = series.place(from: opening.openedOn - series.firstDay + 1)
    var course = DoseCourse(
      of: opening, endingAt: opened - 1, of: series, by: judge)
    let end = series.place(from: day - series.firstDay + 1)
    for place in opened..<max(opened, end) { course.take(series.observations[place]) }
    return DoseRecovery(
      day: day, evidence: course.evidence, calmDays: course.calmDays, isEasing: course.isEasing,
      isOver: course.isOver, lastObservation: end > 0 ? series.day(at: end - 1) : nil)
  }
}
