public import Foundation
public import VigilModel

/// A pattern alert that is to be told to somebody, before it becomes queue rows.
public struct PatternAlertNotification: Hashable, Sendable {
  public var series: SeriesKey
  public var alertStateID: UUID
  public var level: AlertLevel
  public var activeSince: Day
  /// The evaluation day on which the alert reached this level.
  public var evaluatedDay: Day
  /// Deviation as a fraction; nil when the baseline is 0.
  public var deviation: Double?

  public init(
    series: SeriesKey, alertStateID: UUID, level: AlertLevel, activeSince: Day, evaluatedDay: Day,
    deviation: Double?
  ) {
    self.series = series
    self.alertStateID = alertStateID
    self.level = level
    self.activeSince = activeSince
    self.evaluatedDay = evaluatedDay
    self.deviation = deviation
  }

  /// Queue rows expire this long after they are due.
  public static let lifetimeSeconds: Int64 = 24 * 3600

  /// The queue rows for one recipient, one a channel; none where every channel is off.
  ///
  /// - Parameter now: When they are ready; due they are when the recipient may be told.
  public func planned(
    for recipient: UUID, preferring preferences: DeliveryPreferences, at now: Timestamp
  ) -> [PlannedNotification] {
    let priority = PlannedNotification.Priority(level.severity)
    let payload = payload
    return preferences.channels.map { channel in
      let due = preferences.dueTime(on: channel, priority: priority, readyAt: now)
      return PlannedNotification(
        recipient: recipient, member: series.user, alertStateID: alertStateID, level: level,
        notificationType: "pattern_alert", templateID: "pattern_alert.level_\(level.rawValue)",
        channel: channel, payload: payload, priority: priority, scheduledFor: due,
        expiresAt: due.adding(seconds: Self.lifetimeSeconds))
    }
  }

  /// The payload with detail `standard`: JSON with ascending keys.
  ///
  /// Holds ids, dates and the deviation; never a name, a measured value or free text.
  public var payload: String {
    let deviation = deviation.map { "\($0)" } ?? "null"
    // Metric names are column names, so nothing in here needs escaping.
    return "{\"active_since\":\"\(activeSince)\",\"detail\":\"standard\""
      + ",\"deviation\":\(deviation),\"evaluated_end_date\":\"\(evaluatedDay)\""
      + ",\"kind\":\"pattern_alert\",\"level\":\(level.rawValue)"
      + ",\"member_user_id\":\"\(series.user.lowercased)\""
      + ",\"metric_type\":\"\(series.metric.rawValue)\""
      + ",\"pattern_type\":\"\(series.pattern.rawValue)\""
      + ",\"severity\":\"\(level.severity.rawValue)\"}"
  }
}

extension PlannedNotification.Priority {
  /// The priority of an alert of this severity.
  public init(_ severity: Severity) {
    self =
      switch severity {
      case .watch: .normal
      case .attention: .high
      case .critical: .critical
      }
  }
}
