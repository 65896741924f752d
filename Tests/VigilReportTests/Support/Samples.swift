import Foundation
import VigilAnalysis
import VigilModel
import VigilStorage

@testable import VigilReport

/// Rows that the reports of these tests are made of.
enum Samples {
  static let time = Timestamp(microseconds: 1_782_875_700_000_000)

  static func day(_ text: String) throws -> Day {
    guard let day = Day(text) else { throw NoDay(text: text) }
    return day
  }

  struct NoDay: Error {
    var text: String
  }

  static func person(_ number: Int) -> UUID { UUID(name: "person \(number)") }

  static let profile = Profile(version: "v1", digest: String(repeating: "ab", count: 32))

  static func alert(
    person number: Int, metric: String = "resting_hr", pattern: PatternType = .rise,
    since: String, days: Int, baseline: Double, recent: Double, isWithoutDeviation: Bool = false,
    resolution: Episode.Resolution.Reason? = nil
  ) throws -> PatternAlertState {
    let since = try day(since)
    let last = since + (days - 1)
    return PatternAlertState(
      profile: profile,
      series: SeriesKey(user: person(number), metric: MetricType(metric), pattern: pattern),
      episode: Episode(
        activeSince: since, lastEvaluated: last, duration: days,
        level: AlertLevel(duration: days),
        figures: EpisodeFigures(
          baseline: .init(value: baseline, start: since - 21, end: since - 1, count: 21),
          recent: .init(value: recent, start: last - 2, end: last, count: 3),
          deviation: isWithoutDeviation ? nil : (recent - baseline) / baseline),
        resolution: resolution.map { .init(day: last + 2, reason: $0) }),
      runID: UUID(name: "run 1"), computedAt: time, createdAt: time, updatedAt: time)
  }

  /// An alert about a medication of the person's own that was found on some days in a row.
  static func medicationAlert(
    person number: Int, _ metric: MetricType, since: String, days: Int
  ) throws -> PatternAlertState {
    var alert = try alert(
      person: number, since: since, days: days, baseline: 0, recent: Double(days),
      isWithoutDeviation: true)
    let series = SeriesKey(
      user: person(number), medication: UUID(name: "medication \(number)"), metric: metric,
      pattern: .medication)
    alert.episode.level = series.pattern.level(afterDays: days)
    return PatternAlertState(
      profile: profile, series: series, episode: alert.episode, runID: alert.runID,
      computedAt: time, createdAt: time, updatedAt: time)
  }

  /// The alert as one that evidence of its first nine days has opened.
  static func withEvidence(_ alert: PatternAlertState) -> PatternAlertState {
    var alert = alert
    let (since, opened) = (alert.episode.activeSince, alert.episode.activeSince + 8)
    alert.episode.figures.recent.start = since
    alert.episode.figures.recent.end = opened
    alert.episode.figures.recent.count = 8
    alert.episode.evidence = EpisodeEvidence(
      openedOn: opened, windowDays: 8, z: 5.1234, threshold: 4.28, shift: 1.375,
      anchor: EvidenceAnchor(
        mean: 93.5, weekdays: [0.5, -0.25, 0, 0.125, 0, 0.0625, -2, 0], spread: 21.5,
        autocorrelation: 0.13, noise: 1.0625))
    return alert
  }

  /// A row of a queue, of which those with a higher number were planned later.
  static func notification(
    _ number: Int, about alert: PatternAlertState, to recipient: Int = 2,
    channel: PlannedNotification.Channel = .push, status: PlannedNotification.Status = .pending,
    reason: PlannedNotification.StatusReason? = nil
  ) throws -> QueuedNotification {
    let planned = PlannedNotification(
      recipient: person(recipient), member: alert.series.user, alertStateID: alert.id,
      level: alert.episode.level, channel: channel, payload: #"{"level":7}"#, priority: .high,
      scheduledFor: time, expiresAt: time)
    let at = time.adding(seconds: Int64(number) * 60)
    return QueuedNotification(
      id: planned.id, recipient: planned.recipient, member: planned.member,
      alertStateID: alert.id, type: planned.kind.notificationType,
      templateID: planned.templateID, channel: channel, payload: planned.payload,
      priority: planned.priority, scheduledFor: at, expiresAt: at.adding(seconds: 24 * 3600),
      status: status, statusReason: reason, attempts: status == .sent ? 1 : 0,
      lastAttemptAt: status == .sent ? at.adding(seconds: 30) : nil,
      sentAt: status == .sent ? at.adding(seconds: 31) : nil, dedupeKey: planned.dedupeKey,
      runID: alert.runID, createdAt: at, updatedAt: at)
  }

  static func shard(
    _ status: ShardRecord.Status, index: Int = 1, error: String? = nil
  ) throws -> ShardRecord {
    ShardRecord(
      run: UUID(name: "run 1"), index: index, status: status, host: "ward-7", startedAt: time,
      finishedAt: time.adding(seconds: 2), error: error)
  }

