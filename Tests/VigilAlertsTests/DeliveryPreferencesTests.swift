import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel

@Suite struct DeliveryPreferencesTests {
  @Test func aPersonWithoutAProfileIsNotifiedInTheAppAndByPush() {
    let preferences = DeliveryPreferences(nil, zones: .system)
    #expect(preferences.channels == [.push, .inApp])
    #expect(preferences.quietHours?.start.description == "22:00")
    #expect(preferences.quietHours?.end.description == "07:00")
    #expect(preferences.quietHours?.zone == .utc)
    #expect(!preferences.quietHoursApplyToCritical)
  }

  @Test(
    arguments: [
      (UserProfile(), [PlannedNotification.Channel.inApp]),
      (UserProfile(switches: [.inApp: false]), []),
      (UserProfile(switches: [.inApp: false, .push: true]), [.push]),
      (UserProfile(switches: [.email: true]), [.email, .inApp]),
      // The switches of champions are theirs alone.
      (UserProfile(switches: [.emailOfChampions: true, .smsOfChampions: true]), [.inApp]),
      (UserProfile(isChampion: true), [.email, .inApp]),
      (UserProfile(switches: [.emailOfChampions: false], isChampion: true), [.inApp]),
      (
        UserProfile(switches: [.email: true, .emailOfChampions: false], isChampion: true),
        [.email, .inApp]
      ),
      (
        UserProfile(
          switches: [.inApp: false, .push: true, .smsOfChampions: true], isChampion: true),
        [.push, .sms, .email]
      ),
      (UserProfile(switches: [.call: true]), [.call, .inApp]),
    ])
  func channelsAreThoseThatAreOn(
    profile: UserProfile, expected: [PlannedNotification.Channel]
  ) {
    #expect(DeliveryPreferences(profile, zones: .system).channels == expected)
  }

  @Test(
    "a person is called by telephone about critical notifications only",
    arguments: PlannedNotification.Priority.allCases)
  func callsAreForWhatCannotWait(priority: PlannedNotification.Priority) {
    let preferences = DeliveryPreferences(
      UserProfile(switches: [.call: true, .push: true]), zones: .system)
    #expect(
      preferences.channels(for: priority)
        == (priority == .critical ? [.push, .call, .inApp] : [.push, .inApp]))
  }

  @Test func quietHoursAreTheirOwnInTheirOwnZone() throws {
    let profile = UserProfile(
      timeZone: "America/New_York", quietHoursStart: TimeOfDay("20:00"),
      quietHoursEnd: TimeOfDay("06:30"))
    let preferences = DeliveryPreferences(profile, zones: .system)
    let evening = try #require(Timestamp("2026-07-02T01:00:00Z"))
    let morning = try #require(Timestamp("2026-07-02T10:30:00Z"))
    for channel in [PlannedNotification.Channel.push, .email, .sms] {
      #expect(
        preferences.dueTime(on: channel, priority: .high, readyAt: evening) == morning)
    }
    #expect(preferences.dueTime(on: .inApp, priority: .high, readyAt: evening) == evening)
    #expect(preferences.dueTime(on: .push, priority: .critical, readyAt: evening) == evening)
    #expect(preferences.dueTime(on: .push, priority: .high, readyAt: morning) == morning)
  }

  @Test func criticalOnesWaitForThoseWhoWantThemTo() throws {
    let preferences = DeliveryPreferences(
      UserProfile(quietHoursApplyToCritical: true), zones: .system)
    let night = try #require(Timestamp("2026-07-02T01:00:00Z"))
    #expect(
      preferences.dueTime(on: .push, priority: .critical, readyAt: night)
        == Timestamp("2026-07-02T07:00:00Z"))
  }

  /// 2026-07-02 is a Thursday.
  @Test func doNotDisturbHoldsBesidesQuietHours() throws {
    func hours(_ weekday: Int, _ start: String, _ end: String) throws -> WeeklyHours {
      WeeklyHours(
        weekday: weekday, start: try #require(TimeOfDay(start)), end: try #require(TimeOfDay(end)))
    }
    var profile = UserProfile(
      doNotDisturb: try [hours(4, "06:30", "08:00"), hours(4, "21:00", "22:30")])
    func due(
      _ instant: String, on channel: PlannedNotification.Channel = .push,
      _ priority: PlannedNotification.Priority = .high
    ) throws -> Timestamp {
      try DeliveryPreferences(profile, zones: .system).dueTime(
        on: channel, priority: priority, readyAt: #require(Timestamp(instant)))
    }
    // Quiet hours end within the first window, and begin within the second.
    #expect(try due("2026-07-02T03:00:00Z") == Timestamp("2026-07-02T08:00:00Z"))
    #expect(try due("2026-07-02T21:30:00Z") == Timestamp("2026-07-03T07:00:00Z"))
    #expect(try due("2026-07-02T12:00:00Z") == Timestamp("2026-07-02T12:00:00Z"))
    #expect(
      try due("2026-07-02T07:30:00Z", on: .inApp) == Timestamp("2026-07-02T07:30:00Z"))
    #expect(
      try due("2026-07-02T07:30:00Z", on: .push, .critical) == Timestamp("2026-07-02T07:30:00Z"))
    profile.quietHoursApplyToCritical = true
    #expect(
      try due("2026-07-02T07:30:00Z", on: .push, .critical) == Timestamp("2026-07-02T08:00:00Z"))
    // By the clock of the profile.
    profile.timeZone = "Asia/Tokyo"
    #expect(try due("2026-07-02T22:00:00Z") == Timestamp("2026-07-02T22:00:00Z"))
    #expect(try due("2026-07-01T22:00:00Z") == Timestamp("2026-07-01T23:00:00Z"))
  }

  @Test func aWeekWithoutAnyTimeIsWaitedForUntilANotificationExpires() throws {
    let now = try #require(Timestamp("2026-07-02T12:00:00Z"))
    let (seven, ten) = (TimeOfDay.sevenInTheMorning, TimeOfDay.tenInTheEvening)
    for (start, end) in [(seven, ten), (seven, seven)] {
      let week = (0...6).map { WeeklyHours(weekday: $0, start: start, end: end) }
      let preferences = DeliveryPreferences(UserProfile(doNotDisturb: week), zones: .system)
      let expiry = now.adding(seconds: PlannedNotification.lifetimeSeconds)
      #expect(preferences.dueTime(on: .push, priority: .high, readyAt: now) == expiry)
      #expect(preferences.dueTime(on: .push, priority: .critical, readyAt: now) == now)
      #expect(preferences.dueTime(on: .inApp, priority: .high, readyAt: now) == now)
    }
  }

  @Test func noQuietHoursAndAnUnknownZoneAreNoObstacle() throws {
    let always = DeliveryPreferences(
      UserProfile(
        timeZone: "Mars/Olympus", quietHoursStart: TimeOfDay("07:00"),
        quietHoursEnd: TimeOfDay("07:00")), zones: .system)
    let night = try #require(Timestamp("2026-07-02T01:00:00Z"))
    #expect(always.quietHours == nil)
    #expect(always.dueTime(on: .push, priority: .normal, readyAt: night) == night)
    let inUTC = DeliveryPreferences(UserProfile(timeZone: "Mars/Olympus"), zones: .system)
    #expect(inUTC.quietHours?.zone == .utc)
  }
}
