import Foundation
import Testing
import VigilModel
import VigilNotifications

@Suite struct PatternAlertNotificationTests {
  private let now = Timestamp(microseconds: 1_780_000_000_000_000)

  private func notification(level: AlertLevel, deviation: Double?) throws
    -> PatternAlertNotification
  {
    let series = SeriesKey(user: UUID(name: "person"), metric: MetricType("steps"), pattern: .drop)
    let since = try #require(Day("2026-03-01"))
    return PatternAlertNotification(
      series: series, alertStateID: PatternAlertState.id(of: series, activeSince: since),
      level: level, activeSince: since, evaluatedDay: since + (level.rawValue - 1),
      deviation: deviation)
  }

  @Test func payloadHoldsExactlyTheStandardKeys() throws {
    let payload = try notification(level: .day7, deviation: -0.25).payload
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "active_since", "detail", "deviation", "evaluated_end_date", "kind", "level",
        "member_user_id", "metric_type", "pattern_type", "severity",
      ])
    #expect(object["evaluated_end_date"] as? String == "2026-03-07")
    #expect(object["deviation"] as? Double == -0.25)
    #expect(object["severity"] as? String == "attention")
  }

  @Test func aBaselineOfZeroGivesANullDeviation() throws {
    #expect(try notification(level: .day3, deviation: nil).payload.contains("\"deviation\":null"))
  }

  @Test(arguments: [
    (AlertLevel.day3, PlannedNotification.Priority.normal), (.day7, .high), (.day14, .critical),
    (.day21, .critical),
  ])
  func priorityFollowsSeverity(level: AlertLevel, priority: PlannedNotification.Priority) throws {
    let row = try notification(level: level, deviation: -0.3).planned(
      for: UUID(name: "mother"), at: now)
    #expect(row.priority == priority)
    #expect(row.channel == .push)
    #expect(row.expiresAt == now.adding(seconds: 86_400))
  }

  @Test func theKeyTellsRecipientsAndLevelsApart() throws {
    let first = try notification(level: .day3, deviation: -0.3)
    let second = try notification(level: .day7, deviation: -0.3)
    let mother = UUID(name: "mother")
    let keys = [
      first.planned(for: mother, at: now), first.planned(for: UUID(name: "father"), at: now),
      second.planned(for: mother, at: now),
    ].map(\.dedupeKey)
    #expect(Set(keys).count == 3)
    #expect(
      first.planned(for: mother, at: now).id
        == first.planned(for: mother, at: now.adding(seconds: 60)).id)
  }
}
