// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import Testing
import VigilDetection
import VigilModel
import VigilZones

@Suite struct VigilModelExamples {
  /// Sources/VigilModel/Episodes/AlertLevel.swift
  @Test func alertLevelExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let level = AlertLevel(duration: 9)
    checks.expect(0, "day7 attention", level, level.severity)
  }

  /// Sources/VigilModel/Episodes/CalmDigest.swift
  @Test func calmDigestExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let digest = CalmDigest(input: 17, series: 0b101)
    checks.expect(0, "true", digest.series & 1 << 2 != 0)
  }

  /// Sources/VigilModel/Episodes/CombinedEvidence.swift
  @Test func combinedEvidenceExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    func contribution(_ metric: String, _ z: Double) -> CombinedEvidence.Contribution {
      CombinedEvidence.Contribution(
        metric: MetricType(metric), z: z, shift: 1.5,
        baseline: .init(value: 100, start: day - 90, end: day - 20, count: 60),
        recent: .init(value: 60, start: day - 3, end: day, count: 4),
        anchor: EvidenceAnchor(mean: 100, spread: 25, autocorrelation: 0.1))
    }
    let evidence = CombinedEvidence(
      openedOn: day, windowDays: 4, evidence: 4.1, threshold: 3.7,
      contributions: [contribution("sleep_minutes", 3), contribution("steps", 2)],
      unchanged: [MetricType("resting_hr")])
    checks.expect(0, "3 0.6", evidence.metricsTakingPart, evidence.share(of: evidence.contributions[0]))
  }

  /// Sources/VigilModel/Episodes/DoseEvidence.swift
  @Test func doseEvidenceExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-12") else { return }
    let usual = DoseAnchor(
      missed: 12, expected: 120, share: 0.1, withinDay: 0.5, weekdays: SIMD8(repeating: 0.1), run: 0.05,
      countedDoses: 125)
    let evidence = DoseEvidence(
      openedOn: day, windowDays: 10, missed: 8, expected: 10, evidence: 12.4, threshold: 9.7,
      heldLevel: 0.8, anchor: usual, recordedOn: day - 9)
    checks.expect(0, "0.8 0.1", evidence.missedShare, evidence.anchor.missedShare)
  }

  /// Sources/VigilModel/Episodes/DoseEvidence.swift
  @Test func doseAnchorExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let usual = DoseAnchor(
      missed: 12, expected: 120, share: 0.1, withinDay: 0.5, weekdays: SIMD8(repeating: 0.1), run: 0.5,
      countedDoses: 125)
    checks.expect(0, "3.0 0.5", usual.spread, usual.weight(ofDoses: 3))
  }

  /// Sources/VigilModel/Episodes/Episode.swift
  @Test func episodeExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let start = Day("2026-06-24") else { return }
    let figures = EpisodeFigures(
      baseline: .init(value: 8_000, start: start - 21, end: start - 1, count: 21),
      recent: .init(value: 4_000, start: start + 4, end: start + 6, count: 3))
    let episode = Episode(
      activeSince: start, lastEvaluated: start + 6, duration: 7, level: .day7, figures: figures)
    checks.expect(0, "2026-06-30 true", episode.lastDeviating, episode.isActive)
  }

  /// Sources/VigilModel/Episodes/Episode.swift
  @Test func episodeFiguresExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let figures = EpisodeFigures(
      baseline: .init(value: 60, start: day - 24, end: day - 3, count: 21),
      recent: .init(value: 45, start: day - 2, end: day, count: 3))
    checks.expect(0, "-0.25", figures.deviation ?? 0)
  }

  /// Sources/VigilModel/Episodes/EpisodeEvidence.swift
  @Test func episodeEvidenceExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let evidence = EpisodeEvidence(
      openedOn: day, windowDays: 9, z: 5.1, threshold: 4.2, shift: 1.4,
      anchor: EvidenceAnchor(mean: 93, spread: 21, autocorrelation: 0.1))
    checks.expect(0, "true", evidence.z > evidence.threshold)
  }

  /// Sources/VigilModel/Episodes/EpisodeEvidence.swift
  @Test func evidenceAnchorExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let anchor = EvidenceAnchor(
      mean: 60, weekdays: [0.5, 0, 0, 0, 0, -0.5, 0, 0], spread: 2, autocorrelation: 0.8)
    checks.expect(0, "59.5", anchor.usual(onWeekday: 5))
  }

  /// Sources/VigilModel/Episodes/LimitEvidence.swift
  @Test func limitEvidenceExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-05-24") else { return }
    let evidence = LimitEvidence(openedOn: day, days: 1, value: 88, limit: 90, level: .day7)
    checks.expect(0, "2026-05-24 88.0", evidence.openedOn, evidence.value)
  }

  /// Sources/VigilModel/Episodes/PatternAlertState.swift
  @Test func seriesKeyExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let series = SeriesKey(user: UUID(name: "anna"), metric: MetricType("steps"), pattern: .drop)
    checks.expect(0, "steps drop_vs_baseline", series.metric, series.pattern.rawValue)
  }

  /// Sources/VigilModel/Episodes/PatternAlertState.swift
  @Test func patternAlertStateExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let start = Day("2026-06-24") else { return }
    let series = SeriesKey(user: UUID(name: "anna"), metric: MetricType("steps"), pattern: .drop)
    let profile = Profile(version: "v2", digest: "0123456789abcdef")
    let id = PatternAlertState.id(of: series, activeSince: start, in: profile)
    // The same episode has the same id on every machine.
    checks.expect(0, "true", id == PatternAlertState.id(of: series, activeSince: start, in: profile))
  }

  /// Sources/VigilModel/Episodes/PersonalSensitivity.swift
  @Test func personalSensitivityExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    let own = PersonalSensitivity([MetricType("steps"): .lower, MetricType("hrv_ms"): .normal])
    checks.expect(0, "lower normal", own[MetricType("steps")], own[MetricType("hrv_ms")])
    checks.expect(1, "true", own == PersonalSensitivity([MetricType("steps"): .lower]))
  }

  /// Sources/VigilModel/Episodes/SilenceEvidence.swift
  @Test func silenceEvidenceExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-05") else { return }
    let evidence = SilenceEvidence(openedOn: day, threshold: 4, longestPause: 2)
    let episode = Episode(
      activeSince: day - 3, lastEvaluated: day, duration: 4, level: .day3, silence: evidence)
    checks.expect(0, "2026-06-05 2026-06-01", episode.openedOn, episode.figures.baseline.end)
  }

  /// Sources/VigilModel/Episodes/UsualMisses.swift
  @Test func usualMissesExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    checks.expect(0, "1 of 11 1 of 33", UsualMisses(share: 0.09).words, UsualMisses(share: 0.03).words)
    checks.expect(1, "none 3 of 10", UsualMisses(share: 0).words, UsualMisses(share: 0.31).words)
  }

  /// Sources/VigilModel/Identifiers/HMAC.swift
  @Test func hmacExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let code = HMAC.hexadecimal(of: Array("message".utf8), key: Array("0123456789abcdef".utf8))
    checks.expect(0, "64", code.count)
  }

  /// Sources/VigilModel/Identifiers/NameStart.swift
  @Test func nameStartExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let start = NameStart("pattern_alert_state:")
    checks.expect(0, "true", start.id(endingWith: "2026-06-24") == UUID(name: "pattern_alert_state:2026-06-24"))
  }

  /// Sources/VigilModel/Identifiers/SHA256.swift
  @Test func sha256Example() throws {
    let checks = Checks(1)
    defer { checks.end() }
    checks.expect(0, "ba7816bf", SHA256.hexadecimal(of: "abc".utf8).prefix(8))
  }

  /// Sources/VigilModel/Identifiers/UUIDPrefix.swift
  @Test func uuidprefixExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let prefix = UUIDPrefix("2ed6657d") else { return }
    checks.expect(0, "2ed6657d-0000-0000-0000-000000000000", prefix.lowest.lowercased)
  }

  /// Sources/VigilModel/Medications/DoseBlock.swift
  @Test func doseCountsExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let day = DoseCounts(expected: 3, missed: 2, inferred: 2)
    checks.expect(0, "true false", day.hasRecord, DoseCounts.none.isObservation)
  }

  /// Sources/VigilModel/Medications/DoseBlock.swift
  @Test func doseBlockExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-06-01") else { return }
    let block = DoseBlock(personCount: 1, days: first...(first + 29))
    block.days(ofPerson: 0)[2] = DoseCounts(expected: 2, missed: 1, inferred: 0)
    checks.expect(0, "1 false", block.days(ofPerson: 0)[2].missed, block.days(ofPerson: 0)[3].isObservation)
  }

  /// Sources/VigilModel/Medications/Medication+Expiry.swift
  @Test func expiryDaysExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let start = Day("2026-01-01"), let expiry = Day("2026-06-30") else { return }
    let drops = Medication(
      id: UUID(name: "drops"), user: UUID(name: "anna"), startDate: start, expiresOn: expiry)
    checks.expect(0, "2026-06-23", drops.expiryDays(in: start...expiry)?.lowerBound.description ?? "")
  }

  /// Sources/VigilModel/Medications/Medication.swift
  @Test func medicationExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let start = Day("2026-01-01") else { return }
    let user = UUID(name: "anna")
    var tablets = Medication(id: UUID(name: "tablets"), user: user, startDate: start)
    checks.expect(0, "true", tablets.counts)
    tablets.isDeleted = true
    checks.expect(1, "false", tablets.counts)
  }

  /// Sources/VigilModel/Medications/MedicationDays.swift
  @Test func medicationDaysExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-03") else { return }
    let injection = MedicationDays(
      person: 0, medication: UUID(name: "injection"), counts: [.none], lastDay: nil,
      rare: [RareDose(day: day, hasRecord: false, recordedOn: nil, nextDueOn: day + 28)],
      firstTakenOn: nil, firstDueOn: nil)
    checks.expect(0, "2026-06-03", injection.rare[0].day)
  }

  /// Sources/VigilModel/Medications/MedicationSupply.swift
  @Test func medicationSupplyExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let counted = Timestamp("2026-06-01T08:00:00Z") else { return }
    let supply = MedicationSupply(units: 30, countedAt: counted)
    checks.expect(0, "1.0 7", supply.unitsPerDose, supply.reminderDays ?? 0)
  }

  /// Sources/VigilModel/Medications/Schedule.swift
  @Test func scheduleExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let start = Day("2026-01-01"), let morning = TimeOfDay("08:00") else { return }
    let zones = ZoneCatalog(source: ZoneFolder.system())
    guard let berlin = zones.id(of: "Europe/Berlin") else { return }
    let schedule = Schedule(
      id: UUID(name: "every morning"), medication: UUID(name: "tablets"),
      timing: .timeBased(times: [morning], weekdays: .everyDay), referenceZone: berlin,
      startDate: start)
    checks.expect(0, "60", schedule.flexibilityMinutes ?? Schedule.defaultFlexibilityMinutes)
  }

  /// Sources/VigilModel/Notifications/MessageSegments.swift
  @Test func messageSegmentsExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    checks.expect(0, "1", MessageSegments.count(of: "Please check in."))
  }

  /// Sources/VigilModel/Numbers/DurationText.swift
  @Test func minutesExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    checks.expect(0, "6 h 52 min", DurationText.minutes(412.3))
    checks.expect(1, "-1 h", DurationText.minutes(-60))
  }

  /// Sources/VigilModel/Numbers/FixedWidthInteger+Clamped.swift
  @Test func initExample() throws {
    let checks = Checks(3)
    defer { checks.end() }
    checks.expect(0, "99", UInt8(clamping: 99.9))
    checks.expect(1, "127", Int8(clamping: 3.4e38))
    checks.expect(2, "-128", Int8(clamping: -Double.infinity))
  }

  /// Sources/VigilModel/Numbers/FixedWidthInteger+Clamped.swift
  @Test func addingClampedExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    checks.expect(0, "127", Int8(100).addingClamped(100))
  }

  /// Sources/VigilModel/Numbers/FixedWidthInteger+Clamped.swift
  @Test func multipliedClampedExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    checks.expect(0, "-128", Int8(100).multipliedClamped(by: -2))
  }

  /// Sources/VigilModel/Observations/CheckIns.swift
  @Test func checkInsExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let noon = Timestamp("2026-06-01T12:00:00Z") else { return }
    let plan = CheckInPlan(intervalMinutes: 24 * 60, graceMinutes: 120, startsAt: noon)
    let checkIns = CheckIns(times: [noon], plan: plan)
    checks.expect(0, "2026-06-02T14:00:00.000000Z", plan.deadline(after: checkIns.times.last))
  }

  /// Sources/VigilModel/Observations/DeviceChange.swift
  @Test func deviceChangeExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let change = DeviceChange(recognizedOn: day, since: day - 2, horizons: (day - 100)...(day - 12))
    checks.expect(0, "true false", change.isSeen(from: day - 60), change.isSeen(from: day - 5))
  }

  /// Sources/VigilModel/Observations/Metric.swift
  @Test func metricTypeExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let metric = MetricType("steps")
    checks.expect(0, "steps", metric)
  }

  /// Sources/VigilModel/Observations/MetricType+PossibleValues.swift
  @Test func possibleValuesExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    checks.expect(0, "false", MetricType("resting_hr").possibleValues?.contains(900) ?? true)
  }

  /// Sources/VigilModel/Observations/ObservationBlock.swift
  @Test func observationBlockExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let first = Day("2026-06-01") else { return }
    let block = ObservationBlock(personCount: 1, metricCount: 2, days: first...(first + 29))
    block.series(person: 0, metric: 1)[0] = 8_500
    checks.expect(0, "2 30", block.seriesCount, block.dayCount)
    checks.expect(1, "8500.0 nan", block.values[30], block.values[0])
  }

  /// Sources/VigilModel/Observations/SenderCount.swift
  @Test func senderCountExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-06-01") else { return }
    var senders = SenderCount(over: first...(first + 6))
    senders.add(person: 0, first)
    senders.add(person: 0, first)
    senders.add(person: 1, first)
    checks.expect(0, "[2, 0, 0, 0, 0, 0, 0]", senders.counts)
  }

  /// Sources/VigilModel/Observations/ValueChange.swift
  @Test func valueChangeExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let figures = EpisodeFigures(
      baseline: .init(value: 21, start: day - 24, end: day - 3, count: 21),
      recent: .init(value: 67, start: day - 2, end: day, count: 3))
    checks.expect(0, "below(80.0)", ValueChange(figures, of: .drop, limit: 80))
  }

  /// Sources/VigilModel/People/CriticalLimit.swift
  @Test func criticalLimitExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let limit = CriticalLimit(
      metric: MetricType("spo2_avg_pct"), .below, 90, days: 2, severity: .critical)
    checks.expect(0, "true false day14", limit.isBroken(by: 89), limit.isBroken(by: 90), limit.level)
  }

  /// Sources/VigilModel/SettingsFiles/Profile.swift
  @Test func profileExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let profile = Profile(version: "v2", digest: "0123456789abcdef0123")
    checks.expect(0, "v2@0123456789ab", profile.id)
  }

  /// Sources/VigilModel/SettingsFiles/ThresholdsError.swift
  @Test func thresholdsErrorExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    do {
      _ = try Thresholds(json: Data(#"{"version": 1}"#.utf8), file: "mine.json", digest: "")
    } catch let error as ThresholdsError {
      checks.expect(0, "mine.json $.version", error.file, error.problems[0].path)
    }
  }

  /// Sources/VigilModel/Time/Day.swift
  @Test func dayExample() throws {
    let checks = Checks(3)
    defer { checks.end() }
    guard let night = Day("2026-06-30") else { return }
    checks.expect(0, "2026-07-01", night + 1)
    checks.expect(1, "29", night - (night - 29))
    checks.expect(2, "69", night.completedYears(since: night - 365 * 70))
  }

  /// Sources/VigilModel/Time/TimeOfDay.swift
  @Test func timeOfDayExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let evening = TimeOfDay("22:00") else { return }
    checks.expect(0, "22:00 1320", evening, evening.minutes)
  }

  /// Sources/VigilModel/Time/Timestamp.swift
  @Test func timestampExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let noon = Timestamp("2026-06-30T12:00:00Z") else { return }
    checks.expect(0, "2026-06-30T12:01:30.000000Z", noon.adding(seconds: 90))
    checks.expect(1, "2026-06-30", noon.utcDay)
  }

  /// Sources/VigilModel/Time/WeeklyHours.swift
  @Test func weeklyHoursExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let start = TimeOfDay("22:00"), let end = TimeOfDay("06:30") else { return }
    let night = WeeklyHours(weekday: 5, start: start, end: end)
    checks.expect(0, "510", night.minutes)
  }

  /// Sources/VigilModel/Vitality/TrendInsight.swift
  @Test func trendInsightExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let insight = TrendInsight(
      user: UUID(name: "anna"), pillar: .sleep, day: day, rule: .dropVsBaseline, recent: 58,
      baseline: 76, change: -0.24, coverage: 20, confidence: 0.95)
    checks.expect(0, "attention", insight.severity)
  }

  /// Sources/VigilModel/Vitality/VitalityScore.swift
  @Test func vitalityScoreExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let row = VitalityScore(
      user: UUID(name: "anna"), day: day, total: 70, sleep: 58, movement: nil, stress: 88,
      schemaVersion: "v1", source: "app")
    checks.expect(0, "true", row.isForeign)
  }

  /// Sources/VigilModel/Zones/ZoneCatalog.swift
  @Test func zoneCatalogExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    let zones = ZoneCatalog(source: ZoneFolder.system())
    guard let berlin = zones.id(of: "Europe/Berlin") else { return }
    checks.expect(0, "Europe/Berlin", zones.name(of: berlin))
    checks.expect(1, "true", zones.rules(of: "Europe/Nowhere") == nil)
  }

  /// Sources/VigilModel/Zones/ZoneRules.swift
  @Test func zoneRulesExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let zones = ZoneCatalog(source: ZoneFolder.system())
    guard let rules = zones.rules(of: "Europe/Berlin") else { return }
    // Clocks showed 01:00 when 1970 began in UTC.
    checks.expect(0, "3600000000", rules.local(0))
  }
}
