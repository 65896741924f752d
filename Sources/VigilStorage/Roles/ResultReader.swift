public import Foundation
public import VigilModel

/// Reads the results of runs, batch after batch, over one connection; for exports, which do not fit into memory.
///
/// On PostgreSQL all of its readings see the instant at which it was made. On SQLite each sees what is there.
/// Its methods throw `StorageError`. Used by one thread at a time.
public protocol ResultReader: AnyObject {
  /// The ids, ascending, of the persons with a row of `table` that belongs to one of `days`.
  ///
  /// - Complexity: O(rows of the table).
  func persons(in table: ResultTable, on days: ClosedRange<Day>) throws -> [UUID]

  /// The alerts of `persons` whose episodes reach one of `days`, ordered by person, metric, pattern,
  /// `active_since` and profile.
  func alertStates(of persons: [UUID], on days: ClosedRange<Day>) throws -> [PatternAlertState]

  /// The insights of `persons` on `days`, suppressed ones too, ordered by person, day, pillar, medication and
  /// id.
  func trendInsights(of persons: [UUID], on days: ClosedRange<Day>) throws -> [TrendInsight]

  /// The usable scores of `persons` on `days`, computed or not, ordered by person, day and source.
  func vitalityScores(of persons: [UUID], on days: ClosedRange<Day>) throws -> [VitalityScore]

  /// The adherence of `persons` over periods of all kinds that end on one of `days`, ordered by person,
  /// medication (without one first), kind and last day.
  func doseAnalytics(of persons: [UUID], on days: ClosedRange<Day>) throws -> [StoredDoseAnalytics]

  /// One page of a queue, ordered by id and run.
  ///
  /// - Parameters:
  ///   - list: The queue.
  ///   - last: The last row of the page before; nil for the first page.
  ///   - days: The days, in UTC, on which the rows are due; nil for all.
  ///   - limit: The largest number of rows.
  func notifications(
    in list: NotificationList, after last: QueuedNotification?, dueOn days: ClosedRange<Day>?,
    limit: Int
  ) throws -> [QueuedNotification]
}

/// A table of results whose rows belong to one person each.
public enum ResultTable: Sendable, Hashable, CaseIterable {
  /// `pattern_alert_state`.
  case alerts
  /// `trend_insights`.
  case insights
  /// `vitality_scores`.
  case scores
  /// `dose_analytics`.
  case adherence
}
