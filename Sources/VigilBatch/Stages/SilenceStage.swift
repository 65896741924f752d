import Foundation
import VigilDetection
import VigilModel
import VigilStorage

/// The part of the second stage that follows the silence of the persons of a batch (specification, silence.md).
///
/// Keeps its working memory from batch to batch; used by one thread.
final class SilenceStage {
  private let profile: ProfilePlan
  private let mode: RunRecord.Mode
  private let brokenFeed: Set<Day>
  private let evaluatedAt: Timestamp
  private let fold: BlockSilenceFold
  /// Nil where no check-ins are followed.
  private let overdue: OverdueDays?
  private var result = FoldResult()

  /// - Parameters:
  ///   - brokenFeed: The days with a broken feed.
  ///   - evaluatedAt: When the run began: deadlines of check-ins after it have not passed.
  init(
    _ profile: ProfilePlan, mode: RunRecord.Mode, brokenFeed: Set<Day>, evaluatedAt: Timestamp
  ) {
    self.profile = profile
    self.evaluatedAt = evaluatedAt
    self.brokenFeed = brokenFeed
    self.mode = mode
    fold = BlockSilenceFold(profile.silences)
    overdue =
      profile.silences.contains { $0.metric == .checkInOverdue }
      ? OverdueDays(personCount: 0, days: profile.window.folded) : nil
  }

  /// Returns the alerts of the batch, with those that the data no longer support.
  func evaluate(
    _ series: ProfileSeries, provenance: Reconciliation.Provenance
  ) -> [ReconciledRow] {
    overdue?.fill(
      from: series.checkIns.histories, personCount: series.persons.count, asOf: evaluatedAt)
    fold.fold(
      signs: series.signs, overdue: overdue, over: profile.window,
      stored: series.storedSilences.mapValues { $0.map(\.episode) },
      brokenFeed: brokenFeed, sensitivity: series.sensitivities.personal, into: &result)
    return Reconciliation(
      of: result, with: series.storedSilences, window: profile.window, mode: mode,
      keepsUntouched: profile.thresholds.groupsEvents, readAlerts: series.readAlerts,
      provenance: provenance, seriesKey: series.key(ofSilence:)
    ).rows
  }
}
