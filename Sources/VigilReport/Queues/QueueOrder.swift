public import Foundation
import VigilModel
public import VigilStorage

/// The order of a list of notifications; of equal ones, that of the queue.
public enum QueueOrder: String, CaseIterable, Sendable {
  /// As the queue lists them: pending ones by the time they are due, then the newest.
  case attention
  /// The latest due time first.
  case newest
  /// By the person whom they are about.
  case person
  case recipient
  case status

  /// - Parameters:
  ///   - rows: In the order of the queue.
  ///   - externalIDs: The ids of persons in the system their data come from, by which they are sorted.
  public func sorted(
    _ rows: [QueuedNotification], externalIDs: [UUID: String]
  ) -> [QueuedNotification] {
    guard self != .attention else { return rows }
    return rows.enumerated().sorted { left, right in
      let keys = (key(left.element, externalIDs), key(right.element, externalIDs))
      return keys.0 == keys.1 ? left.offset < right.offset : keys.0 < keys.1
    }.map(\.element)
  }

  private func key(_ row: QueuedNotification, _ externalIDs: [UUID: String]) -> String {
    switch self {
    case .attention: ""
    // Later instants come first: the digits count down.
    case .newest: String(Int64.max - row.scheduledFor.microseconds)
    case .person: externalIDs[row.member] ?? row.member.lowercased
    case .recipient: externalIDs[row.recipient] ?? row.recipient.lowercased
    case .status: row.status.rawValue
    }
  }
}
