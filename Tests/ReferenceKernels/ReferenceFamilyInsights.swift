public import VigilModel
public import VigilVitality

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

/// The insights that a family sees (specification, vitality.md section 2, `family_insights`), which the databases find by
/// themselves.
public enum ReferenceFamilyInsights {
  /// At most this many attention insights, each of another member.
  public static let attentionLimit = 2

  /// The insights that `viewer` sees on `day`.
  ///
  /// - Parameters:
  ///   - viewer: The member who asks, who has accepted.
  ///   - members: All members of the family, in any order.
  ///   - day: The day on which the member asks.
  ///   - settings: The settings of trends.
  ///   - hasPatternAlerts: Whether `get_family_pattern_alerts` returns something to the viewer;
  ///     pattern alerts take precedence.
  /// - Complexity: O(members log members).
  public static func shown(
    to viewer: UUID, members: [FamilyMemberTrends], on day: Day, settings: TrendSettings,
    hasPatternAlerts: Bool
  ) -> [TrendInsight] {
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
