import VigilDetection
public import VigilModel

/// The place of a metric's newest values beside what is usual for the person, as evidence sees it.
///
/// ```swift
/// let standing = EvidenceStanding(shift: 1.8, recent: 302, usual: 412, strongest: nil)
/// print(standing.shift > 0)  // true
/// ```
public struct EvidenceStanding: Hashable, Sendable {
  /// The mean deviation of the newest days, in personal spreads; positive is bad.
  public var shift: Double
  /// The mean of the same days in the metric's unit.
  public var recent: Double
  /// The mean of the baseline in the metric's unit.
  public var usual: Double
  /// The window with the most evidence for a change; nil while an alert is active.
  public var strongest: Strongest?

  public struct Strongest: Hashable, Sendable {
    /// Observations of the window.
    public var count: Int
    /// The distance of the window from what is usual, in standard deviations of such windows.
    public var z: Double
    /// The `z` that is needed.
    public var threshold: Double

    public init(count: Int, z: Double, threshold: Double) {
      self.count = count
      self.z = z
      self.threshold = threshold
    }
  }

  /// The calendar days that count as the newest ones.
  public static let recentDays = 7
  /// The fewest of them that must have a value.
  public static let fewestRecent = 4

  public init(shift: Double, recent: Double, usual: Double, strongest: Strongest?) {
    self.shift = shift
    self.recent = recent
    self.usual = usual
    self.strongest = strongest
  }
}

extension DecisionExplainer {
  /// The place of the newest values on `day`: against the frozen baseline of an active alert, or else against the
  /// baseline of the newest day with a value.
  ///
  /// - Parameters:
  ///   - series: As for `explain`.
  ///   - day: The evaluated day.
  /// - Returns: Nil where evidence does not follow the metric, and where there are too few values.
  public func standing(of series: ExplainedSeries, on day: Day) -> EvidenceStanding? {
    let days = (0..<EvidenceStanding.recentDays).map { day - $0 }.filter { !series[$0].isNaN }
    guard metric.evidence != nil, days.count >= EvidenceStanding.fewestRecent else { return nil }
    let found = explain(series, on: days[0], looksForOpposite: false)
    let anchor: EvidenceAnchor
    let usual: Double
    var strongest: EvidenceStanding.Strongest?
    switch found.judgement {
    case .evidence(let judged):
      guard let figures = judged.figures else { return nil }
      (anchor, usual) = (figures.anchor, figures.baseline.value)
      strongest = figures.windows.max { $0.z < $1.z }.map {
        .init(count: $0.count, z: $0.z, threshold: figures.threshold)
      }
    case .recovery:
      guard let before = found.before, let evidence = before.evidence else { return nil }
      (anchor, usual) = (evidence.anchor, before.figures.baseline.value)
    case .means, .doses, .doseRecovery: return nil
    }
    let count = Double(days.count)
    let shifts = days.compactMap {
      thresholds.deviation(of: series[$0], of: metric.metric, on: $0, from: anchor)
    }
    return EvidenceStanding(
      shift: shifts.reduce(0, +) / count, recent: days.reduce(0) { $0 + series[$1] } / count,
      usual: usual, strongest: strongest)
  }
}
