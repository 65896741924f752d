import Foundation
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

/// An alert after a fold, and the stored row; its event and its notifications are still to be found out.
struct ReconciledRow {
  var row: PatternAlertState
  /// The row as it is stored; nil where it is not.
  let known: PatternAlertState?
  /// The levels to notify of, were the alert alone, in the order of their days.
  var notes: ArraySlice<FoldedLevel>

  init(
    _ row: PatternAlertState, known: PatternAlertState?, notes: ArraySlice<FoldedLevel> = []
  ) {
    self.row = row
    self.known = known
    self.notes = notes
  }

  /// A row that the fold says nothing of.
  init(untouched known: PatternAlertState) { self.init(known, known: known) }

  /// The event that apps learn of; nil where the alert was neither opened, escalated nor ended.
  var event: OutboxEvent.Kind? {
    let wasActive = known?.episode.isActive ?? false
    switch (wasActive, row.episode.isActive) {
    case (false, true): return .opened
    case (true, false): return .ended
    case (true, true):
      return known.map { row.episode.level > $0.episode.level } == true ? .escalated : nil
    // Late data may find one that is over, too.
    case (false, false): return known == nil ? .ended : nil
    }
  }

  /// Whether the alert may be one of several of an event.
  var canBeOfEvent: Bool { !row.isRetracted && row.series.canBeOfEvent }
}
