public import VigilDetection
public import VigilModel

/// The decision about one day of one series, with every figure that led to it.
public struct Explanation: Hashable, Sendable {
  public var metric: MetricThresholds
  public var day: Day
  /// The value of the day; nil where it has none.
  public var value: Double?
  /// Whether the person was working out, and the metric is one that workouts disturb.
  public var isSuppressed: Bool
  /// The episode that was active at the end of the day before.
  public var before: Episode?
  /// The episode that is active at the end of the day, or else the one that ended on it.
  public var after: Episode?
  /// The episodes of the series up to the day, as they stand at its end, by `activeSince`.
  public var episodes: [Episode]
  public var change: Change
  public var judgement: Judgement
  /// Values within one personal spread of what is usual on this day of the week; nil where means are compared,
  /// and on days without a baseline.
  public var usualRange: ClosedRange<Double>?
  /// Whether that range is mostly the one of people in general: the person's own values are too few, or vary too
  /// little, to say much of chance.
  public var usualRangeIsGeneral = false
  /// The reason why an active episode goes on although the day does not count as deviating.
  public var wait: EpisodeCourse.Wait?
  /// The least that would have led to the opposite answer; nil where nothing that was tried would have.
  public var opposite: Opposite?
  /// The rows of devices up to the day, with the values that do not count; empty for doses.
  public var observed: [ObservedDay] = []
  /// Whether a device was worn on the day; nil for doses.
  public var wear: WearFinding?

  /// Whether there is an active episode at the end of the day: the answer that is explained.
  public var isActive: Bool { after?.isActive == true }

  /// The effect of the day on the episodes of its series.
  public enum Change: Hashable, Sendable {
    /// No episode was active, and none opened.
    case none
    case opened
    /// The active episode has a new last deviating day.
    case extended
    /// The same, and a higher level.
    case escalated(from: AlertLevel)
    /// The active episode goes on, and the day does not count as deviating.
    case continued
    /// Another run of deviating days took over.
    case superseded
    case resolved(Episode.Resolution.Reason)

    /// - Parameters:
    ///   - before: The episode that was active at the end of the day before.
    ///   - active: The one that is active at the end of the day.
    ///   - ended: One that ended on the day.
    ///   - day: The day.
    init(from before: Episode?, to active: Episode?, ended: Episode?, on day: Day) {
      guard let before else {
        self = active == nil ? .none : .opened
        return
      }
      guard let active else {
        self = ended?.resolution.map { .resolved($0.reason) } ?? .none
        return
      }
      if active.activeSince != before.activeSince {
        self = .superseded
      } else if active.lastDeviating != day {
        self = .continued
      } else {
        self = active.level > before.level ? .escalated(from: before.level) : .extended
      }
    }
  }

  /// The comparison that decided.
  public enum Judgement: Hashable, Sendable {
    /// The recent mean against a baseline.
    case means(MeansJudgement)
    /// The evidence for a change, while there is no episode.
    case evidence(EvidenceDay)
    /// The evidence for recovery, while there is one.
    case recovery(EvidenceRecovery)
    /// The evidence for more missed doses, while there is no episode.
    case doses(DoseDay)
    /// The evidence that doses are taken again, while there is one.
    case doseRecovery(DoseRecovery)
  }
}

/// The comparison of a recent mean with a baseline, with the margin of each rule.
public struct MeansJudgement: Hashable, Sendable {
  public var evaluation: DayEvaluation
  /// Whether the baseline is the one that an episode opened with.
  public var isAnchored: Bool
  /// In the order of the thresholds file; empty on days that cannot be judged.
  public var rules: [RuleMargin]
}

/// A rule and how far a comparison is from it.
public struct RuleMargin: Hashable, Sendable {
  public var rule: MetricRule
  /// The figure that the rule looks at: a fraction of the baseline, a difference in the metric's unit, or the
  /// recent mean; nil where a percent rule meets a baseline of 0.
  public var actual: Double?
  public var isMatched: Bool

  /// - Parameters:
  ///   - rule: The rule.
  ///   - base: The baseline's value.
  ///   - recent: The recent mean.
  ///   - isMatched: The verdict of the detection.
  public init(_ rule: MetricRule, base: Double, recent: Double, isMatched: Bool) {
    self.rule = rule
    self.isMatched = isMatched
    let hasBase = abs(base) > EpisodeFigures.zeroBaseline
    actual =
      switch rule.kind {
      case .percentDropAtLeast: hasBase ? (base - recent) / base : nil
      case .percentRiseAtLeast: hasBase ? (recent - base) / base : nil
      case .absoluteDropAtLeast: base - recent
      case .absoluteRiseAtLeast: recent - base
      case .absoluteDropBelow: recent
      }
  }

  /// The distance to the rule in its own unit: positive by how much it matches, negative by how much it does not.
  public var margin: Double? {
    guard let actual else { return nil }
    return rule.kind == .absoluteDropBelow ? rule.threshold - actual : actual - rule.threshold
  }
}

/// The least change of the input that would have led to the opposite answer.
public enum Opposite: Hashable, Sendable {
  /// The day's value would have to be this one or lower.
  case valueAtMost(Double)
  /// The day's value would have to be this one or higher.
  case valueAtLeast(Double)
  /// The day would have to be one without a workout.
  case noWorkout
  /// Days with a usual value that must follow until the day can be judged.
  case daysWithValue(Int)
  /// So many days with this value, which is the mean of the newest ones, must follow until an episode opens.
  case daysLikeRecent(Int, value: Double)
  /// So many days with usual values must follow until the episode ends.
  case usualDays(Int)
  /// So many days with all doses taken must follow until the episode ends.
  case daysTaken(Int)
  /// So many days with all doses missed must follow until an episode opens.
  case daysMissed(Int)
}
