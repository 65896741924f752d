public import Foundation
public import VigilModel

extension UnusableRows {
  /// Rows by reason, as a run records them.
  public var dataQuality: [DataQualityCount] {
    UnusableRow.Reason.allCases.compactMap { reason in
      let count = counts.reduce(0) { $0 + ($1.reason == reason ? $1.count : 0) }
      return count > 0
        ? DataQualityCount(metric: nil, reason: reason.rawValue, count: count) : nil
    }
  }
}

extension UnusableRow {
  /// Returns the row of `quarantined_rows` about it.
  public func quarantined(by run: UUID) -> QuarantinedRow {
    QuarantinedRow(
      runID: run, table: table, column: reason.column(of: table), reason: reason.rawValue, key: key)
  }
}

extension UnusableRow.Reason {
  /// The column of a table that is to blame; nil where it may be one of several.
  public func column(of table: String) -> String? {
    switch self {
    case .noPerson, .unknownPerson: "user_id"
    case .noDate, .impossibleDate: InputTable.dayColumn(of: table)
    case .unknownTimezone: InputTable.zonedBy[table]
    case .impossibleTimes:
      table == InputTable.scheduleAdjustments.name ? "new_times" : "time_based_times"
    case .impossibleInterval: "interval_based_hours"
    case .endBeforeStart, .impossibleEndDate: "end_date"
    case .takenWithoutTime: "actual_time"
    case .futureTime:
      table == InputTable.timezoneEvents.name ? "transition_time" : "actual_time"
    case .unknownSchedule: "schedule_id"
    case .unfollowedMetric: "metric_type"
    case .impossibleValue: nil
    }
  }
}
