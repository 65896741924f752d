/// One row of `trend_insights` (specification, vitality.md section 2 and adherence.md section 4).
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let insight = TrendInsight(
///   user: UUID(name: "anna"), pillar: .sleep, day: day, rule: .dropVsBaseline, recent: 58,
///   baseline: 76, change: -0.24, coverage: 20, confidence: 0.95)
/// print(insight.severity)  // attention
/// ```
public struct TrendInsight: Hashable, Sendable {
  public var user: UUID
  public var pillar: Pillar
  /// The evaluated day.
  public var day: Day
  public var rule: TrendRule
  /// Means of the recent and the baseline points, 0...100; nil where the rule has none.
  public var recent: Double?
  public var baseline: Double?
  /// `(recent - baseline) / baseline` as a fraction; nil where the baseline is 0 or there is none.
  public var change: Double?
  /// Days with a score in the window.
  public var coverage: Int
  /// `coverage` as a fraction of the window.
  public var confidence: Double
  /// The slope of the pillar, where the settings ask for one.
  public var slope: SlopeEstimate?
  public var suppressedReason: SuppressedReason?
  /// The medication of an insight about missed doses or a refill.
  public var medication: UUID?
  /// The missed doses of an insight about them.
  public var missed: MissedDoses?
  /// The days that the rest of a medication lasts, of an insight about a refill; nil where no use is expected.
  public var daysLeft: Double?
  /// The episodes of an insight about two at a time; `day` is then the first that they share.
  public var coOccurrence: CoOccurrence?

  public init(
    user: UUID, pillar: Pillar, day: Day, rule: TrendRule, recent: Double? = nil,
    baseline: Double? = nil, change: Double? = nil, coverage: Int, confidence: Double,
    slope: SlopeEstimate? = nil, suppressedReason: SuppressedReason? = nil,
    medication: UUID? = nil, missed: MissedDoses? = nil, daysLeft: Double? = nil,
    coOccurrence: CoOccurrence? = nil
  ) {
    self.user = user
    self.pillar = pillar
    self.day = day
    self.rule = rule
    self.recent = recent
    self.baseline = baseline
    self.change = change
    self.coverage = coverage
    self.confidence = confidence
    self.slope = slope
    self.suppressedReason = suppressedReason
    self.medication = medication
    self.missed = missed
    self.daysLeft = daysLeft
    self.coOccurrence = coOccurrence
  }

  /// Doses of one medication that were missed in a row.
  public struct MissedDoses: Hashable, Sendable {
    public var doses: Int
    /// Calendar days in a row without any taken dose.
    public var days: Int

    public init(doses: Int, days: Int) {
      self.doses = doses
      self.days = days
    }
  }

  /// An episode of adherence and one of a metric that lie side by side, which says nothing of a cause.
  public struct CoOccurrence: Hashable, Sendable {
    /// `pattern_alert_state.id` of the episode of adherence.
    public var adherence: UUID
    /// That of the other.
    public var other: UUID
    public var otherMetric: MetricType

    public init(adherence: UUID, other: UUID, otherMetric: MetricType) {
      self.adherence = adherence
      self.other = other
      self.otherMetric = otherMetric
    }
  }

  public var severity: InsightSeverity { rule.severity }

  /// UUIDv5 of the natural key, the same in every database and mode.
  ///
  /// The rule is no part of it: one pillar of one person has one insight a day, and late data that
  /// make another rule match change the row instead of adding one. Only a refill stands beside missed doses
  /// of the same medication.
  public var id: UUID {
    var name = "trend_insights:\(user.lowercased):\(pillar.rawValue):\(day)"
    if let medication { name += ":\(medication.lowercased)" }
    if rule == .refillDue { name += ":\(rule.rawValue)" }
    if let coOccurrence {
      name += ":\(coOccurrence.adherence.lowercased):\(coOccurrence.other.lowercased)"
    }
    return UUID(name: name)
  }

  /// Values of the column `suppressed_reason`.
  public enum SuppressedReason: String, Sendable, Codable, CaseIterable {
    /// The pillar's score on the evaluated day is good again; the run of that day sets it.
    case recovered
    /// Late data do not support it; a run that judges its day again sets it.
    case retracted
  }
}

/// The rule that made an insight; values of the column `rule`.
public enum TrendRule: String, Sendable, Codable, CaseIterable {
  /// The recent points are among the lowest.
  case lowStreak = "low_streak"
  case dropVsBaseline = "drop_vs_baseline"
  case rebound
  /// The slope is below 0 with its whole confidence interval.
  case decliningTrend = "declining_trend"
  /// The slope is above 0 with its whole confidence interval.
  case improvingTrend = "improving_trend"
  /// Doses or days in a row without a dose (adherence.md section 4).
  case missedStreak = "missed_streak"
  /// The rest of a medication lasts a few days only (adherence.md section 4).
  case refillDue = "refill_due"
  /// An episode of adherence and one of a metric at the same time (adherence.md section 4).
  case concurrentEpisodes = "concurrent_episodes"

  public var severity: InsightSeverity {
    switch self {
    case .lowStreak, .dropVsBaseline, .decliningTrend, .missedStreak, .refillDue,
      .concurrentEpisodes:
      .attention
    case .rebound, .improvingTrend: .celebrate
    }
  }
}

/// Whether an insight asks for attention or is positive; derived from its rule.
public enum InsightSeverity: String, Sendable, Codable, CaseIterable {
  case attention
  case celebrate
}

/// A straight line's slope with its confidence interval.
public struct SlopeEstimate: Hashable, Sendable {
  /// Points of score a day.
  public var perDay: Double
  /// The interval's ends, in points a day; `lower <= perDay <= upper`.
  public var lower: Double
  public var upper: Double

  public init(perDay: Double, lower: Double, upper: Double) {
    self.perDay = perDay
    self.lower = lower
    self.upper = upper
  }
}
