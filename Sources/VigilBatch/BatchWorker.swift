import Foundation
import Logging
import VigilDelivery
import VigilDetection
import VigilModel
import VigilStorage

/// Takes loaded batches to the rows to be written; used by one thread.
final class BatchWorker {
  private let reader: SharedReader
  private let settings: BatchSettings
  private let window: FoldWindow
  private let startedAt: Timestamp
  private let doses: DoseEvaluation?
  private let vitality: VitalityEvaluation?
  private let zones: ZoneCatalog
  private let logger: Logger
  private let fold: BlockFold
  private var result = FoldResult()

  /// - Parameters:
  ///   - doses: Nil where the run does not follow them.
  ///   - vitality: Nil where the run computes no scores.
  ///   - zones: By whose rules recipients have their quiet hours.
  init(
    reader: SharedReader, settings: BatchSettings, startedAt: Timestamp, doses: DoseEvaluation?,
    vitality: VitalityEvaluation?, zones: ZoneCatalog, logger: Logger
  ) {
    self.doses = doses
    self.vitality = vitality
    self.zones = zones
    self.reader = reader
    self.settings = settings
    self.startedAt = startedAt
    self.logger = logger
    window = settings.window
    fold = BlockFold(
      thresholds: settings.thresholds, metrics: settings.metrics)
  }

  /// - Throws: `StorageError` where families cannot be read.
  func process(_ batch: LoadedBatch) throws -> BatchWrite {
    var insights = InsightWrite(persons: batch.persons)
    let adherence = try doses?.evaluate(batch)
    if settings.parts.contains(.adherence) { doses?.addMissedStreaks(to: &insights) }
    let patterns = settings.parts.contains(.patterns) ? followEpisodes(of: batch) : nil
    if let patterns, doses != nil {
      insights.addConcurrences(
        of: batch.stored, changed: patterns.changed, with: settings.adherenceMetric?.metric)
    }
    var scores: VitalityWrite?
    if let vitality, let loaded = batch.vitality {
      scores = vitality.evaluate(batch, loaded, doses: doses, addingTo: &insights)
    }
    logDataQuality(of: batch)
    var write = BatchWrite(
      alertStates: patterns?.changed ?? [],
      notifications: try plan(patterns?.notifications ?? []),
      queue: settings.mode == .live ? .live : .shadow, runID: settings.runID, writtenAt: startedAt,
      adherence: adherence, vitality: scores,
      insights: insights.isEmpty ? nil : insights)
    write.checkpoint = checkpoint(of: batch, counts: counts(of: write, batch, patterns?.counts))
    return write
  }

  private func followEpisodes(of batch: LoadedBatch) -> Reconciliation {
    fold.fold(
      batch.block, over: window,
      stored: batch.stored.mapValues { states in
        states.map { StoredEpisode($0, mode: settings.mode) }
      },
      into: &result)
    return Reconciliation(
      of: result, with: batch.stored, window: window, mode: settings.mode,
      tellsRecovery: settings.thresholds.notify.onRecovery, isSilent: settings.isSilent,
      provenance: .init(
        profile: settings.thresholds.profile, runID: settings.runID, at: startedAt),
      seriesKey: batch.key(ofSeries:))
  }

  /// - Parameter episodes: What became of them; nil where they were not followed.
  private func counts(
    of write: BatchWrite, _ batch: LoadedBatch, _ episodes: RunRecord.Counts?
  ) -> RunRecord.Counts {
    var counts = episodes ?? RunRecord.Counts()
    counts.persons = batch.persons.count
    if episodes != nil {
      counts.series = result.seriesWithData
      counts.daysEvaluated =
        result.seriesWithData * (settings.days.upperBound - settings.days.lowerBound + 1)
    }
    counts.rowsRead = batch.observations.rowCount + (batch.medications?.doseCount ?? 0)
    counts.rowsChanged = batch.observations.rowsChanged
    counts.valuesRejected = batch.observations.quality.rejections.count
    if let vitality = write.vitality {
      counts.scoresChanged = vitality.scores.count + vitality.outdatedScores.count
    }
    counts.insightsFound =
      write.insights?.insights.count { $0.suppressedReason == nil && isNew($0) } ?? 0
    return counts
  }

