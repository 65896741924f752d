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
  private let suspended: Set<Day>
  private let evaluatedAt: Timestamp
  private let fold: BlockSilenceFold
  /// One for each series of a person.
  private let silent: [SilentDays]
  private var result = FoldResult()

  /// - Parameters:
  ///   - suspended: Days on which no silence opens an alert, as the feed is broken.
  ///   - evaluatedAt: When the run began: deadlines of check-ins after it have not passed.
  init(
    _ profile: ProfilePlan, mode: RunRecord.Mode, suspended: Set<Day>, evaluatedAt: Timestamp
  ) {
    self.profile = profile
    self.evaluatedAt = evaluatedAt
    self.suspended = suspended
    self.mode = mode
    fold = BlockSilenceFold(profile.silences)
    silent = profile.silences.map { _ in
      SilentDays(personCount: 0, days: profile.window.folded)
    }
  }

  /// Returns the alerts of the batch, with those that the data no longer support.
  func evaluate(
    _ series: ProfileSeries, provenance: Reconciliation.Provenance
  ) -> [ReconciledRow] {
    for (place, days) in silent.enumerated() {
      series.fill(days, ofSeries: place, asOf: evaluatedAt)
    }
    fold.fold(
      silent, over: profile.window,
      stored: series.storedSilences.mapValues { states in
        states.map { StoredEpisode($0, mode: mode) }
      },
      suspending: suspended, isOff: series.sensitivities.isOff, into: &result)
    return Reconciliation(
      of: result, with: series.storedSilences, window: profile.window, mode: mode,
      keepsUntouched: profile.thresholds.groupsEvents, provenance: provenance,
      seriesKey: series.key(ofSilence:)
    ).rows
  }
}
