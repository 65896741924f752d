import Foundation
import GoldenFiles
import TestSupport
import Testing
import VigilModel

@testable import VigilReport

@Suite struct AlertsReportTests {
  private func report(limit: Int? = nil, today: String = "2026-06-30") throws -> AlertsReport {
    var snoozed = try Samples.alert(
      person: 2, metric: "hrv_ms", pattern: .drop, since: "2026-06-20", days: 9, baseline: 54.2,
      recent: 44.04)
    snoozed.snoozeUntil = try Samples.day("2026-07-03")
    var acknowledged = try Samples.alert(
      person: 3, metric: "sleep_minutes", pattern: .drop, since: "2026-06-28", days: 3,
      baseline: 432, recent: 371)
    acknowledged.acknowledgedAt = Samples.time
    let dropped = try Samples.alert(
      person: 4, metric: "grip_strength", pattern: .drop, since: "2026-06-28", days: 3,
      baseline: 0, recent: 0.5, isWithoutDeviation: true)
    var report = AlertsReport(
      alerts: [
        acknowledged,
        try Samples.alert(
          person: 1, metric: "steps", pattern: .drop, since: "2026-05-01", days: 30,
          baseline: 8420, recent: 3210, resolution: .noData),
        try Samples.alert(person: 1, since: "2026-06-05", days: 26, baseline: 58, recent: 66.5),
        snoozed, dropped,
      ],
      externalIDs: [Samples.person(1): "participant-1"], limit: limit,
      today: try Samples.day(today), emptyHint: "Nothing to do.")
    let worst = EpisodeCourse.Worst(day: try Samples.day("2026-06-25"), deviation: -0.314)
    report.courses = [
      snoozed.id: EpisodeCourse(worst: worst, wait: .clean(days: 1, needed: 2)),
      acknowledged.id: EpisodeCourse(worst: worst),
      dropped.id: EpisodeCourse(wait: .noData(since: try Samples.day("2026-06-30"))),
    ]
    return report
  }

  @Test func tableShowsTheMostSevereFirst() throws {
    try expectSnapshot(try report().text(style: .plain), "alerts.txt")
  }

  @Test func jsonNamesTheColumnsOfTheTable() throws {
    try expectSnapshot(try report(limit: 2).json(), "alerts.json")
  }

  @Test func everyRowHasEveryKey() throws {
    let object = try JSONSerialization.jsonObject(with: Data(try report().json().utf8))
    let alerts = try #require((object as? [String: Any])?["alerts"] as? [[String: Any]])
    #expect(alerts.count == 5)
    #expect(Set(alerts.map { Set($0.keys) }).count == 1)
    #expect(alerts.contains { $0["resolved_on"] is NSNull })
    #expect(alerts.contains { $0["resolved_on"] as? String == "2026-06-01" })
  }

  @Test func evidenceIsAColumnWhereThereIsSome() throws {
    let changed = try Samples.alert(
      person: 1, metric: "steps", pattern: .drop, since: "2026-05-01", days: 30, baseline: 8420,
      recent: 5220, resolution: .recalibrated)
    let report = AlertsReport(
      alerts: [
        try Samples.withEvidence(
          Samples.alert(person: 2, since: "2026-06-05", days: 26, baseline: 58, recent: 66.5)),
        try Samples.alert(
          person: 3, metric: "sleep_minutes", pattern: .drop, since: "2026-06-28", days: 3,
          baseline: 432, recent: 371),
        Samples.withEvidence(changed),
      ], today: try Samples.day("2026-06-30"), emptyHint: "")
    try expectSnapshot(report.text(style: .plain), "alerts-evidence.txt")
    try expectSnapshot(try report.json(), "alerts-evidence.json")
  }

  @Test func whatNoNightHasConfirmedIsProvisional() throws {
    var report = try report()
    let known = report.alerts.map(\.id)
    // One that waits, a snoozed one and one that has ended.
    report.provisional = [known[1], known[3], known[4]]
    try expectSnapshot(report.text(style: .plain), "alerts-provisional.txt")
    let alerts = try #require(try JSON(text: try report.json())["alerts"]?.elements)
    #expect(
      alerts.map { $0["provisional"] }
        == [.boolean(false), .boolean(true), .boolean(false), .boolean(true), .boolean(true)])
    for line in report.text(style: TextStyle(usesColor: false, width: 80)).split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test func alertsOfAnEventComeTogether() throws {
    let sleep = try Samples.alert(
      person: 1, metric: "sleep_minutes", pattern: .drop, since: "2026-06-20", days: 9,
      baseline: 432, recent: 371)
    var heart = try Samples.alert(
      person: 1, since: "2026-06-24", days: 26, baseline: 58, recent: 66)
    heart.eventID = sleep.id
    let other = try Samples.alert(
      person: 2, metric: "steps", pattern: .drop, since: "2026-06-22", days: 9, baseline: 8420,
      recent: 3210)
    let report = AlertsReport(
      alerts: [sleep, other, heart], today: try Samples.day("2026-06-30"), emptyHint: "")
    #expect(report.alerts.map(\.id) == [heart.id, sleep.id, other.id])
    try expectSnapshot(report.text(style: .plain), "alerts-events.txt")
    let byPerson = AlertsReport(
      alerts: [sleep, other, heart], order: .change, today: try Samples.day("2026-06-30"),
      emptyHint: "")
    #expect(byPerson.alerts.map(\.id) == [other.id, sleep.id, heart.id])
  }

