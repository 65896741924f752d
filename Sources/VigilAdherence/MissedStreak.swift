public import VigilModel

/// The insight that doses of a medication were missed in a row (specification, adherence.md
/// section 4); its severity is always attention.
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let streak = MissedStreak(
///   user: UUID(name: "anna"), medication: UUID(name: "tablets"), day: day, missedDoses: 4,
///   daysWithoutDose: 3)
/// print(streak?.insight.rule.rawValue ?? "none")  // missed_streak
/// ```
public struct MissedStreak: Hashable, Sendable {
  public var user: UUID
  public var medication: UUID
  public var day: Day
  /// Expected doses missed in a row, up to `day`.
  public var missedDoses: Int
  /// Most calendar days in a row without any taken dose, in the current gap.
  public var daysWithoutDose: Int

  /// Nil where neither reaches its threshold.
  public init?(user: UUID, medication: UUID, day: Day, missedDoses: Int, daysWithoutDose: Int) {
    guard missedDoses >= Self.doses || daysWithoutDose >= Self.daysInARow else { return nil }
    self.user = user
    self.medication = medication
    self.day = day
    self.missedDoses = missedDoses
    self.daysWithoutDose = daysWithoutDose
  }

  /// The insight as a row of `trend_insights`; its coverage is the whole window.
  public var insight: TrendInsight {
    TrendInsight(
      user: user, pillar: .adherence, day: day, rule: .missedStreak, coverage: Self.days,
      confidence: 1, medication: medication,
      missed: TrendInsight.MissedDoses(doses: missedDoses, days: daysWithoutDose))
  }

  /// Days of the window, which ends on the evaluated day.
  static let days = 90
  private static let doses = 3
  private static let daysInARow = 2
}
