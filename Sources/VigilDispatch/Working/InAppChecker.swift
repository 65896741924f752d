import Foundation
import VigilAlerts
import VigilModel
import VigilStorage

/// Looks again whether rows of the app are still to be shown, and cancels those that are not.
///
/// No sender sends these rows, and some have no expiry. They are looked at in turn, so many in one look, that any number of
/// them holds up nothing else.
struct InAppChecker {
  let storage: any DispatchStorage
  let zones: ZoneCatalog
  /// The largest number of rows of one question to the database.
  var rowsAtOnce = 500

  /// The place among the rows from which a look goes on.
  struct Place: Hashable {
    fileprivate var priority = 0
    fileprivate var after: DuePage.Place?
  }

  /// In any order that stays.
  private static let priorities = Array(PlannedNotification.Priority.allCases.reversed())

  /// Looks at some rows.
  ///
  /// - Parameters:
  ///   - place: Where the look before has ended.
  ///   - limit: The approximate number of rows.
  ///   - now: The present instant.
  ///   - count: Called with the numbers of rows that were cancelled, after each transaction.
  /// - Returns: Where the next look goes on: at the beginning, when this one has seen the last row.
  /// - Throws: `StorageError`.
  func run(
    from place: Place = Place(), limit: Int = .max, at now: Timestamp,
    counting count: ([PlannedNotification.StatusReason: Int]) -> Void
  ) throws -> Place {
    var place = place
    var left = limit
    while left > 0 {
      let page = try storage.dueNotifications(
        on: .inApp, Self.priorities[place.priority], after: place.after,
        limit: min(rowsAtOnce, left), leasesEndedBy: now, at: now)
      count(try storage.cancelInApp(reasons(against: page.rows, at: now), at: now))
      left -= page.rows.count
      place.after = page.end
      guard page.end == nil else { continue }
      place.priority += 1
      if place.priority == Self.priorities.count { return Place() }
    }
    return place
  }

  /// The reasons for which rows are not to be shown any more, by the rules of all other channels.
  private func reasons(
    against rows: [ClaimedNotification], at now: Timestamp
  ) throws -> [UUID: PlannedNotification.StatusReason] {
    let circumstances = try storage.circumstances(of: rows, countingSince: nil)
    return rows.reduce(into: [:]) { reasons, row in
      guard let known = circumstances[row.id],
        case .withhold(let reason) = row.outcome(in: known, limit: nil, zones: zones, at: now)
      else { return }
      reasons[row.id] = reason
    }
  }
}
