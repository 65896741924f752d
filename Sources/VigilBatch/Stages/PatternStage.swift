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

  /// The same for all profiles of a run.
  struct Terms {
    /// The run that writes the rows.
    var runID: UUID
    /// When this process began.
    var startedAt: Timestamp
    /// When the run began, by which check-ins are overdue or not.
    var evaluatedAt: Timestamp
    /// The days with a broken feed.
    var brokenFeed: Set<Day>
    /// Days on which doses without a record are no misses, as their feed is broken.
    var brokenDoseDays: Set<Day>
  }

  /// - Parameters:
  ///   - profile: The profile.
  ///   - evaluatedDays: The days of the run.
  ///   - mode: Which notified levels count.
  ///   - isSilent: Whether no one is notified, and active episodes count as notified.
  ///   - terms: The run, its instants and its feeds.
  ///   - followsMedications: Whether medications are followed by themselves, where the profile weighs doses.
  ///   - calm: The digests that the night before has kept, and how they are made; nil where none are kept.
  init(
    _ profile: ProfilePlan, evaluatedDays: ClosedRange<Day>, mode: RunRecord.Mode,
    isSilent: Bool = false, terms: Terms, followsMedications: Bool = true,
    calm: (digests: CalmDigests, known: [UInt64: CalmDigest.SeriesSet])? = nil
  ) {
    self.profile = profile
    self.evaluatedDays = evaluatedDays
    self.mode = mode
    self.isSilent = isSilent
    provenance = .init(
      profile: profile.thresholds.profile, runID: terms.runID, at: terms.startedAt)
    fold = PatternFold(
      profile, evaluatedAt: terms.evaluatedAt, brokenFeed: terms.brokenFeed,
      brokenDoseDays: terms.brokenDoseDays, followsMedications: followsMedications,
      calm: calm?.digests, knownCalm: calm?.known ?? [:])
  }

  /// - Parameters:
  ///   - series: The series of the same profile.
  ///   - adherence: The measures of the doses of the batch; nil where doses are not followed.
  func evaluate(_ series: ProfileSeries, adherence: AdherenceFindings?) -> PatternFindings {
    fold.fold(series.input, adherence: adherence, stored: series.storedEpisodes)
    let isGrouping = profile.thresholds.groupsEvents
    let rows = fold.found(in: series.input).flatMap { found in
      Reconciliation(
        of: found, with: series, window: profile.window, mode: mode, keepsUntouched: isGrouping,
        provenance: provenance
      ).rows
    }
    let events = EventPlan(
      of: rows, isGrouping: isGrouping, window: profile.window, mode: mode,
      notifiesRecovery: profile.thresholds.notify.onRecovery, isSilent: isSilent,
      limits: profile.thresholds.limits,
      provenance: provenance)
    var counts = events.counts
    counts.series = fold.metrics.seriesWithData
    counts.daysEvaluated =
      fold.metrics.seriesWithData * (evaluatedDays.upperBound - evaluatedDays.lowerBound + 1)
    return PatternFindings(
      changed: events.changed, notifications: events.notifications, events: events.events,
      counts: counts, calmDigests: fold.calmDigests)
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
  /// For the next night, the digests of persons of whom nothing was found.
  var calmDigests: [CalmDigest]
}
