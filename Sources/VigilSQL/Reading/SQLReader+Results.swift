public import Foundation
public import VigilModel
public import VigilStorage

/// The readings of exports, by named statements.
extension SQLReader {
  public func persons(in table: ResultTable, on days: ClosedRange<Day>) throws -> [UUID] {
    let name: ExportStatement =
      switch table {
      case .alerts: .listPersonsWithAlerts
      case .insights: .listPersonsWithInsights
      case .scores: .listPersonsWithScores
      case .adherence: .listPersonsWithDoseAnalytics
      }
    return try withSession { session in
      try session.rows(name, days.lowerBound, days.upperBound) { try $0.uuid() }
    }
  }

  public func alertStates(
    of persons: [UUID], on days: ClosedRange<Day>
  ) throws -> [PatternAlertState] {
    try withSession { try $0.alertStates(matching: AlertFilter(users: persons, days: days)) }
  }

  public func trendInsights(
    of persons: [UUID], on days: ClosedRange<Day>
  ) throws -> [TrendInsight] {
    let filter = InsightFilter(users: persons, days: days, includesSuppressed: true)
    return try withSession { try $0.trendInsights(matching: filter) }
  }

  public func vitalityScores(
    of persons: [UUID], on days: ClosedRange<Day>
  ) throws -> [VitalityScore] {
    // A table of an app may have two rows of a day, and each database its own order of texts.
    try withSession { try $0.vitalityScores(of: persons, in: days) }.sorted { left, right in
      (left.user, left.day, left.source) < (right.user, right.day, right.source)
    }
  }

  public func doseAnalytics(
    of persons: [UUID], on days: ClosedRange<Day>
  ) throws -> [StoredDoseAnalytics] {
    try withSession { session in
      try session.rows(
        ExportStatement.listDoseAnalyticsEndingIn, days.lowerBound, days.upperBound, persons
      ) { try DoseAnalyticsRow.decode(&$0) }
    }
  }

  public func notifications(
    in list: NotificationList, after last: QueuedNotification?, dueOn days: ClosedRange<Day>?,
    limit: Int
  ) throws -> [QueuedNotification] {
    let name: ExportStatement =
      switch list {
      case .live: .listNotificationsAfter
      case .shadow: .listShadowNotificationsAfter
      case .held: .listWaitingNotificationsAfter
      }
    return try withSession { session in
      try session.rows(
        name, last?.id, last?.runID, days?.lowerBound.midnight,
        days.map { ($0.upperBound + 1).midnight }, max(0, limit)
      ) { try NotificationRow.decode(&$0) }
    }
  }
}
