import VigilKernels
public import VigilModel

/// One day of the metrics of a person together, with every figure that explains its verdict (specification,
/// evidence-person.md sections 2, 3 and 5).
public struct CombinedDay: Hashable, Sendable {
  public var day: Day
  public var figures: Figures

  public enum Figures: Hashable, Sendable {
    /// While no episode is active: the windows that end on the day, shortest first.
    ///
    /// It is empty where no metric has a value on the day and a baseline.
    case evidence([Window])
    /// While one is.
    case recovery(Recovery)
  }

  /// A calendar window in which some metric takes part that has a value on the day.
  public struct Window: Hashable, Sendable {
    /// Days of the calendar.
    public var days: Int
    /// The metrics that take part, in the order of the settings.
    public var metrics: [Metric]
    /// The evidence of the best set; nil where too few metrics count.
    public var evidence: Double?
    /// The evidence that the window needs.
    public var threshold: Double
    /// The metrics of the best set, in the order of the settings.
    public var contributing: [MetricType]
    /// Whether it is the window that decides: of those that are proven the one that exceeds its threshold most.
    public var decides: Bool

    /// Whether the evidence is enough.
    public var isProven: Bool {
      evidence.map { $0 >= threshold - EvidenceJudge.tolerance } ?? false
    }
  }

  /// A metric in a window.
  public struct Metric: Hashable, Sendable {
    public var metric: MetricType
    /// Observations in the window.
    public var count: Int
    /// The distance from what is usual, in standard deviations of such windows; not above the cap.
    public var z: Double
    /// The mean shift in personal spreads; positive is bad.
    public var shift: Double
    /// The mean of the raw values.
    public var recent: Double
    /// The value that is usual for the person.
    public var baseline: Double
    /// The usual values that the shift is from.
    public var anchor: EvidenceAnchor
    /// Whether a rule matches in its weak form.
    public var matters: Bool
    /// Whether it may contribute: it matters, and has enough evidence of its own.
    public var counts: Bool
  }

  /// The course of an active episode at the end of a day.
  public struct Recovery: Hashable, Sendable {
    /// Whether a contributing metric has a value on the day.
    public var hasValue: Bool
    /// Evidence for recovery, in nats.
    public var evidence: Double
    /// Whether the newest days are closer to what is usual than to the opening.
    public var isEasing: Bool
    /// Days with a value in a row of easing.
    public var calmDays: Int
    /// The mean of the newest days: 1 as bad as at the opening, 0 as usual.
    public var level: Double
  }
}

extension CombinedJudge {
  /// Every window of a day with its figures.
  ///
  /// - Parameters:
  ///   - hasValue: The metrics with a value on the day.
  ///   - views: By metric; nil where it is not in view.
  /// - Precondition: The memory of the day holds who takes part.
  func windows(hasValue: Int, views: [CombinedView?]) -> [CombinedDay.Window] {
    let finding = finding(hasValue: hasValue, views: views)
    return (0..<day.windows).compactMap { window in
      let set = day.takingPart.pointer[window]
      guard set & hasValue != 0 else { return nil }
      var counting = 0
      let metrics = members.indices.compactMap { member -> CombinedDay.Metric? in
        guard set & 1 << member != 0, let view = views[member], let own = view.windows[window]
        else { return nil }
        let counts = own.matters && own.z >= settings.metricEvidence
        if counts { counting |= 1 << member }
        return CombinedDay.Metric(
          metric: members[member].metric, count: own.count, z: own.z, shift: own.shift,
          recent: own.recent, baseline: view.pool.base, anchor: view.pool.anchor,
          matters: own.matters, counts: counts)
      }
      let best = bestSet(of: counting, z: { views[$0]?.windows[window]?.z ?? 0 })
      return CombinedDay.Window(
        days: settings.windowsDays[window], metrics: metrics, evidence: best?.evidence,
        threshold: settings.threshold(metricsTakingPart: set.nonzeroBitCount),
        contributing: members.indices.filter { (best?.set ?? 0) & 1 << $0 != 0 }
          .map { members[$0].metric },
        decides: finding?.window == window)
    }
  }
}
