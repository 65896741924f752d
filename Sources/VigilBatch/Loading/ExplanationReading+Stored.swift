import VigilDetection
public import VigilModel
public import VigilStorage

/// An alert as it is stored, beside the day that is explained.
public struct StoredAlertFacts: Sendable {
  public var alert: PatternAlertState
  /// Of the alert, and of the event that it joined.
  public var notifications: [QueuedNotification]
  public var shadowNotifications: [QueuedNotification]
}

/// Runs that have judged by the thresholds of an explanation, and the day that it is about.
public struct EvaluatedDays: Sendable {
  /// Succeeded ones, patterns among their parts.
  public var runs: [RunRecord]
  public var day: Day
  /// The day from which episodes are followed where no run has stored any.
  public var first: Day?

  /// The newest run that has evaluated the day.
  public var run: RunRecord? {
    runs.filter { $0.days.contains(day) }.max { $0.startedAt < $1.startedAt }
  }
}

extension ExplanationReading {
  /// The day to explain, and the runs behind it.
  ///
  /// - Parameter date: The day; nil for the last evaluated one or, before any run, the last with data.
  /// - Returns: Nil where there is neither a run nor a row of metrics.
  /// - Throws: `StorageError`.
  public func evaluatedDays(on date: Day?) throws -> EvaluatedDays? {
    let runs = try storage.succeededRuns(of: .patterns, by: thresholds.profile)
    guard
      let day = try date ?? runs.map(\.days.upperBound).max() ?? storage.metricDays()?.upperBound
    else { return nil }
    let first = try runs.isEmpty ? storage.metricDays().map { min($0.lowerBound, day) } : nil
    return EvaluatedDays(runs: runs, day: day, first: first)
  }

  /// The last day that runs of a part have evaluated or, before any, the last with data.
  ///
  /// - Returns: Nil where there is neither a run nor a row of metrics.
  /// - Throws: `StorageError`.
  public func lastDay(of part: RunPart) throws -> Day? {
    try storage.lastEvaluatedDay(of: part) ?? storage.metricDays()?.upperBound
  }

  /// The stored alert of an episode with its notifications.
  ///
  /// - Parameters:
  ///   - episode: What the input leads to; nil where it leads to no alert.
  ///   - stored: The rows of the series.
  ///   - day: The day that is explained.
  /// - Returns: The row of the episode or, where the input no longer leads to one, the row that is active on the
  ///   day; nil where there is neither.
  /// - Throws: `StorageError`.
  public func alert(
    of episode: Episode?, among stored: [PatternAlertState], on day: Day
  ) throws -> StoredAlertFacts? {
    let own = stored.first { $0.episode.activeSince == episode?.activeSince }
    let active = stored.last { row in
      row.episode.openedOn <= day && row.episode.resolution.map { $0.day > day } ?? true
    }
    guard let alert = own ?? active else { return nil }
    return StoredAlertFacts(
      alert: alert, notifications: try notifications(of: alert, in: .live),
      shadowNotifications: try notifications(of: alert, in: .shadow))
  }

  private func notifications(
    of alert: PatternAlertState, in queue: NotificationList
  ) throws -> [QueuedNotification] {
    try (alert.startsEvent ? [alert.id] : [alert.eventID, alert.id]).flatMap { id in
      try storage.notifications(matching: NotificationFilter(queue: queue, alert: id))
    }
  }
}
