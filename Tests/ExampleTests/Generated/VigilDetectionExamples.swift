// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import ShippedThresholds
import Testing
import VigilDetection
import VigilModel

@Suite struct VigilDetectionExamples {
  /// Sources/VigilDetection/Combined/CombinedSettings.swift
  @Test func combinedSettingsExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    var settings = CombinedSettings()
    settings.metrics = [MetricType("steps"), MetricType("sleep_minutes")]
    checks.expect(0, "3.25", settings.threshold(metricsTakingPart: 2))
  }

  /// Sources/VigilDetection/DoseEvidence/BlockMedicationFold.swift
  @Test func blockMedicationFoldExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-03-02") else { return }
    let days = first...(first + 59)
    let counts = (0..<60).map { day in
      DoseCounts(expected: 1, missed: day < 56 ? 0 : 1, inferred: 0)
    }
    let tablets = MedicationDays(
      person: 0, medication: UUID(name: "tablets"), counts: counts, lastDay: nil, rare: [],
      firstTakenOn: nil, firstDueOn: first)
    var result = FoldResult()
    BlockMedicationFold(DoseEvidenceSettings()).fold(
      MedicationDoseBlock(days: days, medications: [tablets]), over: FoldWindow(wholeHistory: days),
      into: &result)
    let episode = result.episodes[0].episode
    checks.expect(0, "2026-04-27 2026-04-29", episode.activeSince, episode.openedOn)
  }

  /// Sources/VigilDetection/DoseEvidence/DoseDay.swift
  @Test func doseEvaluatorExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-03-02") else { return }
    let days = (0..<60).map { day in
      DoseCounts(expected: 1, missed: day < 57 ? 0 : 1, inferred: 0)
    }
    let series = days.withUnsafeBufferPointer { DoseSeries($0, from: first) }
    let found = DoseEvaluator(DoseEvidenceSettings()).evaluate(series, on: first + 59)
    checks.expect(0, "deviating", found.state)
  }

  /// Sources/VigilDetection/DoseEvidence/DoseEvidenceSettings.swift
  @Test func doseEvidenceSettingsExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    let settings = DoseEvidenceSettings()
    checks.expect(0, "3 7", settings.guardCount(eligible: 10), settings.poolSize(eligible: 10))
    checks.expect(1, "10 9.5", settings.fewestObservations, settings.thresholds.threshold(poolSize: 12))
  }

  /// Sources/VigilDetection/DoseEvidence/DoseFeed.swift
  @Test func doseFeedExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let first = Day("2026-05-01") else { return }
    let counts = Array(repeating: 100, count: 40) + [0, 2, 1] + [98, 100, 100]
    let feed = DoseFeed(FeedHistory(days: first...(first + 45), counts: counts))
    checks.expect(0, "3", feed.brokenDays(in: (first + 38)...(first + 45), limit: 0.3).count)
    // On the second day without rows none is known to be one of three.
    checks.expect(1, "0", feed.brokenDays(in: (first + 38)...(first + 41), limit: 0.3).count)
  }

  /// Sources/VigilDetection/DoseEvidence/DoseSeries.swift
  @Test func doseSeriesExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-06-01") else { return }
    let taken = DoseCounts(expected: 2, missed: 0, inferred: 0)
    let nothing = DoseCounts(expected: 2, missed: 2, inferred: 2)
    let days = [taken, .none, nothing, nothing]
    let series = days.withUnsafeBufferPointer {
      DoseSeries($0, from: first, withoutRecord: [first + 3])
    }
    checks.expect(0, "[0, 2]", series.observations.map(\.missed))
  }

  /// Sources/VigilDetection/DoseEvidence/UnrecordedDays.swift
  @Test func unrecordedDaysExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-12") else { return }
    let days = UnrecordedDays(broken: [day], silent: [3: [day + 1]])
    checks.expect(0, "1 2", days[0].count, days[3].count)
  }

  /// Sources/VigilDetection/Episodes/BlockFold.swift
  @Test func blockFoldExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let first = Day("2026-05-20") else { return }
    let steps = MetricThresholds(
      metric: MetricType("steps"), unit: "steps", pattern: .drop,
      rules: [MetricRule(.percentDropAtLeast, 0.3)])
    let thresholds = Thresholds(version: "mine", digest: "", metrics: [steps])
    let days = first...(first + 41)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
    for index in 0..<42 {
      block.series(person: 0, metric: 0)[index] = index < 35 ? 8_000 : 4_000
    }
    let fold = BlockFold(thresholds: thresholds, metrics: thresholds.metrics)
    var result = FoldResult()
    fold.fold(block, over: FoldWindow(wholeHistory: days), into: &result)
    let episode = result.episodes[0].episode
    checks.expect(0, "2026-06-23 8 day7", episode.activeSince, episode.duration, episode.level)
    checks.expect(1, "[3, 7]", result.levels.map(\.level.rawValue))
  }

  /// Sources/VigilDetection/Episodes/EpisodeMachine.swift
  @Test func episodeMachineExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let day = Day("2026-06-24") else { return }
    let thresholds = Thresholds(version: "mine", digest: "", metrics: [])
    var machine = EpisodeMachine(settings: .init(thresholds))
    let opened = machine.step(day, verdict: .deviating, rolling: .deviating, runStart: day)
    checks.expect(0, "true", opened == .opened(runStart: day))
    let extended = machine.step(day + 1, verdict: .deviating, rolling: .deviating, runStart: day)
    checks.expect(1, "extended", extended)
  }

  /// Sources/VigilDetection/Episodes/FoldWindow.swift
  @Test func foldWindowExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let night = Day("2026-06-30") else { return }
    let thresholds = Thresholds(version: "mine", digest: "", metrics: [])
    let window = FoldWindow(evaluating: night...night, thresholds: thresholds)
    checks.expect(0, "2026-05-22 2026-03-21", window.folded.lowerBound, window.loaded.lowerBound)
  }

  /// Sources/VigilDetection/Evaluation/DayEvaluation.swift
  @Test func dayEvaluatorExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let first = Day("2026-06-01") else { return }
    let steps = MetricThresholds(
      metric: MetricType("steps"), unit: "steps", pattern: .drop,
      rules: [MetricRule(.percentDropAtLeast, 0.3)])
    let thresholds = Thresholds(version: "mine", digest: "", metrics: [steps])
    let series: [Double] = Array(repeating: 8_000, count: 27) + [4_000, 4_000, 4_000]
    let evaluation = series.withUnsafeBufferPointer { series in
      DayEvaluator(steps, of: thresholds).evaluate(series, at: 29, firstDay: first)
    }
    checks.expect(0, "2026-06-30 deviating", evaluation.day, evaluation.state)
    checks.expect(1, "-0.5", evaluation.figures?.deviation ?? 0)
  }

  /// Sources/VigilDetection/Evaluation/DayVerdict.swift
  @Test func dayVerdictExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let verdict: DayVerdict = [.deviating, .suppressed]
    checks.expect(0, "false false", verdict.isActionable, verdict.isUnknown)
  }

  /// Sources/VigilDetection/Events/EventMembership.swift
  @Test func membershipsExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let day = Day("2026-06-01") else { return }
    let alerts = [
      EventAlert(id: 1, metric: MetricType("steps"), activeSince: day, openedOn: day + 4),
      EventAlert(id: 2, metric: MetricType("sleep_minutes"), activeSince: day + 2, openedOn: day + 6),
    ]
    let memberships = EventMembership.memberships(of: alerts)
    checks.expect(0, "[1, 1] joins", memberships.map(\.event), memberships[1].entry.rawValue)
  }

  /// Sources/VigilDetection/Evidence/EvidenceDay.swift
  @Test func evidenceEvaluatorExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-03-02") else { return }
    let sleep = MetricThresholds(
      metric: MetricType("sleep_minutes"), unit: "min", pattern: .drop,
      rules: [MetricRule(.percentDropAtLeast, 0.1)])
    let evidence = MetricEvidence(
      transform: .none, priorSpread: 75, priorAutocorrelation: 0.05,
      thresholds: EvidenceThresholds([10: 4.39]))
    let series = (0..<60).map { day in (day < 56 ? 420.0 : 240) + Double(day * 7 % 11) }
    let found = series.withUnsafeBufferPointer { series in
      EvidenceEvaluator(sleep, evidence, EvidenceSettings())
        .evaluate(series, at: 59, firstDay: first)
    }
    checks.expect(0, "deviating", found.state)
  }

  /// Sources/VigilDetection/Evidence/EvidenceSettings.swift
  @Test func evidenceSettingsExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    var settings = EvidenceSettings()
    settings.windows = [3, 7, 14, 28]
    checks.expect(0, "20 28", settings.guardCount(eligible: 60), settings.guardCount(eligible: 200))
    checks.expect(1, "14", settings.fewestObservations)
  }

  /// Sources/VigilDetection/Evidence/EvidenceSettings.swift
  @Test func metricEvidenceExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let steps = MetricEvidence(
      transform: .squareRoot, priorSpread: 23.4, priorAutocorrelation: 0.13,
      thresholds: EvidenceThresholds([10: 4.58, 60: 4.37, 120: 4.2]))
    checks.expect(0, "4.37", steps.thresholds.threshold(poolSize: 75))
  }

  /// Sources/VigilDetection/Limits/BlockLimitFold.swift
  @Test func blockLimitFoldExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-05-01") else { return }
    let days = first...(first + 29)
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: days)
    for index in 0..<30 { block.series(person: 0, metric: 0)[index] = index < 28 ? 97 : 88 }
    let limit = CriticalLimit(metric: MetricType("spo2_avg_pct"), .below, 90)
    let series = LimitSeries(person: 0, metric: limit.metric, pattern: .belowLimit)
    var result = FoldResult()
    BlockLimitFold(metrics: [limit.metric], everybody: [limit])
      .fold([series], of: block, over: FoldWindow(wholeHistory: days), into: &result)
    let episode = result.episodes[0].episode
    checks.expect(0, "2026-05-29 2 day7", episode.activeSince, episode.duration, episode.level)
  }

  /// Sources/VigilDetection/Observations/NonWearSettings.swift
  @Test func nonWearSettingsExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let settings = NonWearSettings()
    checks.expect(0, "8 14 14", settings.heartDays, settings.windowDays, settings.reachDays)
  }

  /// Sources/VigilDetection/Observations/ObservationBuilder.swift
  @Test func observationBuilderExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let day = Day("2026-06-30") else { return }
    let steps = MetricThresholds(
      metric: MetricType("steps"), unit: "steps", pattern: .drop,
      rules: [MetricRule(.percentDropAtLeast, 0.3)], plausible: 1...100_000)
    let thresholds = Thresholds(version: "mine", digest: "", metrics: [steps])
    let block = ObservationBlock(personCount: 1, metricCount: 1, days: day...day)
    let builder = ObservationBuilder(block: block, metrics: [steps], thresholds: thresholds)
    for (source, value) in [("watch", 8_200.0), ("phone", 7_900), ("scale", -4)] {
      [value].withUnsafeBufferPointer { values in
        builder.append(
          person: 0, day: day, source: builder.index(ofSource: source), values: values,
          isOtherPositive: false, updatedAt: nil)
      }
    }
    builder.finish()
    checks.expect(0, "8200.0", block.values[0])
    checks.expect(1, "1", builder.quality.count(metric: 0, reason: .implausible))
  }

  /// Sources/VigilDetection/Observations/Wear.swift
  @Test func wearFindingExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let finding = WearFinding(.partWorn, because: .fewSteps(200, usual: 6_200))
    checks.expect(0, "true true true", finding.wear.isWorn, finding.leavesOutSteps, finding.leavesOutMovement)
  }

  /// Sources/VigilDetection/Observations/WearDays.swift
  @Test func wearDaysExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-06-01") else { return }
    let days = WearDays(personCount: 1, days: first...(first + 9))
    days.set(WearFinding(.notWorn, because: .still), person: 0, day: first + 2)
    checks.expect(0, "notWorn noRow", days.wear(person: 0, day: first + 2), days.wear(person: 0, day: first + 3))
  }

  /// Sources/VigilDetection/Silence/BlockSilenceFold.swift
  @Test func blockSilenceFoldExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-01-01") else { return }
    let days = first...(first + 99)
    let signs = SignsOfLife(personCount: 1, days: days)
    for day in first...(first + 89) { signs.addWorn(person: 0, day: day, came: nil) }
    var result = FoldResult()
    BlockSilenceFold([.inactivity(InactivitySettings())])
      .fold(signs: signs, over: FoldWindow(wholeHistory: days), into: &result)
    let episode = result.episodes[0].episode
    checks.expect(0, "2026-04-01 2026-04-04 day3", episode.activeSince, episode.openedOn, episode.level)
  }

  /// Sources/VigilDetection/Silence/BrokenFeedDays.swift
  @Test func brokenFeedDaysExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-06-01") else { return }
    let broken = BrokenFeedDays([first + 2, first + 3], among: first...(first + 9))
    checks.expect(0, "true 3", broken.contains(first + 2), broken.sound(from: first, to: first + 4))
  }

  /// Sources/VigilDetection/Silence/CheckInHistory.swift
  @Test func checkInHistoryExample() throws {
    let checks = Checks(0)
    defer { checks.end() }
    guard let morning = Timestamp("2026-06-01T09:00:00Z") else { return }
    let plan = CheckInPlan(intervalMinutes: 24 * 60, graceMinutes: 120, startsAt: morning)
    let history = CheckInHistory(
      CheckIns(times: [morning], plan: plan), zone: ZoneRules(offsetSeconds: 0))
    guard let first = history.days.first else { return }
    history.forEachOverdueDay(in: first...(first + 2)) { day, start in print(day, start) }
    // 2026-06-02 2026-06-02
    // 2026-06-03 2026-06-02
  }

  /// Sources/VigilDetection/Silence/FeedHistory.swift
  @Test func feedHistoryExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let first = Day("2026-05-01") else { return }
    let counts = Array(repeating: 100, count: 40) + [0, 2, 1] + [98, 100, 100]
    let feed = FeedHistory(days: first...(first + 45), counts: counts)
    checks.expect(0, "100", feed.usual(before: first + 40))
    checks.expect(1, "3", feed.brokenDays(in: (first + 38)...(first + 45), limit: 0.3).count)
  }

  /// Sources/VigilDetection/Silence/InactivitySettings.swift
  @Test func inactivitySettingsExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    let settings = InactivitySettings()
    checks.expect(0, "1.0 0.5", settings.rate, settings.adjusted(to: .lower).rate)
    checks.expect(1, "208", settings.lookBackDays)
  }

  /// Sources/VigilDetection/Silence/OverdueDays.swift
  @Test func overdueDaysExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let first = Day("2026-06-01") else { return }
    let overdue = OverdueDays(personCount: 1, days: first...(first + 9))
    overdue.set(person: 0, day: first + 4, since: first + 2)
    checks.expect(0, "true", overdue.start(person: 0, day: first + 3) == nil)
    checks.expect(1, "2026-06-03", overdue.start(person: 0, day: first + 4) ?? first)
  }

  /// Sources/VigilDetection/Silence/OverdueSettings.swift
  @Test func overdueSettingsExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    let settings = OverdueSettings(openAfterDays: 3, watchedDays: 30)
    checks.expect(0, "false true", settings.opens(afterOverdueDays: 2), settings.opens(afterOverdueDays: 3))
    checks.expect(1, "false", settings.opens(afterOverdueDays: 31))
  }

  /// Sources/VigilDetection/Silence/SignsOfLife.swift
  @Test func signsOfLifeExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let first = Day("2026-06-01") else { return }
    let signs = SignsOfLife(personCount: 1, days: first...(first + 9))
    signs.addWorn(person: 0, day: first + 2, came: first + 3)
    signs.add(person: 0, day: first + 4)
    checks.expect(0, "true false", signs.contains(person: 0, day: first + 2), signs.contains(person: 0, day: first))
    checks.expect(1, "2026-06-03", signs.lastSign(ofPerson: 0, before: first + 4) ?? first)
  }

  /// Sources/VigilDetection/Silence/SilenceHabit.swift
  @Test func silenceHabitExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    guard let first = Day("2026-01-01") else { return }
    let signs = SignsOfLife(personCount: 1, days: first...(first + 89))
    for day in signs.days { signs.addWorn(person: 0, day: day, came: nil) }
    let habit = SilenceHabit(
      ofPerson: 0, silentSince: first + 90, signs: signs, broken: BrokenFeedDays(among: signs.days),
      settings: InactivitySettings())
    checks.expect(0, "90 4", habit?.days ?? 0, habit?.threshold(InactivitySettings()) ?? 0)
  }

  /// Sources/VigilDetection/Thresholds/Detector.swift
  @Test func calibrationExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let calibration = Calibration(openingsPerSeriesYear: 0.13, simulatedSeries: 8_000)
    checks.expect(0, "8000", calibration.simulatedSeries)
  }

  /// Sources/VigilDetection/Thresholds/Thresholds+Sensitivity.swift
  @Test func adjustedExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let steps = MetricThresholds(
      metric: MetricType("steps"), unit: "steps", pattern: .drop,
      rules: [MetricRule(.percentDropAtLeast, 0.2)])
    let usual = Thresholds(version: "mine", digest: "", metrics: [steps])
    let own = usual.adjusted(to: PersonalSensitivity([MetricType("steps"): .higher]))
    checks.expect(0, "15.0", (own.metrics[0].rules[0].threshold * 100).rounded())
  }

  /// Sources/VigilDetection/Thresholds/Thresholds.swift
  @Test func thresholdsExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    let file = Data(ShippedThresholds.named("v2") ?? [])
    let thresholds = try Thresholds(json: file, file: "v2.json", digest: "")
    checks.expect(0, "v2 3", thresholds.version, thresholds.recentDays)
    checks.expect(1, "deep_sleep_minutes", thresholds.metrics[0].metric)
  }

  /// Sources/VigilDetection/Thresholds/Thresholds.swift
  @Test func sourceMergeExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    var thresholds = Thresholds(version: "mine", digest: "", metrics: [])
    thresholds.merge = .prefer(["ring", "watch"])
    checks.expect(0, "prefer([\"ring\", \"watch\"])", thresholds.merge)
  }

  /// Sources/VigilDetection/Thresholds/Thresholds.swift
  @Test func metricThresholdsExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let sleep = MetricThresholds(
      metric: MetricType("sleep_minutes"), unit: "min", pattern: .drop,
      rules: [MetricRule(.percentDropAtLeast, 0.2), MetricRule(.absoluteDropBelow, 300)],
      plausible: 0...1440)
    checks.expect(0, "[\"percent_drop_at_least\", \"absolute_drop_below\"]", sleep.rules.map(\.kind.rawValue))
  }
}
