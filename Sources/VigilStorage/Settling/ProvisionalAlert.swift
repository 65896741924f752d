public import VigilModel

/// An alert that the evaluation of one person has added or changed since the last night of that person.
///
/// The next night evaluates the person as if there had been no such evaluation. It confirms the alert by writing
/// it itself; otherwise it retracts an alert that was added, and restores one that was changed.
public struct ProvisionalAlert: Hashable, Sendable {
  /// The stored row, with what members have set.
  public var row: PatternAlertState
  /// The row as the last night has left it; nil where the evaluation of one person has added it.
  public var confirmed: PatternAlertState?
  /// Grows with every evaluation that touches the alert.
  public var revision: Int
  /// The level that such evaluations have notified of; nil where they have notified of none.
  public var notifiedLevel: AlertLevel?
  /// The same of evaluations in shadow mode.
  public var shadowNotifiedLevel: AlertLevel?
  /// The highest level of their notifications that a sender has taken; nil where it has taken none.
  public var sentLevel: AlertLevel?

  public init(
    row: PatternAlertState, confirmed: PatternAlertState?, revision: Int,
    notifiedLevel: AlertLevel? = nil, shadowNotifiedLevel: AlertLevel? = nil,
    sentLevel: AlertLevel? = nil
  ) {
    self.row = row
    self.confirmed = confirmed
    self.revision = revision
    self.notifiedLevel = notifiedLevel
    self.shadowNotifiedLevel = shadowNotifiedLevel
    self.sentLevel = sentLevel
  }
}

extension ProvisionalAlert {
  /// The row from which a night, or another evaluation, goes on.
  ///
  /// It keeps the answers of members, and a level of which a sender has notified them. An alert that an evaluation
  /// added counts as retracted: a night either finds it again or leaves it so.
  public var base: PatternAlertState {
    var base = confirmed ?? row
    if confirmed == nil {
      let known = max(row.episode.activeSince, row.episode.openedOn)
      base.episode.resolution = .init(day: known, reason: .retracted)
      base.episode.lastEvaluated = known
      base.eventID = row.id
    }
    base.snoozeUntil = row.snoozeUntil
    base.dismissedAt = row.dismissedAt
    base.acknowledgedAt = row.acknowledgedAt
    base.acknowledgedBy = row.acknowledgedBy
    base.updatedAt = row.updatedAt
    if notifiedLevel == nil || row.lastNotifiedLevel != notifiedLevel {
      base.lastNotifiedLevel = row.lastNotifiedLevel
      base.lastNotifiedAt = row.lastNotifiedAt
    } else {
      base.lastNotifiedLevel = .highest(confirmed?.lastNotifiedLevel, sentLevel)
      base.lastNotifiedAt =
        base.lastNotifiedLevel == nil ? nil : confirmed?.lastNotifiedAt ?? row.lastNotifiedAt
    }
    base.shadowNotifiedLevel =
      shadowNotifiedLevel == nil || row.shadowNotifiedLevel != shadowNotifiedLevel
      ? row.shadowNotifiedLevel : confirmed?.shadowNotifiedLevel
    return base
  }

  /// Whether both are the same state of the same alert, whatever senders have done since.
  package func isSameState(as other: ProvisionalAlert) -> Bool {
    row.id == other.row.id && revision == other.revision
  }

  /// The row to write where the evaluation up to `day` does not find the alert: retracted, or as it was.
  ///
  /// - Parameters:
  ///   - day: The last evaluated day.
  ///   - run: The run that writes the row.
  ///   - now: When it does.
  public func unconfirmed(on day: Day, by run: UUID, at now: Timestamp) -> PatternAlertState {
    let base = base
    guard confirmed == nil else { return base }
    var row = row
    row.lastNotifiedLevel = base.lastNotifiedLevel
    row.lastNotifiedAt = base.lastNotifiedAt
    row.shadowNotifiedLevel = base.shadowNotifiedLevel
    guard row.episode.resolution?.reason != .retracted else { return row }
    let last = max(day, row.episode.lastEvaluated)
    row.episode.resolution = .init(day: last, reason: .retracted)
    row.episode.lastEvaluated = last
    row.eventID = row.id
    row.runID = run
    row.computedAt = now
    row.updatedAt = now
    return row
  }
}
