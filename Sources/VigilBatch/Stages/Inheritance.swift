import Foundation
import VigilDetection
import VigilModel

/// Carries over what retracted rows of a series hold to the episodes that take their place.
///
/// Late data may shift the first day of a deviation, which gives the episode another key; members have been
/// notified of it all the same.
struct Inheritance {
  /// The part that one episode inherits.
  struct Legacy {
    /// The levels that members were notified of.
    var levels = NotifiedLevels()
    /// The last response to the alert: it was meant for the deviation, not for its first day.
    var response = MemberResponse()
    /// When the row with `response` was retracted; nil where there was no row.
    fileprivate var heldUntil: Instant?

    /// Whether `row`, which was retracted and is found again, was retracted before `response` was.
    func overtakes(_ row: PatternAlertState) -> Bool {
      guard row.isRetracted, let heldUntil else { return false }
      return heldUntil > .retraction(row.updatedAt)
    }

    fileprivate mutating func take(_ row: Retracted) {
      levels.raise(to: row.levels)
      guard let present = heldUntil, present >= row.until else {
        (response, heldUntil) = (row.response, row.until)
        return
      }
      if present == row.until { response.merge(row.response) }
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
    var response: MemberResponse
    var until: Instant
  }

  private let retracted: [Retracted]
  /// The levels that the episode asked about last has inherited, which one that continues it inherits in turn.
  private var last = NotifiedLevels()

  /// - Parameter retracted: Rows of the series that are or become retracted.
  init(from retracted: [PatternAlertState]) {
    self.retracted = retracted.map { row in
      Retracted(
        days: Self.days(of: row.episode), levels: NotifiedLevels(of: row),
        response: MemberResponse(of: row),
        until: row.isRetracted ? .retraction(row.updatedAt) : .now)
    }
  }

  /// The legacy of `folded`; call it for the episodes of the series in their order.
  mutating func legacy(of folded: FoldedEpisode) -> Legacy {
    var legacy = Legacy()
    let days = Self.days(of: folded.episode)
    for row in retracted where row.days.overlaps(days) { legacy.take(row) }
    if folded.continuesEarlier { legacy.levels.raise(to: last) }
    last = legacy.levels
    return legacy
  }

  /// The days on which an episode deviated: notifications were about them, not about the clean days before its
  /// end.
  private static func days(of episode: Episode) -> ClosedRange<Day> {
    episode.activeSince...max(episode.activeSince, episode.lastDeviating)
  }
}

/// The snooze, dismissal and acknowledgement of an alert.
struct MemberResponse {
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

  /// Keeps the longest snooze, the first dismissal and the first acknowledgement.
  mutating func merge(_ other: MemberResponse) {
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