  static func run(
    _ number: Int, kind: RunRecord.Kind = .run, from: String = "2026-06-30",
    to: String = "2026-06-30", mode: RunRecord.Mode = .shadow,
    status: RunRecord.Status = .succeeded, seconds: Int64? = 2, parts: Set<RunPart> = .all
  ) throws -> RunRecord {
    var run = RunRecord(
      id: UUID(name: "run \(number)"), kind: kind, days: try day(from)...day(to), mode: mode,
      thresholds: profile, parts: parts,
      vitality: parts.contains(.vitality)
        ? .init(version: "vitality.v1", digest: String(repeating: "cd", count: 32)) : nil,
      engineVersion: "0.1.0", host: "ward-7", startedAt: time,
      finishedAt: seconds.map { time.adding(seconds: $0) }, status: status)
    run.counts.persons = 1234
    run.counts.series = 8_638
    run.counts.daysEvaluated = 345_520
    run.counts.rowsRead = 49_360
    run.counts.valuesRejected = 17
    run.counts.episodesOpened = 40
    run.counts.episodesEscalated = 12
    run.counts.episodesResolved = 31
    run.counts.notificationsEnqueued = 96
    run.counts.scoresChanged = 1_240
    run.counts.insightsFound = 57
    return run
  }

  /// A metric that is fitted, one that few people have, and one that cannot be simulated.
  static func calibration() throws -> CalibrationReport {
    func metric(
      _ name: String, people: Int, _ source: CalibrationReport.Source, moved: Double
    ) -> CalibrationReport.Metric {
      let before = [10: 4.58, 60: 4.37, 120: 4.2]
      return .init(
        metricType: MetricType(name), people: people, source: source,
        now: .init(
          priorSpread: 23.4 - moved, priorAutocorrelation: 0.13,
          thresholds: before.mapValues { $0 + moved / 10 }),
        before: .init(priorSpread: 23.4, priorAutocorrelation: 0.13, thresholds: before),
        expected: source == .notSimulated
          ? nil : .init(estimate: 0.43, lower: 0.41, upper: 0.46))
    }
    return CalibrationReport(
      file: "mine.json", version: "v3-calibrated", digest: "00ff", base: "v3",
      database: "sqlite:vigil.sqlite", days: try day("2025-05-27")...day("2026-06-30"),
      people: 1234, fewest: (60, 20), budget: 1, openingsPerSeriesYear: 0.4612,
      simulatedPeople: 4000, simulatedDays: 430, seed: 1,
      expected: .init(estimate: 0.87, lower: 0.84, upper: 0.9),
      expectedOfBase: .init(estimate: 1.31, lower: 1.28, upper: 1.34),
      metrics: [
        metric("steps", people: 1200, .database, moved: 2.5),
        metric("hrv_ms", people: 12, .base, moved: 1),
        metric("skin_temperature_c", people: 3, .notSimulated, moved: 0),
      ])
  }

  /// Pauses that are fitted, and doses that few people have.
  static func habits() -> (pauses: CalibrationReport.Pauses, doses: CalibrationReport.Doses) {
    let before = (2...20).map { 7 / Double($0) }
    return (
      .init(
        fit: .init(
          people: 1200, fewest: (60, 20), isFitted: true,
          expected: .init(estimate: 0.21, lower: 0.19, upper: 0.23),
          expectedOfBase: .init(estimate: 0.25, lower: 0.23, upper: 0.27)),
        now: before.map { $0 / 2 }, before: before),
      .init(
        fit: .init(
          people: 12, fewest: (60, 20), isFitted: false,
          expected: .init(estimate: 0.06, lower: 0.05, upper: 0.07),
          expectedOfBase: .init(estimate: 0.06, lower: 0.05, upper: 0.07)),
        now: .init(priorMissed: 0.2, priorTaken: 4.8, dayPrior: 0.5),
        before: .init(priorMissed: 0.2, priorTaken: 4.8, dayPrior: 0.5))
    )
  }

  /// One correlation that days show, and one that too few people have both metrics for.
  static func together() -> CalibrationReport.Together {
    .init(
      expected: .init(estimate: 0.42, lower: 0.4, upper: 0.45),
      thresholds: [2: 3.4, 3: 3.85], thresholdsBefore: [2: 3.25, 3: 3.7],
      correlations: [
        .init(
          metrics: [MetricType("steps"), MetricType("movement_minutes")],
          found: .init(estimate: 0.81, lower: 0.78, upper: 0.83), now: 0.8, before: 0.75),
        .init(
          metrics: [MetricType("hrv_ms"), MetricType("resting_hr")], found: nil, now: 0.55,
          before: 0.55),
      ])
  }
}
