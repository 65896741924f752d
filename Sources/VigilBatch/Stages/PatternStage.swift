import Foundation
import VigilAlerts
import VigilDetection
import VigilModel
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
  private let brokenDoseDays: Set<Day>
  private let provenance: Reconciliation.Provenance
  private let fold: BlockFold
  private var result = FoldResult()
  /// Nil where no silence is followed.
  private let silence: SilenceStage?
  /// Nil where medications are not followed by themselves.
  private let medications: MedicationStage?

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
    self.brokenDoseDays = brokenDoseDays
    self.profile = profile
    self.evaluatedDays = evaluatedDays
    self.mode = mode
    self.isSilent = isSilent
    provenance = .init(profile: profile.thresholds.profile, runID: runID, at: startedAt)
    fold = BlockFold(thresholds: profile.thresholds, metrics: profile.metrics)
    medications = followsMedications ? MedicationStage(profile, mode: mode) : nil
    silence =
      profile.silences.isEmpty
      ? nil
      : SilenceStage(profile, mode: mode, brokenFeed: brokenFeed, evaluatedAt: evaluatedAt)
  }

  /// - Parameters:
  ///   - series: The series of the same profile.
  ///   - adherence: The measures of the doses of the batch; nil where doses are not followed.
  func evaluate(_ series: ProfileSeries, adherence: AdherenceFindings?) -> PatternFindings {
    let doses = adherence?.doses(for: profile.adherenceMetric)
    let ofMedications =
      medications == nil ? nil : adherence?.medications(for: profile.adherenceMetric)
    let unrecorded = series.unrecordedDays(
      of: doses, ofMedications?.medications ?? [], broken: brokenDoseDays)
    fold.fold(
      series.block, adherence: profile.adherenceMetric == nil ? nil : adherence?.daily,
      doses: doses, unrecorded: unrecorded, over: profile.window,
      stored: series.stored.mapValues { $0.map(\.episode) },
      sensitivity: series.sensitivities.personal, into: &result)
    let isGrouping = profile.thresholds.groupsEvents
    let reconciled = Reconciliation(
      of: result, with: series.stored, window: profile.window, mode: mode,
      keepsUntouched: isGrouping, others: series.storedOthers, provenance: provenance,
      seriesKey: series.key(ofSeries:))
    var alone = silence?.evaluate(series, provenance: provenance) ?? []
    if let medications, let ofMedications {
      alone += medications.evaluate(
        series, medications: ofMedications, unrecorded: unrecorded,
        covering: series.daysOfDoseAlerts(result, in: profile.window), provenance: provenance)
    }
    let events = EventPlan(
      of: reconciled.rows + alone, isGrouping: isGrouping, window: profile.window, mode: mode,
      notifiesRecovery: profile.thresholds.notify.onRecovery, isSilent: isSilent,
      limits: profile.thresholds.limits,
      provenance: provenance)
    var counts = events.counts
    counts.series = result.seriesWithData
    counts.daysEvaluated =
      result.seriesWithData * (evaluatedDays.upperBound - evaluatedDays.lowerBound + 1)
    return PatternFindings(
      changed: events.changed, notifications: events.notifications, counts: counts)
  }
}

/// The episodes of a batch and their notifications.
struct PatternFindings {
  /// Rows that are new or differ from what is stored.
  var changed: [PatternAlertState]
  /// Notifications without their recipients.
  var notifications: [PatternAlertNotification]
  /// Series, evaluated days and episodes; the other counts are 0.
  var counts: RunRecord.Counts
}
