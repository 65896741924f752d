import Foundation
import VigilAlerts
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

/// The second stage: follows the episodes of a batch under one profile, and brings them together with the
/// stored ones and into events.
///
/// Keeps its working memory from batch to batch; used by one thread.
final class PatternStage {
  private let profile: ProfilePlan
  private let evaluatedDays: ClosedRange<Day>
  private let mode: RunRecord.Mode
  private let isSilent: Bool
  private let provenance: Reconciliation.Provenance
  private let fold: PatternFold

  /// - Parameters:
  ///   - profile: The profile.
  ///   - evaluatedDays: The days of the run.
  ///   - mode: Which notified levels count.
  ///   - isSilent: Whether no one is notified, and active episodes count as notified.
  ///   - runID: The run that writes the rows.
  ///   - startedAt: When this process began.
  ///   - evaluatedAt: When the run began, by which check-ins are overdue or not.
  ///   - brokenFeed: The days with a broken feed.
  ///   - brokenDoseDays: Days on which doses without a record are no misses, as their feed is broken.
  ///   - followsMedications: Whether medications are followed by themselves, where the profile weighs doses.
  init(
    _ profile: ProfilePlan, evaluatedDays: ClosedRange<Day>, mode: RunRecord.Mode,
    isSilent: Bool = false, runID: UUID, startedAt: Timestamp,
    evaluatedAt: Timestamp, brokenFeed: Set<Day>, brokenDoseDays: Set<Day>,
    followsMedications: Bool = true
  ) {
    self.profile = profile
    self.evaluatedDays = evaluatedDays
    self.mode = mode
    self.isSilent = isSilent
    provenance = .init(profile: profile.thresholds.profile, runID: runID, at: startedAt)
    fold = PatternFold(
      profile, evaluatedAt: evaluatedAt, brokenFeed: brokenFeed, brokenDoseDays: brokenDoseDays,
      followsMedications: followsMedications)
  }

  /// - Parameters:
  ///   - series: The series of the same profile.
  ///   - adherence: The measures of the doses of the batch; nil where doses are not followed.
  func evaluate(_ series: ProfileSeries, adherence: AdherenceFindings?) -> PatternFindings {
    fold.fold(series.input, adherence: adherence, stored: series.storedEpisodes)
    let isGrouping = profile.thresholds.groupsEvents
    let reconciled = Reconciliation(
      of: fold.metrics, with: series.stored, window: profile.window, mode: mode,
      keepsUntouched: isGrouping, others: series.storedOthers, provenance: provenance,
      seriesKey: series.input.key(ofSeries:))
    let alone = silences(of: series) + medications(of: series) + limits(of: series)
    let events = EventPlan(
      of: reconciled.rows + alone, isGrouping: isGrouping, window: profile.window, mode: mode,
      notifiesRecovery: profile.thresholds.notify.onRecovery, isSilent: isSilent,
      limits: profile.thresholds.limits,
      provenance: provenance)
    var counts = events.counts
    counts.series = fold.metrics.seriesWithData
    counts.daysEvaluated =
      fold.metrics.seriesWithData * (evaluatedDays.upperBound - evaluatedDays.lowerBound + 1)
    return PatternFindings(
      changed: events.changed, notifications: events.notifications, events: events.events,
      counts: counts)
  }

  /// The alerts of silence, with those that the data no longer support.
  private func silences(of series: ProfileSeries) -> [ReconciledRow] {
    Reconciliation(
      of: fold.silences, with: series.storedSilences, window: profile.window, mode: mode,
      keepsUntouched: profile.thresholds.groupsEvents, readAlerts: series.readAlerts,
      provenance: provenance, seriesKey: series.input.key(ofSilence:)
    ).rows
  }

  /// The alerts of medications by themselves, with those that the data no longer support.
  private func medications(of series: ProfileSeries) -> [ReconciledRow] {
    rows(of: fold.medications, keys: fold.medicationKeys, stored: series.storedMedications)
  }

  /// The alerts of values beyond limits, with those that the data or the limits no longer support.
  private func limits(of series: ProfileSeries) -> [ReconciledRow] {
    rows(of: fold.limits, keys: fold.limitKeys, stored: series.storedLimits)
  }

  private func rows(
    of result: FoldResult, keys: [SeriesKey], stored known: [SeriesKey: [PatternAlertState]]
  ) -> [ReconciledRow] {
    var stored: [Int: [PatternAlertState]] = [:]
    if !known.isEmpty {
      for (index, key) in keys.enumerated() { stored[index] = known[key] }
    }
    return Reconciliation(
      of: result, with: stored, window: profile.window, mode: mode,
      keepsUntouched: profile.thresholds.groupsEvents, provenance: provenance,
      seriesKey: { keys[$0] }
    ).rows
  }
}

/// The episodes of a batch and their notifications.
struct PatternFindings {
  /// Rows that are new or differ from what is stored.
  var changed: [PatternAlertState]
  /// Notifications without their recipients.
  var notifications: [PatternAlertNotification]
  /// The events of the alerts, by their ids.
  var events: [UUID: OutboxEvent.Kind]
  /// Series, evaluated days and episodes; the other counts are 0.
  var counts: RunRecord.Counts
}
