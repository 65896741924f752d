import Foundation
import VigilModel

/// What the episodes of one series take over from the same days under another key: late data may shift
/// the first day of a deviation, and the family knows of it all the same.
struct Inheritance {
  /// What there is to take over.
  struct Legacy {
    /// What need not be told again.
    var levels = NotifiedLevels()
    /// What was said last about the alert, which was meant whatever its first day.
    var setAside = SetAside()
    /// Until when `setAside` held; nil where nothing was there to be said anything about.
    fileprivate var heldUntil: Instant?

    /// Whether `row`, which was retracted before and is found again, was so when `setAside` still held.
    func overtakes(_ row: PatternAlertState) -> Bool {
      guard row.isRetracted, let heldUntil else { return false }
      return heldUntil > .retraction(row.updatedAt)
    }

    fileprivate mutating func take(_ row: Retracted) {
      levels.raise(to: row.levels)
      guard let present = heldUntil, present >= row.until else {
        (setAside, heldUntil) = (row.setAside, row.until)
        return
      }
      if present == row.until { setAside.merge(row.setAside) }
    }
  }

  /// When a row was retracted; `now` comes last.
  fileprivate enum Instant: Comparable {
    case retraction(Timestamp)
    case now
  }

  fileprivate struct Retracted {
    var days: ClosedRange<Day>
    var levels: NotifiedLevels
    var setAside: SetAside
    var until: Instant
  }

  private let retracted: [Retracted]
  /// The episode asked about last and the levels it inherited, which one that supersedes it inherits in
  /// turn.
  private var last: (resolution: Episode.Resolution?, levels: NotifiedLevels)?

  /// - Parameter retracted: Rows of the series that are or become retracted.
  init(from retracted: [PatternAlertState]) {
    self.retracted = retracted.map { row in
      Retracted(
        days: Self.days(of: row.episode), levels: NotifiedLevels(of: row),
        setAside: SetAside(of: row),
        until: row.isRetracted ? .retraction(row.updatedAt) : .now)
    }
  }

  /// What `episode` inherits; to be asked for the episodes of the series in their order.
  mutating func legacy(of episode: Episode) -> Legacy {
    var legacy = Legacy()
    let days = Self.days(of: episode)
    for row in retracted where row.days.overlaps(days) { legacy.take(row) }
    if let last, last.resolution?.reason == .superseded { legacy.levels.raise(to: last.levels) }
    last = (episode.resolution, legacy.levels)
    return legacy
  }

  /// The days on which an episode deviated: what was told was told of them, not of those on which it
  /// only waited for its end.
  private static func days(of episode: Episode) -> ClosedRange<Day> {
    episode.activeSince...max(episode.activeSince, episode.lastDeviating)
  }
}

/// What people have said about an alert.
struct SetAside {
  var snoozeUntil: Day?
  var dismissedAt: Timestamp?
  var acknowledgedAt: Timestamp?
  var acknowledgedBy: UUID?

  init() {}

  init(of row: PatternAlertState) {
    snoozeUntil = row.snoozeUntil
    dismissedAt = row.dismissedAt
    acknowledgedAt = row.acknowledgedAt
    acknowledgedBy = row.acknowledgedBy
  }

  /// Of several, the longest snooze and what was said first.
  mutating func merge(_ other: SetAside) {
    snoozeUntil = [snoozeUntil, other.snoozeUntil].compactMap(\.self).max()
    dismissedAt = [dismissedAt, other.dismissedAt].compactMap(\.self).min()
    if let theirs = other.acknowledgedAt, acknowledgedAt.map({ theirs < $0 }) ?? true {
      (acknowledgedAt, acknowledgedBy) = (theirs, other.acknowledgedBy)
    }
  }

  func apply(to row: inout PatternAlertState) {
    row.snoozeUntil = snoozeUntil
    row.dismissedAt = dismissedAt
    row.acknowledgedAt = acknowledgedAt
    row.acknowledgedBy = acknowledgedBy
  }
}