  /// Whether an insight is one of the evaluated days: what a run finds of earlier ones was counted then.
  private func isNew(_ insight: TrendInsight) -> Bool {
    let further = insight.concurrence == nil ? 0 : max(0, insight.coverage - 1)
    return settings.days.overlaps(insight.day...(insight.day + further))
  }

  private func checkpoint(
    of batch: LoadedBatch, counts: RunRecord.Counts
  ) -> BatchCheckpoint {
    BatchCheckpoint(
      shard: settings.shard.index, firstPerson: batch.persons[0],
      lastPerson: batch.persons[batch.persons.count - 1], counts: counts,
      dataQuality: batch.observations.quality.counts(
        of: settings.wearableMetrics.map(\.metric))
        + batch.unusableRows.dataQuality,
      input: batch.input)
  }

  /// Families are asked for only where somebody is told something: in most batches of a night that
  /// is hardly anybody, and reading all families would take a tenth of the run's time.
  private func plan(_ notifications: [PatternAlertNotification]) throws -> [PlannedNotification] {
    guard !notifications.isEmpty else { return [] }
    let told = Array(Set(notifications.map(\.series.user)))
    let (members, exclusions) = try reader.read {
      (try $0.familyMembers(of: told), try $0.exclusions(of: told))
    }
    let recipients = Dictionary(
      uniqueKeysWithValues: zip(told, members).map { person, members in
        let excluded = exclusions[person] ?? []
        return (person, Audience.recipients(for: person, among: members, excluding: excluded))
      })
    let audience = Set(recipients.values.joined())
    let profiles = try reader.read { try $0.profiles(of: Array(audience)) }
    let preferences = Dictionary(
      uniqueKeysWithValues: audience.map { ($0, DeliveryPreferences(profiles[$0], zones: zones)) })
    let policy = NotificationPolicy(settings.thresholds.notify)
    let planned = notifications.flatMap { notification in
      (recipients[notification.series.user] ?? []).flatMap { recipient in
        notification.planned(
          for: recipient,
          preferring: preferences[recipient] ?? DeliveryPreferences(nil, zones: zones), by: policy,
          at: startedAt)
      }
    }
    return Self.latest(of: planned)
  }

  /// Without what was withheld on one day and is planned again on a later one: the later one counts.
  private static func latest(of planned: [PlannedNotification]) -> [PlannedNotification] {
    guard planned.contains(where: { $0.status == .skipped }) else { return planned }
    var keys: Set<String> = []
    return planned.reversed().filter { keys.insert($0.dedupeKey).inserted }.reversed()
  }

  private func logDataQuality(of batch: LoadedBatch) {
    guard logger.logLevel <= .debug else { return }
    for rejection in batch.observations.quality.rejections {
      logger.debug(
        "Value rejected",
        metadata: [
          "person.id": "\(batch.persons[rejection.person].lowercased)", "day": "\(rejection.day)",
          "metric": "\(batch.metrics[rejection.metric].metric)",
          "source": "\(batch.observations.sourceName(rejection.source))",
          "reason": "\(rejection.reason.rawValue)",
        ])
    }
    for series in batch.observations.quality.seriesTraits {
      logger.debug(
        "Series to know about",
        metadata: [
          "person.id": "\(batch.persons[series.person].lowercased)",
          "metric": "\(batch.metrics[series.metric].metric)",
          "trait": "\(series.trait.rawValue)",
        ])
    }
  }
}

extension NotificationPolicy {
  init(_ settings: NotifySettings) {
    self.init(
      payloadDetail: settings.payloadDetail, groupsByRecipient: settings.groupsByRecipient)
  }
}

extension StoredEpisode {
  init(_ state: PatternAlertState, mode: RunRecord.Mode) {
    self.init(
      episode: state.episode, notifiedLevel: state.notifiedLevel(in: mode),
      isDismissed: state.dismissedAt != nil, snoozeUntil: state.snoozeUntil)
  }
}
