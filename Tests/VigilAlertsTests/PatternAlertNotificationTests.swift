import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel

@Suite struct PatternAlertNotificationTests {
  private let now = Timestamp(microseconds: 1_780_000_000_000_000)
  private let profile = Profile(version: "v1", digest: String(repeating: "ab", count: 32))

  private func notification(level: AlertLevel, deviation: Double?) throws
    -> PatternAlertNotification
  {
    let series = SeriesKey(user: UUID(name: "person"), metric: MetricType("steps"), pattern: .drop)
    let since = try #require(Day("2026-03-01"))
    return PatternAlertNotification(
      series: series,
      alertStateID: PatternAlertState.id(of: series, activeSince: since, in: profile),
      level: level, activeSince: since, evaluatedDay: since + (level.rawValue - 1),
      deviation: deviation)
  }

  @Test func payloadHoldsExactlyTheStandardKeys() throws {
    let payload = try notification(level: .day7, deviation: -0.25).payload(.standard).text
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "active_since", "detail", "deviation", "duration_days", "evaluated_end_date", "kind",
        "level",
        "member_user_id", "metric_type", "pattern_type", "severity",
      ])
    #expect(object["evaluated_end_date"] as? String == "2026-03-07")
    #expect(object["deviation"] as? Double == -0.25)
    #expect(object["severity"] as? String == "attention")
  }

  @Test func aBaselineOfZeroGivesANullDeviation() throws {
    #expect(
      try notification(level: .day3, deviation: nil).payload(.standard).text.contains(
        "\"deviation\":null"))
  }

  @Test(arguments: [
    (AlertLevel.day3, PlannedNotification.Priority.normal), (.day7, .high), (.day14, .critical),
    (.day21, .critical),
  ])
  func priorityFollowsSeverity(level: AlertLevel, priority: PlannedNotification.Priority) throws {
    let rows = try notification(level: level, deviation: -0.3).planned(
      for: [(UUID(name: "mother"), DeliveryPreferences(nil, zones: .system))], at: now)
    #expect(rows.map(\.channel) == [.push, .inApp])
    #expect(rows.allSatisfy { $0.priority == priority })
    #expect(rows.allSatisfy { $0.expiresAt == $0.scheduledFor.adding(seconds: 86_400) })
  }

  @Test("in the app a row expires only where another channel is on")
  func expiryInTheApp() throws {
    func rows(_ switches: [ChannelSwitch: Bool]) throws -> [PlannedNotification] {
      try notification(level: .day14, deviation: -0.3).planned(
        for: [
          (
            UUID(name: "mother"),
            DeliveryPreferences(UserProfile(switches: switches), zones: .system)
          )
        ], at: now)
    }
    #expect(try rows([:]).map(\.channel) == [.inApp])
    #expect(try rows([:]).map(\.expiresAt) == [nil])
    for switches: [ChannelSwitch: Bool] in [[.push: true], [.email: true]] {
      let both = try rows(switches)
      #expect(both.count == 2 && both.contains { $0.channel == .inApp })
      #expect(both.allSatisfy { $0.expiresAt == $0.scheduledFor.adding(seconds: 86_400) })
    }
    // Who has everything off is not notified, so that nothing has to stay.
    let off = try rows([.inApp: false])
    #expect(off.map(\.status) == [.skipped] && off.allSatisfy { $0.expiresAt != nil })
  }

  @Test func channelsHaveTimesOfTheirOwn() throws {
    let night = try #require(Timestamp("2026-07-02T01:00:00Z"))
    let preferences = DeliveryPreferences(
      UserProfile(switches: [.push: true, .email: true]), zones: .system)
    let rows = try notification(level: .day7, deviation: -0.3).planned(
      for: [(UUID(name: "mother"), preferences)], at: night)
    let morning = try #require(Timestamp("2026-07-02T07:00:00Z"))
    #expect(rows.map(\.channel) == [.push, .email, .inApp])
    #expect(rows.map(\.scheduledFor) == [morning, morning, night])
    #expect(rows.map(\.statusReason) == [.quietHours, .quietHours, nil])
    #expect(rows.allSatisfy { $0.status == .pending })
  }

  @Test func aRecipientWithEveryChannelOffGetsASkippedRow() throws {
    let silent = DeliveryPreferences(UserProfile(switches: [.inApp: false]), zones: .system)
    let rows = try notification(level: .day7, deviation: -0.3).planned(
      for: [(UUID(name: "mother"), silent)], at: now)
    #expect(rows.map(\.channel) == [.inApp])
    #expect(rows.map(\.status) == [.skipped])
    #expect(rows.map(\.statusReason) == [.preferenceOff])
  }

  @Test(arguments: [
    (DeliveryFacts.isSnoozed, PlannedNotification.StatusReason.snoozed), (.isDismissed, .dismissed),
  ])
  func notificationsOfASnoozedOrDismissedAlertAreSkipped(
    facts: DeliveryFacts, reason: PlannedNotification.StatusReason
  ) throws {
    var notification = try notification(level: .day7, deviation: -0.3)
    let unwithheld = notification.planned(
      for: [(UUID(name: "mother"), DeliveryPreferences(nil, zones: .system))], at: now)
    notification.facts = facts
    let rows = notification.planned(
      for: [(UUID(name: "mother"), DeliveryPreferences(nil, zones: .system))], at: now)
    #expect(rows.map(\.statusReason) == [reason, reason])
    #expect(rows.map(\.id) == unwithheld.map(\.id))
  }

  @Test func aRecoveryIsDueAfterQuietHours() throws {
    var notification = try notification(level: .day21, deviation: -0.3)
    notification.occasion = .recovery
    let night = try #require(Timestamp("2026-07-02T01:00:00Z"))
    let rows = notification.planned(
      for: [(UUID(name: "mother"), DeliveryPreferences(nil, zones: .system))], at: night)
    #expect(rows.allSatisfy { $0.priority == .normal && $0.kind == .patternRecovery })
    #expect(rows.first { $0.channel == .push }?.statusReason == .quietHours)
    #expect(rows.allSatisfy { $0.payload.contains("\"kind\":\"pattern_recovery\"") })
  }

  @Test func theKeyDiffersByRecipientAndLevel() throws {
    let first = try notification(level: .day3, deviation: -0.3)
    let second = try notification(level: .day7, deviation: -0.3)
    func planned(
      _ notification: PatternAlertNotification, for name: String, after seconds: Int64 = 0
    ) -> [PlannedNotification] {
      notification.planned(
        for: [(UUID(name: name), DeliveryPreferences(nil, zones: .system))],
        at: now.adding(seconds: seconds))
    }
    let keys =
      (planned(first, for: "mother") + planned(first, for: "father")
      + planned(second, for: "mother"))
      .map(\.dedupeKey)
    #expect(Set(keys).count == 6)
    #expect(
      planned(first, for: "mother").map(\.id)
        == planned(first, for: "mother", after: 60).map(\.id))
  }
}
