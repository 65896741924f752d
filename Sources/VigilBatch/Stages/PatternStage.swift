import VigilDelivery
import VigilDetection
import VigilModel
import VigilStorage

/// The second stage: follows the episodes of a batch, and brings them together with the stored ones.
///
/// Keeps its working memory from batch to batch; used by one thread.
final class PatternStage {
  private let scope: RunScope
  private let run: RunRecord
  private let provenance: Reconciliation.Provenance
  private let window: FoldWindow
  private let fold: BlockFold
  private var result = FoldResult()

  /// - Parameter startedAt: When this process began.
  init(_ plan: RunPlan, run: RunRecord, startedAt: Timestamp) {
    scope = plan.scope
    self.run = run
    provenance = .init(profile: plan.scope.thresholds.profile, runID: run.id, at: startedAt)
    window = plan.scope.window
    fold = BlockFold(thresholds: plan.scope.thresholds, metrics: plan.metrics)
  }

  /// - Parameter adherence: The daily adherence of the batch; nil where it is none of the metrics.
  func evaluate(_ batch: LoadedBatch, adherence: ObservationBlock?) -> PatternFindings {
    let mode = scope.mode
    fold.fold(
      batch.block, adherence: adherence, over: window,
      stored: batch.stored.mapValues { states in
        states.map { StoredEpisode($0, mode: mode) }
      },
      into: &result)
    let reconciled = Reconciliation(
      of: result, with: batch.stored, window: window, mode: mode,
      notifiesRecovery: scope.thresholds.notify.onRecovery, isSilent: run.isSilent,
      provenance: provenance, seriesKey: batch.key(ofSeries:))
    var counts = reconciled.counts
    counts.series = result.seriesWithData
    counts.daysEvaluated =
      result.seriesWithData * (scope.days.upperBound - scope.days.lowerBound + 1)
    return PatternFindings(
      changed: reconciled.changed, notifications: reconciled.notifications, counts: counts)
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

extension StoredEpisode {
  init(_ state: PatternAlertState, mode: RunRecord.Mode) {
    self.init(
      episode: state.episode, notifiedLevel: state.notifiedLevel(in: mode),
      isDismissed: state.dismissedAt != nil, snoozeUntil: state.snoozeUntil)
  }
}
