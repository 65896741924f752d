import Foundation
import Testing
import VigilModel
import VigilVitality

@Suite struct FamilyInsightsTests {
  private let day = Day(ordinal: 20_539)
  private let viewer = UUID(name: "viewer")
  private let settings: TrendSettings

  init() throws {
    settings = try ShippedSettings.named("v1").trends
  }

  private func member(
    _ user: UUID, _ insights: [(Pillar, TrendRule)] = [],
    status: FamilyMember.InviteStatus = .accepted, lastScore: Int? = 0, isSuppressed: Bool = false
  ) -> FamilyMemberTrends {
    FamilyMemberTrends(
      user: user, inviteStatus: status,
      trends: PersonTrends(
        coverage: 21, daysNeeded: 0, lastScoreDay: lastScore.map { day - $0 },
        insights: insights.map { pillar, rule in
          TrendInsight(
            user: user, pillar: pillar, day: day, rule: rule, coverage: 21, confidence: 1,
            suppressedReason: isSuppressed ? .recovered : nil)
        }))
  }

  private func shown(_ members: [FamilyMemberTrends], alerts: Bool = false) throws -> [String] {
    try FamilyInsights.shown(
      to: viewer, members: members.shuffled() + [member(viewer, [(.sleep, .lowStreak)])], on: day,
      settings: settings, hasPatternAlerts: alerts
    ).map { "\($0.user.lowercased.suffix(1)) \($0.pillar) \($0.rule)" }
  }

  /// Ids that differ in their last digit.
  private func user(_ number: Int) throws -> UUID {
    try #require(UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)"))
  }

  @Test func twoMembersGoByTheirIdAndPillarsInTheirOrder() throws {
    let members = [
      member(try user(3), [(.sleep, .lowStreak)]),
      member(try user(1), [(.movement, .rebound), (.stress, .dropVsBaseline)]),
      member(try user(2), [(.movement, .decliningTrend), (.adherence, .lowStreak)]),
    ]
    #expect(try shown(members) == ["1 stress dropVsBaseline", "2 movement decliningTrend"])
  }

  @Test func withoutAttentionThereIsOneCelebrate() throws {
    let members = [
      member(try user(2), [(.sleep, .rebound)]), member(try user(3), [(.sleep, .rebound)]),
      member(try user(1), [(.sleep, .lowStreak)], isSuppressed: true),
    ]
    #expect(try shown(members) == ["2 sleep rebound"])
  }

  @Test func missedDosesNeedNoScore() throws {
    let members = [
      member(try user(1), [(.sleep, .lowStreak)], lastScore: nil),
      member(try user(2), [(.sleep, .lowStreak), (.adherence, .missedStreak)], lastScore: nil),
      member(try user(3), [(.adherence, .missedStreak)], status: .pending),
      member(try user(4), [(.adherence, .concurrentEpisodes)]),
    ]
    #expect(try shown(members) == ["2 adherence missedStreak"])
  }

  @Test func membersWhoAreNotEligibleAreLeftOut() throws {
    let low: [(Pillar, TrendRule)] = [(.sleep, .lowStreak)]
    let members = [
      member(try user(1), low, status: .pending), member(try user(2), low, status: .declined),
      member(try user(3), low, lastScore: 4), member(try user(4), low, lastScore: nil),
      member(try user(5), low, lastScore: 3),
    ]
    #expect(try shown(members) == ["5 sleep lowStreak"])
  }

  @Test func patternAlertsTakePrecedence() throws {
    let members = [member(try user(1), [(.sleep, .lowStreak)])]
    #expect(try shown(members) == ["1 sleep lowStreak"])
    #expect(try shown(members, alerts: true) == [])
  }

  @Test(arguments: [FamilyMember.InviteStatus.pending, .declined, nil])
  func aViewerOutsideTheFamilyGetsAnErrorEvenWithAlerts(status: FamilyMember.InviteStatus?) throws {
    var members = [member(try user(1), [(.sleep, .lowStreak)])]
    if let status { members.append(member(viewer, status: status)) }
    for alerts in [false, true] {
      #expect(throws: ViewerOutsideFamily()) {
        try FamilyInsights.shown(
          to: viewer, members: members, on: day, settings: settings, hasPatternAlerts: alerts)
      }
    }
  }
}
