public import VigilModel

/// A member of a family and the findings of the trend rules about them.
public struct FamilyMemberTrends: Hashable, Sendable {
  public var user: UUID
  public var inviteStatus: FamilyMember.InviteStatus
  public var trends: PersonTrends

  public init(user: UUID, inviteStatus: FamilyMember.InviteStatus, trends: PersonTrends) {
    self.user = user
    self.inviteStatus = inviteStatus
    self.trends = trends
  }
}

/// A person asked for the insights of a family that they do not belong to.
public struct ViewerOutsideFamily: Error, Hashable, Sendable, CustomStringConvertible {
  public init() {}

  public var description: String {
    "the viewer is no accepted member of the family; ask as one who is"
  }
}

/// The insights that a family sees (specification, vitality.md section 2, `family_insights`).
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let (anna, ben) = (UUID(name: "anna"), UUID(name: "ben"))
/// let drop = TrendInsight(
///   user: anna, pillar: .sleep, day: day, rule: .dropVsBaseline, recent: 58, baseline: 76,
///   change: -0.24, coverage: 20, confidence: 0.95)
/// let quiet = PersonTrends(coverage: 20, daysNeeded: 0, lastScoreDay: day, insights: [])
/// let worse = PersonTrends(coverage: 20, daysNeeded: 0, lastScoreDay: day, insights: [drop])
/// let members = [
///   FamilyMemberTrends(user: anna, inviteStatus: .accepted, trends: worse),
///   FamilyMemberTrends(user: ben, inviteStatus: .accepted, trends: quiet),
/// ]
/// let shown = try FamilyInsights.shown(
///   to: ben, members: members, on: day, settings: TrendSettings(), hasPatternAlerts: false)
/// print(shown.map(\.rule.rawValue))  // ["drop_vs_baseline"]
/// ```
public enum FamilyInsights {
  /// At most this many attention insights, each of another member.
  public static let attentionLimit = 2

  /// The insights that `viewer` sees on `day`.
  ///
  /// - Parameters:
  ///   - viewer: The member who asks.
  ///   - members: All members of the family, in any order.
  ///   - day: The day on which the member asks.
  ///   - settings: The settings of trends.
  ///   - hasPatternAlerts: Whether `get_family_pattern_alerts` returns something to the viewer;
  ///     pattern alerts take precedence.
  /// - Throws: `ViewerOutsideFamily`.
  /// - Complexity: O(members log members).
  public static func shown(
    to viewer: UUID, members: [FamilyMemberTrends], on day: Day, settings: TrendSettings,
    hasPatternAlerts: Bool
  ) throws -> [TrendInsight] {
    guard members.contains(where: { $0.user == viewer && $0.inviteStatus == .accepted }) else {
      throw ViewerOutsideFamily()
    }
    if hasPatternAlerts { return [] }
    // A member without coverage has no insight of scores; if the one with most days lacks it, every member
    // does. Missed doses and refills need no score.
    let insights =
      members
      .filter { $0.user != viewer && $0.inviteStatus == .accepted }
      .sorted { $0.user.lowercased < $1.user.lowercased }
      .map { member in
        let hasScores = isEligible(member, on: day, settings: settings)
        return member.trends.insights.filter {
          $0.suppressedReason == nil && $0.rule != .concurrentEpisodes
            && (hasScores || $0.rule == .missedStreak || $0.rule == .refillDue)
        }
      }
    let attention = insights.compactMap { $0.first { $0.severity == .attention } }
    if !attention.isEmpty { return Array(attention.prefix(attentionLimit)) }
    return insights.lazy.compactMap { $0.first { $0.severity == .celebrate } }.first.map { [$0] }
      ?? []
  }

  /// Whether a member has accepted and has a score that is recent enough.
  public static func isEligible(
    _ member: FamilyMemberTrends, on day: Day, settings: TrendSettings
  ) -> Bool {
    guard member.inviteStatus == .accepted, let last = member.trends.lastScoreDay else {
      return false
    }
    return day - last <= settings.maxAgeDays
  }
}
