public import Foundation
public import VigilModel

/// Records of members in an app besides their actions on alerts.
public protocol MemberStorage: Sendable {
  /// Records that a member has read an alert and the other alerts of its event.
  ///
  /// The first time stays. An alert that has ended can be read, too. An alert that joins the event later is unread.
  ///
  /// - Parameters:
  ///   - alert: The alert.
  ///   - member: The person of the alert, or an accepted member of their family.
  ///   - now: The instant that counts as now.
  /// - Returns: When the member first read each alert of the event, by id of the alert.
  /// - Throws: `StorageError`, with `.notFound` for an unknown alert or person, and `.permissionDenied` for a member
  ///   who is neither the person nor a member of their family.
  func markRead(_ alert: UUID, by member: UUID, at now: Timestamp) throws -> [AlertRead]

  /// Returns what a member has read, in order of time and then of the alert.
  ///
  /// - Parameter member: The member.
  func alertReads(by member: UUID) throws -> [AlertRead]

  /// Adds a check-in; none where the person has one of that instant.
  ///
  /// - Parameter checkIn: The person, the instant and the kind.
  /// - Throws: `StorageError`, with `.notFound` for an unknown person.
  func record(_ checkIn: CheckIn) throws
}