  @Test func ofSeveralMetricsTogetherTheWorstIsShown() throws {
    var alert = try Samples.alert(
      person: 1, metric: "combined", pattern: .worse, since: "2026-06-05", days: 14, baseline: 0,
      recent: 1.5, isWithoutDeviation: true)
    let figures = alert.episode.figures
    func part(_ name: String, z: Double, usual: Double, recent: Double)
      -> CombinedEvidence.Contribution
    {
      var (baseline, newest) = (figures.baseline, figures.recent)
      (baseline.value, newest.value) = (usual, recent)
      return .init(
        metric: MetricType(name), z: z, shift: 1.5, baseline: baseline, recent: newest,
        anchor: EvidenceAnchor(mean: 0, spread: 1, autocorrelation: 0))
    }
    alert.episode.combined = CombinedEvidence(
      openedOn: alert.episode.activeSince + 4, windowDays: 5, evidence: 4.4, threshold: 4.4,
      contributions: [
        part("steps", z: 2, usual: 8000, recent: 7000),
        part("sleep_minutes", z: 4, usual: 412, recent: 297),
      ], unchanged: [])
    var report = AlertsReport(
      alerts: [alert], today: try Samples.day("2026-06-30"), emptyHint: "")
    report.courses = [alert.id: EpisodeCourse(wait: .clean(days: 1, needed: 3))]
    let wide = report.text(style: .plain)
    #expect(wide.contains("sleep -28 %  6 h 52 min → 4 h 57 min"), "\(wide)")
    #expect(wide.contains("easing for 1 of 3 days"))
    #expect(!wide.contains("needs"))
    let narrow = report.text(style: TextStyle(usesColor: false, width: 80))
    #expect(narrow.contains("sleep +1") && narrow.contains("easing 1/3"), "\(narrow)")
  }

  @Test func anAbsoluteLimitIsShownInThePlaceOfARise() throws {
    let doses = try Samples.alert(
      person: 1, metric: "dose_adherence_pct", pattern: .drop, since: "2026-06-05", days: 3,
      baseline: 21.5, recent: 66.9)
    var report = AlertsReport(
      alerts: [doses], today: try Samples.day("2026-06-30"), emptyHint: "")
    report.limits = AlertLimits(80, of: .doseAdherence, in: Samples.profile)
    #expect(report.text(style: .plain).contains("  below 80 %  21.5 → 66.9 %"))
    let json = try JSON(text: try report.json())
    #expect(
      json["alerts"]?.elements.first?["sentence"]
        == .string("Doses taken: below 80 % for 3 days (66.9 %, usually 21.5 %)"))
  }

  @Test func alertsAboutMedicationsAreAmongThem() throws {
    var snoozed = try Samples.medicationAlert(
      person: 2, .refillDue, since: "2026-06-12", days: 19)
    snoozed.snoozeUntil = try Samples.day("2026-07-03")
    var ended = try Samples.medicationAlert(
      person: 3, .missedStreak, since: "2026-06-20", days: 2)
    ended.episode.resolution = .init(day: try Samples.day("2026-06-22"), reason: .recovered)
    let streak = try Samples.medicationAlert(
      person: 1, .missedStreak, since: "2026-06-27", days: 4)
    let heart = try Samples.alert(
      person: 1, since: "2026-06-05", days: 9, baseline: 58, recent: 66.5)
    func report(_ order: AlertOrder = .attention, limit: Int? = nil) throws -> AlertsReport {
      AlertsReport(
        alerts: [ended, heart, streak, snoozed],
        externalIDs: [Samples.person(1): "participant-1"], order: order, limit: limit,
        today: try Samples.day("2026-06-30"), emptyHint: "")
    }
    try expectSnapshot(report().text(style: .plain), "alerts-medications.txt")
    try expectSnapshot(report(limit: 2).json(), "alerts-medications.json")
    #expect(try report().alerts == [snoozed, heart, streak, ended])
    #expect(try report(.longest).alerts.first == snoozed)
    #expect(try report(.metric).alerts == [streak, ended, snoozed, heart])
    #expect(try report(.newest, limit: 1).alerts == [streak])
    #expect(try report().csv().split(whereSeparator: \.isNewline).count == 5)
  }

  @Test func limitedListSaysWhatItLeavesOut() throws {
    let text = try report(limit: 2).text(style: .plain)
    #expect(text.contains("5 alerts: 2 critical, 1 attention, 2 watch."))
    #expect(text.contains("Shown: the first 2; --limit 0 lists all."))
    #expect(!text.contains("grip strength"))
  }

  @Test func orderDoesNotDependOnTheOrderOfRows() throws {
    let alerts = try report().alerts
    var generator = SeededGenerator(seed: 3)
    let shuffled = AlertsReport(
      alerts: alerts.shuffled(using: &generator), today: try Samples.day("2026-06-30"),
      emptyHint: "")
    #expect(shuffled.alerts == alerts)
  }

  @Test func snoozeEndsOnItsDay() throws {
    #expect(
      try report(today: "2026-07-02").text(style: .plain).contains("snoozed until 3 July"))
    #expect(try !report(today: "2026-07-03").text(style: .plain).contains("snoozed"))
  }

  @Test func nothingFoundSaysWhatToDo() throws {
    let report = AlertsReport(
      alerts: [], today: try Samples.day("2026-06-30"), emptyHint: "vigil run finds some.")
    #expect(report.text(style: .plain) == "No alerts match. vigil run finds some.\n")
  }

  @Test func onlySeveritiesAreColoured() throws {
    let text = try report().text(style: TextStyle(usesColor: true))
    let colored = text.matches(of: /\u{1B}\[[0-9;]+m([^\u{1B}]*)\u{1B}\[0m/).map(\.output.1)
    #expect(Set(colored) == ["critical", "attention", "watch"])
    #expect(colored.count == 5)
  }
}
