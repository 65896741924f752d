import Foundation
import VigilAdherence
import VigilAlerts
import VigilAnalysis
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

/// Takes a loaded batch through the stages of a run under both of its profiles: adherence once, patterns and
/// delivery for each.
///
/// Used by one thread.
final class ComparisonWorker {
  private let lastDay: Day
  private let adherence: AdherenceStage?
  private let patterns: ByProfile<PatternStage>
  private let delivery: ByProfile<DeliveryStage>
  private let audience: AudienceLoader

  /// - Parameters:
  ///   - plan: The plan of the first profile.
  ///   - second: The candidate of `plan`.
  ///   - startedAt: The instant as of which doses are evaluated and notifications are ready.
  ///   - brokenFeed: The days with a broken feed.
  ///   - brokenDoseDays: Days on which doses without a record are no misses, as their feed is broken.
  ///   - zones: Those of the batches.
  ///   - reader: For the families of persons with notifications.
  init(
    _ plan: RunPlan, and second: ProfilePlan, startedAt: Timestamp, brokenFeed: Set<Day>,
    brokenDoseDays: Set<Day>, zones: ZoneCatalog, reader: SharedReader
  ) {
    let (scope, profiles) = (plan.scope, ByProfile(first: plan.own, second: second))
    lastDay = scope.days.upperBound
    // No measure of a period and no alert about a medication is compared, only daily adherence as a metric.
    adherence =
      plan.followsAdherence
      ? AdherenceStage(daily: plan, evaluatedAt: startedAt, zones: zones) : nil
    let terms = PatternStage.Terms(
      runID: UUID(name: "comparison"), startedAt: startedAt, evaluatedAt: startedAt,
      brokenFeed: brokenFeed, brokenDoseDays: brokenDoseDays)
    patterns = profiles.map { profile in
      PatternStage(
        profile, evaluatedDays: scope.days, mode: scope.mode, terms: terms,
        followsMedications: false)
    }
    delivery = profiles.map { profile in
      DeliveryStage(profile.thresholds.notify, startedAt: startedAt, zones: zones)
    }
    audience = AudienceLoader(reader: reader)
  }

  /// Returns the findings of both profiles; nil where the batch has no candidate.
  ///
  /// - Throws: `StorageError` where families cannot be read.
  func evaluate(_ batch: LoadedBatch) throws -> ByProfile<ProfileFindings>? {
    guard let second = batch.candidate else { return nil }
    let doses = batch.medications.flatMap { rows in
      adherence?.evaluate(rows, personCount: batch.persons.count)
    }
    let found = ByProfile(
      first: patterns.first.evaluate(batch.own, adherence: doses),
      second: patterns.second.evaluate(second, adherence: doses))
    let audience = try audience.load(
      for: found.first.notifications + found.second.notifications)
    return ByProfile(
      first: findings(found.first, delivery.first, audience),
      second: findings(found.second, delivery.second, audience))
  }

  private func findings(
    _ found: PatternFindings, _ delivery: DeliveryStage, _ audience: LoadedAudience
  ) -> ProfileFindings {
    let series = Dictionary(
      found.notifications.map { ($0.alertStateID, $0.series) }, uniquingKeysWith: { $1 })
    let events = Dictionary(
      found.changed.map { ($0.id, $0.eventID) }, uniquingKeysWith: { $1 })
    // The alerts of an event share its notifications.
    let named = Dictionary(grouping: found.changed, by: \.eventID).mapValues { alerts in
      Set(alerts.flatMap { $0.episode.combined?.contributions.map(\.metric) ?? [$0.series.metric] })
    }
    // A row a channel: a recipient is notified once on all of them.
    let notified = Set(
      delivery.plan(found.notifications, for: audience).compactMap { row in
        row.status == .pending
          ? series[row.alertStateID].map { series in
            ComparedNotification(
              row, of: series, metrics: events[row.alertStateID].flatMap { named[$0] })
          } : nil
      })
    return ProfileFindings(
      episodes: found.changed.map { row in
        ComparedEpisode(
          row.episode, of: row.series, event: row.eventID, comparedThrough: lastDay)
      },
      notifications: Array(notified))
  }
}

extension ComparedNotification {
  fileprivate init(
    _ row: PlannedNotification, of series: SeriesKey, metrics: Set<MetricType>?
  ) {
    self.init(
      series: series, alertStateID: row.alertStateID, recipient: row.recipient, level: row.level,
      isRecovery: row.kind == .patternRecovery, groupNight: row.groupNight,
      metrics: metrics?.sorted())
  }
}
