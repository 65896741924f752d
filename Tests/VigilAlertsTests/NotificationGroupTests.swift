import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel

@Suite struct NotificationGroupTests {
  private let now = Timestamp(microseconds: 1_780_000_000_000_000)
  private let profile = Profile(version: "v1", digest: String(repeating: "ab", count: 32))

  /// The rows for `recipients` about a metric of a person, with grouping.
  private func rows(
    of person: String, _ metric: String, _ level: AlertLevel, to recipients: String...,
    preferring preferences: DeliveryPreferences = DeliveryPreferences(
      UserProfile(switches: [.push: true]), zones: .system),
    day: String = "2026-05-28", facts: DeliveryFacts = [],
    occasion: PatternAlertNotification.Occasion = .level, groups: Bool = true
  ) throws -> [PlannedNotification] {
    let series = SeriesKey(
      user: UUID(name: person), metric: MetricType(metric), pattern: .drop)
    let day = try #require(Day(day))
    let notification = PatternAlertNotification(
      occasion: occasion, series: series,
      alertStateID: PatternAlertState.id(
        of: series, activeSince: day - level.rawValue, in: profile),
      level: level, activeSince: day - level.rawValue, evaluatedDay: day, deviation: -0.3,
      facts: facts)
    return recipients.flatMap { recipient in
      notification.planned(
        for: [(UUID(name: recipient), preferences)],
        by: NotificationPolicy(groupsByRecipient: groups), at: now)
    }
  }

  @Test func severalAlertsOfAFamilyAreGroupedOnEachChannel() throws {
    let rows =
      try rows(of: "grandmother", "steps", .day3, to: "mother", "father")
      + rows(of: "grandmother", "hrv_ms", .day14, to: "mother", "father")
      + rows(of: "son", "steps", .day7, to: "mother")
    let groups = NotificationGroup.groups(of: rows)
    // Two people on push and in the app.
    #expect(groups.count == 4)
    for group in groups {
      let isMother = group.notification.recipient == UUID(name: "mother")
      #expect(group.members.count == (isMother ? 3 : 2))
      #expect(group.notification.level == .day14)
      #expect(group.notification.priority == .critical)
      #expect(group.notification.member == UUID(name: "grandmother"))
    }
    #expect(Set(groups.map(\.notification.id)).count == 4)
    #expect(Set(groups.flatMap(\.members)) == Set(rows.map(\.dedupeKey)))
  }

  @Test func theOrderOfTheRowsMakesNoDifference() throws {
    let rows =
      try rows(of: "a", "steps", .day3, to: "mother") + rows(of: "b", "steps", .day3, to: "mother")
      + rows(of: "c", "hrv_ms", .day7, to: "mother")
    #expect(NotificationGroup.groups(of: rows) == NotificationGroup.groups(of: rows.reversed()))
  }

  @Test func whatIsAloneGoesOutByItself() throws {
    let rows =
      try rows(of: "a", "steps", .day3, to: "mother") + rows(of: "b", "steps", .day3, to: "father")
    #expect(NotificationGroup.groups(of: rows).isEmpty)
  }

  @Test func nothingIsGroupedThatIsNotSentOrMayNotBe() throws {
    let alone = try rows(of: "a", "steps", .day3, to: "mother")
    for other in [
      try rows(of: "a", "hrv_ms", .day7, to: "mother", facts: .isSnoozed),
      try rows(of: "a", "hrv_ms", .day7, to: "mother", occasion: .recovery),
      try rows(of: "a", "hrv_ms", .day7, to: "mother", groups: false),
      try rows(of: "a", "hrv_ms", .day7, to: "mother", day: "2026-05-29"),
    ] {
      #expect(NotificationGroup.groups(of: alone + other).isEmpty)
    }
  }

  @Test func aGroupIsDueWithItsGravestAlert() throws {
    let quiet = DeliveryPreferences(
      UserProfile(
        switches: [.inApp: false, .push: true], quietHoursStart: TimeOfDay("00:00"),
        quietHoursEnd: TimeOfDay("23:59")), zones: .system)
    let watch = try rows(of: "a", "steps", .day3, to: "mother", preferring: quiet)
    let high = try rows(of: "a", "hrv_ms", .day7, to: "mother", preferring: quiet)
    let critical = try rows(of: "b", "hrv_ms", .day14, to: "mother", preferring: quiet)
    let waits = try #require(NotificationGroup.groups(of: watch + high).first?.notification)
    #expect(waits.scheduledFor > now && waits.statusReason == .quietHours)
    let urgent = try #require(NotificationGroup.groups(of: watch + critical).first?.notification)
    #expect(urgent.scheduledFor == now && urgent.statusReason == nil)
  }
}
