import Foundation
import Logging
public import VigilDetection
import VigilModel
import VigilNotifications
public import VigilStorage

/// Takes batches of persons from rows to the rows to be written; used by one thread.
final class BatchWorker {
  private let reader: any StorageReader
  private let settings: BatchSettings
  private let window: FoldWindow
  private let metrics: [MetricThresholds]
  private let startedAt: Timestamp
  private let logger: Logger
  private let block: ObservationBlock
  private let observations: ObservationBuilder
  private let fold: BlockFold
  private var result = FoldResult()

  struct Outcome {
    var write: BatchWrite
    /// Without the notifications, which only the database can count.
    var counts: RunRecord.Counts
    var quality: DataQuality
  }

  init(
    reader: any StorageReader, settings: BatchSettings, startedAt: Timestamp, logger: Logger
  ) {
    self.reader = reader
    self.settings = settings
    self.startedAt = startedAt
    self.logger = logger
    window = settings.window
    metrics = settings.thresholds.wearableMetrics
    block = ObservationBlock(personCount: 0, metricCount: metrics.count, days: window.loaded)
    observations = ObservationBuilder(
      block: block, metrics: metrics, thresholds: settings.thresholds)
    fold = BlockFold(thresholds: settings.thresholds, metrics: metrics)
  }

  func process(_ persons: [UUID]) throws -> Outcome {
    try readObservations(of: persons)
    let stored = try storedStates(of: persons)
    fold.fold(
      block, over: window,
      stored: stored.mapValues { states in
        states.filter { $0.episode.resolution?.reason != .retracted }
          .map { StoredEpisode($0, mode: settings.mode) }
      },
      into: &result)

    let reconciliation = Reconciliation(
      of: result, with: stored, window: window, mode: settings.mode,
      provenance: .init(
        thresholdsVersion: settings.thresholds.version,
        thresholdsDigest: settings.thresholds.digest, runID: settings.runID, at: startedAt),
      seriesKey: { SeriesKey(series: $0, persons: persons, metrics: self.metrics) })
    let notifications = try plan(reconciliation.notifications, persons: persons)

    var counts = reconciliation.counts
    counts.persons = persons.count
    counts.series = result.seriesWithData
    counts.daysEvaluated =
      result.seriesWithData * (settings.days.upperBound - settings.days.lowerBound + 1)
    counts.rowsRead = observations.rowCount
    counts.valuesRejected = observations.quality.rejections.count
    logRejections(persons: persons)
    return Outcome(
      write: BatchWrite(
        alertStates: reconciliation.changed, notifications: notifications,
        queue: settings.mode == .live ? .live : .shadow, runID: settings.runID,
        writtenAt: startedAt,
        checkpoint: BatchCheckpoint(
          firstPerson: persons[0], lastPerson: persons[persons.count - 1], persons: persons.count)),
      counts: counts, quality: observations.quality)
  }

  private func readObservations(of persons: [UUID]) throws {
    block.reset(personCount: persons.count, days: window.loaded)
    observations.begin()
    try reader.readMetrics(
      of: persons, days: window.loaded, metrics: metrics.map(\.metric),
      reportsWear: settings.thresholds.detectsNonWear, into: observations)
    observations.finish()
    if metrics.contains(where: \.isSuppressedOnWorkoutDays) {
      try reader.readWorkoutDays(of: persons, days: window.loaded) { person, day in
        block.addWorkout(person: person, day: day)
      }
    }
  }

  /// The stored rows that the window may touch, by series index and in order of `active_since`.
  private func storedStates(of persons: [UUID]) throws -> [Int: [PatternAlertState]] {
    let metricIndex = Dictionary(
      uniqueKeysWithValues: metrics.enumerated().map { ($0.element.metric, $0.offset) })
    let personIndex = Dictionary(
      uniqueKeysWithValues: persons.enumerated().map { ($0.element, $0.offset) })
    var states: [Int: [PatternAlertState]] = [:]
    for state in try reader.alertStates(of: persons, touchedSince: window.loaded.lowerBound) {
      guard let person = personIndex[state.series.user],
        let metric = metricIndex[state.series.metric],
        metrics[metric].pattern == state.series.pattern
      else { continue }
      states[person * metrics.count + metric, default: []].append(state)
    }
    return states.mapValues { $0.sorted { $0.episode.activeSince < $1.episode.activeSince } }
  }

  private func plan(
    _ notifications: [PatternAlertNotification], persons: [UUID]
  ) throws -> [PlannedNotification] {
    guard !notifications.isEmpty else { return [] }
    let told = Array(Set(notifications.map(\.series.user)))
    let members = try reader.familyMembers(of: told)
    let recipients = Dictionary(
      uniqueKeysWithValues: zip(told, members).map { person, members in
        (person, Audience.recipients(for: person, among: members))
      })
    return notifications.flatMap { notification in
      (recipients[notification.series.user] ?? []).map {
        notification.planned(for: $0, at: startedAt)
      }
    }
  }

  private func logRejections(persons: [UUID]) {
    guard logger.logLevel <= .debug else { return }
    for rejection in observations.quality.rejections {
      logger.debug(
        "Value rejected",
        metadata: [
          "person.id": "\(persons[rejection.person].lowercased)", "day": "\(rejection.day)",
          "metric": "\(metrics[rejection.metric].metric)",
          "source": "\(observations.sourceName(rejection.source))",
          "reason": "\(rejection.reason.rawValue)",
        ])
    }
  }
}

extension ObservationBuilder: MetricRowSink {}

extension StoredEpisode {
  init(_ state: PatternAlertState, mode: RunRecord.Mode) {
    self.init(
      episode: state.episode, notifiedLevel: state.notifiedLevel(in: mode),
      isDismissed: state.dismissedAt != nil, snoozeUntil: state.snoozeUntil)
  }
}

extension SeriesKey {
  /// The key of the series at an index of a block.
  init(series: Int, persons: [UUID], metrics: [MetricThresholds]) {
    let metric = metrics[series % metrics.count]
    self.init(
      user: persons[series / metrics.count], metric: metric.metric, pattern: metric.pattern)
  }
}
