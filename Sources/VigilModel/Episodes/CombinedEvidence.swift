/// The evidence that an episode of a person's metrics together opened with (specification, evidence-person.md
/// section 4); fixed from then on.
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// func contribution(_ metric: String, _ z: Double) -> CombinedEvidence.Contribution {
///   CombinedEvidence.Contribution(
///     metric: MetricType(metric), z: z, shift: 1.5,
///     baseline: .init(value: 100, start: day - 90, end: day - 20, count: 60),
///     recent: .init(value: 60, start: day - 3, end: day, count: 4),
///     anchor: EvidenceAnchor(mean: 100, spread: 25, autocorrelation: 0.1))
/// }
/// let evidence = CombinedEvidence(
///   openedOn: day, windowDays: 4, evidence: 4.1, threshold: 3.7,
///   contributions: [contribution("sleep_minutes", 3), contribution("steps", 2)],
///   unchanged: [MetricType("resting_hr")])
/// print(evidence.metricsTakingPart, evidence.share(of: evidence.contributions[0]))  // 3 0.6
/// ```
public struct CombinedEvidence: Hashable, Sendable {
  /// The day on which the evidence was enough.
  public var openedOn: Day
  /// Calendar days of the window that gave the evidence.
  public var windowDays: Int
  /// The distance of the window from what is usual, in standard deviations of such windows.
  public var evidence: Double
  /// The evidence that a window needs, for the number of metrics that take part.
  public var threshold: Double
  /// At least two, in the order of falling `z`.
  public var contributions: [Contribution]
  /// The metrics that took part without contributing, in the order of the settings.
  public var unchanged: [MetricType]

  public init(
    openedOn: Day, windowDays: Int, evidence: Double, threshold: Double,
    contributions: [Contribution], unchanged: [MetricType]
  ) {
    self.openedOn = openedOn
    self.windowDays = windowDays
    self.evidence = evidence
    self.threshold = threshold
    self.contributions = contributions
    self.unchanged = unchanged
  }

  /// The metrics that had enough values in the window.
  public var metricsTakingPart: Int { contributions.count + unchanged.count }

  /// The fraction of the evidence that is a metric's.
  public func share(of contribution: Contribution) -> Double {
    contribution.z / contributions.reduce(0) { $0 + $1.z }
  }

  /// The mean shift of the contributing metrics, in personal spreads; positive is bad.
  public var shift: Double {
    contributions.reduce(0) { $0 + $1.shift } / Double(max(contributions.count, 1))
  }

  /// The part that one metric adds to the evidence, and the usual values that its days are judged against.
  public struct Contribution: Hashable, Sendable {
    public var metric: MetricType
    /// The metric's own evidence, clipped.
    public var z: Double
    /// The mean of the window in personal spreads; positive is bad.
    public var shift: Double
    /// The pool: its raw mean, its first and last day, and its size.
    public var baseline: EpisodeFigures.Window
    /// The observations of the window: their raw mean, first and last day, and number.
    public var recent: EpisodeFigures.Window
    public var anchor: EvidenceAnchor

    public init(
      metric: MetricType, z: Double, shift: Double, baseline: EpisodeFigures.Window,
      recent: EpisodeFigures.Window, anchor: EvidenceAnchor
    ) {
      self.metric = metric
      self.z = z
      self.shift = shift
      self.baseline = baseline
      self.recent = recent
      self.anchor = anchor
    }
  }
}

extension EpisodeFigures {
  /// The figures of an episode of several metrics, in personal spreads: usual is 0, recent the mean shift.
  ///
  /// They have no deviation, as there is no fraction of 0.
  public init(_ combined: CombinedEvidence) {
    let pools = combined.contributions.map(\.baseline)
    let windows = combined.contributions.map(\.recent)
    let opened = combined.openedOn
    self.init(
      baseline: Window(
        value: 0, start: pools.map(\.start).min() ?? opened, end: pools.map(\.end).max() ?? opened,
        count: pools.map(\.count).min() ?? 0),
      recent: Window(
        value: combined.shift, start: windows.map(\.start).min() ?? opened, end: opened,
        count: combined.windowDays))
  }
}
