import Foundation
import Testing
import VigilModel

/// The keys by which rows are known: what is in them, and what is not.
@Suite struct KeyTests {
  private let series = SeriesKey(
    user: UUID(name: "person"), metric: MetricType("steps"), pattern: .drop)
  private let profile = Profile(version: "v1", digest: "0123456789abcdef")

  private func notification() throws -> PlannedNotification {
    let since = try #require(Day("2026-03-01"))
    let now = Timestamp(microseconds: 1_780_000_000_000_000)
    return PlannedNotification(
      recipient: UUID(name: "mother"), member: series.user,
      alertStateID: PatternAlertState.id(of: series, activeSince: since, in: profile), level: .day7,
      channel: .push, payload: "{}", priority: .high, scheduledFor: now,
      expiresAt: now.adding(seconds: 86_400))
  }

  @Test func theDedupeKeyNamesMemberAlertRecipientChannelAndLevel() throws {
    let planned = try notification()
    #expect(
      planned.dedupeKey.split(separator: ":").map(String.init) == [
        planned.member.lowercased, planned.alertStateID.lowercased, planned.recipient.lowercased,
        "push", "7",
      ])
    #expect(planned.id == UUID(name: "notification_queue:\(planned.dedupeKey)"))
  }

  @Test(
    arguments: [
      { $0.recipient = UUID(name: "father") }, { $0.alertStateID = UUID(name: "other") },
      { $0.channel = .email }, { $0.level = .day14 }, { $0.member = UUID(name: "other") },
    ] as [@Sendable (inout PlannedNotification) -> Void])
  func anotherNotificationHasAnotherKey(
    change: @Sendable (inout PlannedNotification) -> Void
  ) throws {
    let planned = try notification()
    var other = planned
    change(&other)
    #expect(other.dedupeKey != planned.dedupeKey)
    #expect(other.id != planned.id)
  }

  @Test func timesTextAndPriorityAreNoPartOfTheKey() throws {
    let planned = try notification()
    var other = planned
    other.scheduledFor = planned.scheduledFor.adding(seconds: 3600)
    other.expiresAt = nil
    other.payload = "{\"level\":7}"
    other.priority = .critical
    other.statusReason = .snoozed
    other.groupNight = Day("2026-03-07")
    other.maxAttempts = 9
    #expect(other.dedupeKey == planned.dedupeKey)
    #expect(other.id == planned.id)
  }

  @Test func aLevelARecoveryAndAGroupHaveKeysOfTheirOwn() throws {
    let level = try notification()
    let night = try #require(Day("2026-03-07"))
    var recovery = level
    recovery.kind = .patternRecovery
    var groups = [level, level, level]
    groups[0].kind = .patternAlertGroup(night: night, members: UUID(name: "one"))
    groups[1].kind = .patternAlertGroup(night: night, members: UUID(name: "other"))
    groups[2].kind = .patternAlertGroup(night: night + 1, members: UUID(name: "one"))
    #expect(Set(([level, recovery] + groups).map(\.dedupeKey)).count == 5)
    #expect(recovery.dedupeKey.hasSuffix(":push:recovered"))
    #expect(recovery.templateID == "pattern_alert.recovered")
    #expect(groups[0].templateID == "pattern_alert.group")
  }

  @Test func anEscalationIsKnownByAlertCaregiverAndLevel() throws {
    let push = try notification()
    var others = [push, push, push, push]
    others[0].channel = .email
    #expect(push.escalationID != nil && others[0].escalationID == push.escalationID)
    others[1].recipient = UUID(name: "father")
    others[2].level = .day14
    #expect(Set([push, others[1], others[2]].map(\.escalationID)).count == 3)
    // The person, too: an emergency contact may follow.
    others[3].recipient = push.member
    #expect(Set([push, others[3]].map(\.escalationID)).count == 2)
    others[3].kind = .patternRecovery
    #expect(others[3].escalationID == nil)
  }

  @Test func onlyWhatWaitsForTheMorningIsPendingWithAReason() throws {
    var planned = try notification()
    #expect(planned.status == .pending)
    for reason in PlannedNotification.StatusReason.allCases {
      planned.statusReason = reason
      #expect(planned.status == (reason == .quietHours ? .pending : .skipped))
    }
  }

  @Test func aProfileIsKnownByItsVersionAndDigest() {
    #expect(profile.id == "v1@0123456789ab")
    #expect(profile != Profile(version: "v1", digest: "0123456789abcdff"))
  }

  @Test func anAlertIsKnownByItsProfileSeriesAndFirstDay() throws {
    let since = try #require(Day("2026-03-01"))
    var others = [series, series, series]
    others[0].user = UUID(name: "other")
    others[1].metric = MetricType("hrv_ms")
    others[2].pattern = .rise
    let ids =
      [series].map { PatternAlertState.id(of: $0, activeSince: since + 1, in: profile) }
      + (others + [series]).map { PatternAlertState.id(of: $0, activeSince: since, in: profile) }
    let edited = Profile(version: "v1", digest: "fedcba9876543210")
    #expect(
      Set(ids + [PatternAlertState.id(of: series, activeSince: since, in: edited)]).count == 6)
    #expect(
      ids.last
        == UUID(
          name: "pattern_alert_state:v1@0123456789ab:\(series.user.lowercased)"
            + ":steps:drop_vs_baseline:2026-03-01"))
  }

  @Test func seriesAreOrderedByPersonMetricAndPattern() {
    let users = [UUID(name: "a"), UUID(name: "b")].sorted { $0.lowercased < $1.lowercased }
    let ordered = users.flatMap { user in
      ["hrv_ms", "steps"].flatMap { metric in
        [PatternType.drop, .rise].map {
          SeriesKey(user: user, metric: MetricType(metric), pattern: $0)
        }
      }
    }
    #expect(ordered.reversed().sorted() == ordered)
  }
}
