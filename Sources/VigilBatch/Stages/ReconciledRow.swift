import Foundation
import VigilDetection
import VigilModel

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

  /// Whether the alert may be one of several of an event.
  ///
  /// Missed doses and silence are not what an illness does to several metrics of a body at once.
  var canBeOfEvent: Bool {
    !row.isRetracted && row.series.metric != .doseAdherence && row.series.isOfMetrics
  }
}

extension SeriesKey {
  /// Whether it follows metrics of the person, alone or together: silence is no metric, and a single medication is a
  /// part of dose adherence.
  var isOfMetrics: Bool { pattern != .silence && pattern != .medication }
}
