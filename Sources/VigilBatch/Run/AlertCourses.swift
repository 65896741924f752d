public import Foundation
public import Logging
public import VigilDetection
public import VigilModel
import VigilPipeline
public import VigilStorage
public import VigilVitality

/// Finds how the episodes of alerts went, by judging their days again from the input as it is now.
///
/// Rows of alerts are written only when something changes, so they hold neither the clean days so far nor the
/// worst day.
public struct AlertCourses {
  private let storage: any Storage
  private let thresholds: Thresholds
  private let vitality: VitalitySettings
  private let zones: ZoneCatalog
  private let logger: Logger

  /// Alerts of one person begin on days close to each other; those of many span years.
  private static let mostPersonsAtOnce = 64

  public init(
    in storage: any Storage, thresholds: Thresholds, vitality: VitalitySettings,
    zones: ZoneCatalog, logger: Logger
  ) {
    self.storage = storage
    self.thresholds = thresholds
    self.vitality = vitality
    self.zones = zones
    self.logger = logger
  }

  /// By the alert's id; alerts of other thresholds, and those without any input left, are missing.
  ///
  /// - Parameters:
  ///   - alerts: The alerts, as they stood on the day.
  ///   - day: The last day that counts; nil for the newest evaluated one.
  /// - Throws: `StorageError`, with `.permissionDenied` for a role that may not read the input;
  ///   `ZoneFault` where the rules of a time zone cannot be read.
  /// - Complexity: O(days * horizon) for an alert.
  public func courses(
    of alerts: [PatternAlertState], through day: Day? = nil
  ) throws -> [UUID: EpisodeCourse] {
    let alerts = alerts.filter { $0.profile == thresholds.profile }
    guard !alerts.isEmpty,
      let last = try day ?? storage.lastEvaluatedDay(of: .patterns, by: thresholds.profile)
    else { return [:] }
    let available = try storage.metricColumns().numeric
    let reader = try SharedReader(storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    var courses: [UUID: EpisodeCourse] = [:]
    for alerts in Self.batches(of: alerts) {
      try judge(alerts, through: last, available: available, reader: reader, into: &courses)
    }
    return courses
  }

  /// Alerts of a few persons each, those that began first together.
  private static func batches(of alerts: [PatternAlertState]) -> [[PatternAlertState]] {
    let sorted = alerts.sorted { $0.episode.activeSince < $1.episode.activeSince }
    var batches: [[PatternAlertState]] = []
    var persons: Set<UUID> = []
    for alert in sorted {
      if batches.isEmpty
        || persons.count == mostPersonsAtOnce && !persons.contains(alert.series.user)
      {
        batches.append([])
        persons.removeAll()
      }
      persons.insert(alert.series.user)
      batches[batches.count - 1].append(alert)
    }
    return batches
  }

  private func judge(
    _ alerts: [PatternAlertState], through last: Day, available: Set<MetricType>,
    reader: SharedReader, into courses: inout [UUID: EpisodeCourse]
  ) throws {
    let first = alerts[0].episode.activeSince
    let newest = alerts.map(\.episode.lastEvaluated).reduce(last) { max($0, $1) }
    // The batch holds what a backfill of these days would load.
    let scope = RunScope(
      kind: .backfill, days: first...newest, mode: .shadow, parts: [.patterns],
      thresholds: thresholds, vitality: vitality)
    let adherence = thresholds.adherenceMetric?.metric
    let followsAdherence = alerts.contains { $0.series.metric == adherence }
    let plan = RunPlan(
      scope, availableMetrics: available, followsAdherence: followsAdherence,
      followsCheckIns: try followsAdherence && scope.followsSilence && storage.hasCheckIns())
    let persons = Set(alerts.map(\.series.user)).sorted()
    let startedAt = (newest + 1).midnight
    let batch = LoadedBatch(plan, runStartedAt: startedAt, zones: zones)
    try reader.read { try batch.load(persons, from: $0) }
    let doses = try batch.dailyAdherence(plan, evaluatedAt: startedAt, zones: zones)
    let broken = try doses.flatMap { _ in try FeedRecord(ofDosesFor: scope, in: storage)?.brokenDays
    }
    let unrecorded = batch.own.input.unrecordedDays(
      of: doses?.doses(for: batch.own.profile.adherenceMetric), broken: Set(broken ?? []))
    let places = Dictionary(uniqueKeysWithValues: persons.enumerated().map { ($1, $0) })
    for alert in alerts {
      guard let person = places[alert.series.user] else { continue }
      if alert.episode.combined != nil {
        courses[alert.id] = courseTogether(
          of: alert, person, in: batch, through: max(last, alert.episode.lastEvaluated))
        continue
      }
      guard
        let metric = batch.own.metrics.firstIndex(where: {
          $0.metric == alert.series.metric && $0.pattern == alert.series.pattern
        })
      else { continue }
      let block = metric < batch.own.input.block.metricCount ? batch.own.input.block : doses?.daily
      guard let block else { continue }
      if let settings = batch.own.metrics[metric].doses {
        guard let counts = doses?.doses(for: batch.own.metrics[metric]) else { continue }
        courses[alert.id] = EpisodeCourse(
          of: alert.episode,
          in: DoseSeries(
            UnsafeBufferPointer(counts.days(ofPerson: person)), from: counts.days.lowerBound,
            withoutRecord: unrecorded[person]),
          through: max(last, alert.episode.lastEvaluated), by: settings)
        continue
      }
      let personal = batch.own.input.sensitivities[person] ?? PersonalSensitivity()
      courses[alert.id] = EpisodeCourse(
        of: alert.episode,
        in: UnsafeBufferPointer(
          block.series(person: person, metric: metric < block.metricCount ? metric : 0)),
        from: block.days.lowerBound, workouts: batch.own.input.block.workouts(person: person),
        through: max(last, alert.episode.lastEvaluated),
        by: batch.own.metrics[metric].adjusted(to: personal[alert.series.metric]), of: thresholds)
    }
  }

  /// The course of an alert of several metrics.
  private func courseTogether(
    of alert: PatternAlertState, _ person: Int, in batch: LoadedBatch, through last: Day
  ) -> EpisodeCourse? {
    let block = batch.own.input.block
    let metrics = Array(batch.own.metrics.prefix(block.metricCount))
    return EpisodeCourse(
      ofTogether: alert.episode,
      in: metrics.indices.map {
        UnsafeBufferPointer(block.series(person: person, metric: $0))
      },
      of: metrics, from: block.days.lowerBound, workouts: block.workouts(person: person),
      through: last, by: thresholds,
      for: batch.own.input.sensitivities[person] ?? PersonalSensitivity())
  }
}
