import Foundation
import GoldenFiles
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct AlertReportTests {
  private let externalIDs = [
    Samples.person(1): "participant-1", Samples.person(2): "participant-2",
  ]

  private func alert() throws -> PatternAlertState {
    try Samples.alert(
      person: 1, metric: "steps", pattern: .drop, since: "2026-06-20", days: 9, baseline: 8420,
      recent: 3210)
  }

  private func outcome(
    _ kind: AlertAction.Kind, others: Int = 0, notifications: Int = 0, escalations: Int = 0,
    _ change: (inout PatternAlertState) -> Void = { _ in }
  ) throws -> AlertActionReport {
    var alert = try alert()
    change(&alert)
    let action = AlertAction(kind, alert: alert.id, by: Samples.person(2), at: Samples.time)
    return AlertActionReport(
      outcome: AlertActionOutcome(
        action: action, alert: alert, otherAlerts: others, notifications: notifications,
        escalations: escalations),
      externalIDs: externalIDs)
  }

  @Test func whatIsTrueNowIsOneLine() throws {
    let day = try Samples.day("2026-07-03")
    let snooze = try outcome(.snooze(until: day), notifications: 2) { $0.snoozeUntil = day }
    let lines = [
      snooze,
      try outcome(.snooze(until: day)) { $0.dismissedAt = Samples.time },
      try outcome(.acknowledge, escalations: 1) {
        $0.acknowledgedAt = Samples.time
        $0.acknowledgedBy = Samples.person(2)
      },
      try outcome(.acknowledge) {
        $0.acknowledgedAt = Samples.time.adding(seconds: -3600)
        $0.acknowledgedBy = Samples.person(1)
      },
      try outcome(.dismiss, notifications: 1, escalations: 2),
      try outcome(.dismiss, others: 2, notifications: 1),
      try outcome(.restore, notifications: 1),
      try outcome(.restore),
    ].map { $0.text(style: .plain) }
    #expect(lines.allSatisfy { $0.split(separator: "\n").count == 1 && $0.hasSuffix(".\n") })
    try expectSnapshot(lines.joined(), "alert-actions.txt")
    try expectSnapshot(try snooze.json(), "alert-action.json")
  }

  @Test func anAlertAboutAMedicationIsShown() throws {
    var alert = try Samples.medicationAlert(person: 1, .refillDue, since: "2026-06-20", days: 6)
    alert.acknowledgedAt = Samples.time
    alert.acknowledgedBy = Samples.person(2)
    alert.lastNotifiedLevel = .day7
    alert.lastNotifiedAt = Samples.time
    let report = AlertReport(
      alert: alert,
      actions: [
        AlertAction(.acknowledge, alert: alert.id, by: Samples.person(2), at: Samples.time)
      ],
      notifications: [], shadowNotifications: [], externalIDs: externalIDs)
    try expectSnapshot(report.text(style: .plain), "medication-alert.txt")
    try expectSnapshot(try report.json(), "medication-alert.json")
  }

  /// A medication of which nothing is taken, by evidence, and one dose of a rare schedule.
  @Test func anAlertAboutDosesOfAMedicationSaysWhatIsKnown() throws {
    var streak = try Samples.medicationAlert(person: 1, .missedStreak, since: "2026-06-20", days: 6)
    streak.episode.level = .day3
    streak.episode.doses = DoseEvidence(
      openedOn: streak.episode.activeSince + 3, windowDays: 4, missed: 4, expected: 4,
      evidence: 12.5, threshold: 9.7, heldLevel: 0.8,
      anchor: DoseAnchor(
        missed: 9, expected: 90, share: 0.1, withinDay: 0.5, weekdays: SIMD8(repeating: 0.1),
        run: 0.1, countedDoses: 95), recordedOn: nil)
    func text(_ alert: PatternAlertState) -> String {
      AlertReport(alert: alert, actions: [], notifications: [], shadowNotifications: [])
        .text(style: .plain)
    }
    #expect(
      text(streak).contains(
        "no dose of a medication has been recorded since 2026-06-20; usually 1 of 10 missed\n"))
    #expect(text(streak).contains("12.50 nats over 4 days, 9.70 needed\n"))
    let since = streak.episode.activeSince
    streak.episode.doses?.recordedOn = since + 1
    #expect(text(streak).contains("no dose of a medication has been taken since 2026-06-20"))
    var ended = streak
    ended.episode.resolution = Episode.Resolution(day: since + 6, reason: .recovered)
    #expect(
      text(ended).contains("no dose of a medication was taken from 2026-06-20 to 2026-06-25;"))
    // The alert was not known before it opened, and had a lower level.
    streak.episode.duration = 20
    streak.episode.level = .day14
    streak.episode.lastEvaluated = since + 19
    #expect(streak.standing(on: since + 2) == nil)
    #expect(streak.standing(on: since + 6)?.episode.level == .day7)

    var dose = try Samples.medicationAlert(person: 1, .missedDose, since: "2026-06-03", days: 9)
    dose.episode.level = .day3
    dose.episode.figures.recent.start = dose.episode.activeSince + 3
    #expect(
      text(dose).contains("a dose that was due on 2026-06-03 has no record that it was taken\n"))
    #expect(text(dose).contains("3, watch\n"))
    #expect(dose.standing(on: dose.episode.activeSince + 2) == nil)
    #expect(dose.standing(on: dose.episode.activeSince + 3) != nil)
    #expect(
      dose.sentence(AlertLimits())
        == "A dose that was due on 2026-06-03 has no record that it was taken")

    var all = try Samples.alert(
      person: 1, metric: "dose_adherence_pct", pattern: .drop, since: "2026-06-20", days: 6,
      baseline: 90, recent: 10)
    all.episode.doses = streak.episode.doses
    var report = AlertReport(alert: all, actions: [], notifications: [], shadowNotifications: [])
    report.medications = [streak]
    let id = try #require(streak.series.medication).lowercased
    #expect(report.text(style: .plain).contains("medication \(id) since 2026-06-20\n"))
    #expect(try JSON(text: report.json())["medications"]?.elements.count == 1)
  }

  @Test func theOtherAlertsOfItsEventAreListed() throws {
    let alert = try alert()
    var ended = try Samples.alert(
      person: 1, since: "2026-06-24", days: 4, baseline: 58, recent: 66, resolution: .recovered)
    ended.eventID = alert.id
    var sleep = try Samples.alert(
      person: 1, metric: "sleep_minutes", pattern: .drop, since: "2026-06-22", days: 7,
      baseline: 432, recent: 371)
    sleep.eventID = alert.id
    let report = AlertReport(
      alert: alert, others: [ended, sleep], actions: [], notifications: [],
      shadowNotifications: [])
    var provisional = report
    provisional.provisional = [alert.id, ended.id]
    let words = provisional.text(style: .plain)
    #expect(words.contains("State            going on, provisional\n"), "\(words)")
    #expect(words.contains("over since \(try #require(ended.episode.resolution).day), provisional"))
    let flags = try JSON(text: try provisional.json())
    #expect(flags["alert"]?["provisional"] == .boolean(true))
    #expect(
      flags["others"]?.elements.map { $0["provisional"] } == [.boolean(false), .boolean(true)])
    let text = report.text(style: .plain)
    let start = try #require(text.range(of: "\nIn the same event"))
    try expectSnapshot(String(text[start.lowerBound...]), "alert-event.txt")
    let object = try JSONSerialization.jsonObject(with: Data(try report.json().utf8))
    let others = (object as? [String: Any])?["others"] as? [[String: Any]]
    #expect(
      others?.map { $0["event_id"] as? String } == Array(repeating: alert.id.lowercased, count: 2))
  }

  @Test func alertIsShownWithItsActionsAndItsNotifications() throws {
    var alert = try alert()
    alert.lastNotifiedLevel = .day7
    alert.lastNotifiedAt = Samples.time
    alert.acknowledgedAt = Samples.time.adding(seconds: 600)
    alert.acknowledgedBy = Samples.person(2)
    alert.snoozeUntil = try Samples.day("2026-07-03")
    let until = try Samples.day("2026-07-03")
    var report = AlertReport(
      alert: alert,
      actions: [
        AlertAction(
          .acknowledge, alert: alert.id, by: Samples.person(2),
          at: Samples.time.adding(seconds: 600)
        ),
        AlertAction(
          .snooze(until: until), alert: alert.id, by: Samples.person(3),
          at: Samples.time.adding(seconds: 700)),
      ],
      notifications: try [
        Samples.notification(1, about: alert, status: .cancelled, reason: .snoozed),
        Samples.notification(2, about: alert, channel: .inApp, status: .sent),
      ], shadowNotifications: [], externalIDs: externalIDs)
    report.course = EpisodeCourse(
      worst: .init(day: try Samples.day("2026-06-25"), deviation: 0.211),
      wait: .gaps(since: try Samples.day("2026-06-29")))
    try expectSnapshot(report.text(style: .plain), "alert.txt")
    try expectSnapshot(try report.json(), "alert.json")
  }

  @Test func evidenceIsShownWithItsThreshold() throws {
    var alert = Samples.withEvidence(try alert())
    alert.episode.resolution = .init(
      day: try Samples.day("2026-07-01"), reason: .recalibrated)
    let report = AlertReport(alert: alert, actions: [], notifications: [], shadowNotifications: [])
    try expectSnapshot(report.text(style: .plain), "alert-evidence.txt")
    let evidence = try JSON(text: try report.json())["alert"]?["evidence"]
    #expect(evidence?["z"] == .number(5.1234))
    #expect(evidence?["anchor"]?["weekdays"]?.elements.count == 7)
    let bare = AlertReport(
      alert: try self.alert(), actions: [], notifications: [], shadowNotifications: [])
    #expect(try JSON(text: try bare.json())["alert"]?["evidence"] == .null)
    #expect(!bare.text(style: .plain).contains("Evidence"))
  }

  @Test func alertWithoutANotificationSaysSo() throws {
    var alert = try alert()
    let quiet = AlertReport(
      alert: alert, actions: [], notifications: [], shadowNotifications: []
    ).text(style: .plain)
    #expect(quiet.hasSuffix("\nNo queue has a notification of this alert.\n"))
    #expect(!quiet.contains("Actions"))
    alert.shadowNotifiedLevel = .day7
    let shadow = AlertReport(
      alert: alert, actions: [], notifications: [],
      shadowNotifications: [try Samples.notification(1, about: alert)]
    ).text(style: .plain)
    #expect(shadow.contains("\nNotifications that shadow nights would have sent\n"))
  }
}
