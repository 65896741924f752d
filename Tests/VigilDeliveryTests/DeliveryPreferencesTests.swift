import Foundation
import TestSupport
import Testing
import VigilDelivery
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
      (UserProfile(notifyInApp: false), []),
      (UserProfile(notifyInApp: false, notifyPush: true), [.push]),
      (UserProfile(notifyEmail: true), [.email, .inApp]),
      // The switches of champions are theirs alone.
      (UserProfile(championNotifyEmail: true, championNotifySMS: true), [.inApp]),
      (UserProfile(isChampion: true), [.email, .inApp]),
      (UserProfile(championNotifyEmail: false, isChampion: true), [.inApp]),
      (
        UserProfile(notifyEmail: true, championNotifyEmail: false, isChampion: true),
        [.email, .inApp]
      ),
      (
        UserProfile(
          notifyInApp: false, notifyPush: true, championNotifySMS: true, isChampion: true),
        [.push, .sms, .email]
      ),
    ])
  func channelsAreThoseThatAreOn(
    profile: UserProfile, expected: [PlannedNotification.Channel]
  ) {
    #expect(DeliveryPreferences(profile, zones: .system).channels == expected)
  }

  @Test func quietHoursAreTheirOwnInTheirOwnZone() throws {
    let profile = UserProfile(
      timeZone: "America/New_York", quietHoursStart: TimeOfDay("20:00"),
      quietHoursEnd: TimeOfDay("06:30"))
    let preferences = DeliveryPreferences(profile, zones: .system)
    let evening = try #require(Timestamp("2026-07-02T01:00:00Z"))
    let morning = try #require(Timestamp("2026-07-02T10:30:00Z"))
    for channel in [PlannedNotification.Channel.push, .email, .sms, .whatsapp] {
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
