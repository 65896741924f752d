public import Foundation
public import VigilModel

/// When a member first read an alert; a row of `alert_reads`.
///
/// ```swift
/// guard let now = Timestamp("2026-06-30T12:00:00Z") else { return }
/// let read = AlertRead(alert: UUID(name: "an alert"), member: UUID(name: "ben"), at: now)
/// print(read.at)  // 2026-06-30T12:00:00.000000Z
/// ```
public struct AlertRead: Hashable, Sendable {
  public var alert: UUID
  /// The person of the alert, or a member of their family.
  public var member: UUID
  public var at: Timestamp

  public init(alert: UUID, member: UUID, at: Timestamp) {
    self.alert = alert
    self.member = member
    self.at = at
  }

  /// UUIDv5 of alert and member, so that an alert that is read again is one row.
  public var id: UUID {
    UUID(name: "alert_reads:\(alert.lowercased):\(member.lowercased)")
  }
}
