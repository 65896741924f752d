public import Foundation
public import VigilAlerts
public import VigilModel
public import VigilStorage

/// Marks of members on notifications of the app, and their choices about calls.
extension SQLStorage {
  /// Requires that a row of the app is to a member, who may still see the persons whom it is about.
  ///
  /// - Throws: `StorageError` where it is not.
  public func requireInApp(_ id: UUID, to member: UUID) throws {
    try requirePerson(member)
    let subject = "notification \(id.lowercased)"
    guard let row = try inApp(id) else {
      throw StorageError(
        .notFound, "\(displayName) has no \(subject) that an app shows",
        remedy: "name a row of notification_queue whose channel is in_app")
    }
    guard row.recipient == member else {
      throw StorageError(.permissionDenied, "\(subject) is not to \(member.lowercased)")
    }
    let grouped = try withSession {
      try $0.rows(MemberStatement.listPersonsOfGroup, id) { try $0.uuid() }
    }
    for person in Set([row.person] + grouped) {
      try requireMember(member, toActFor: person, about: subject)
    }
  }

  /// Returns when a row of the app was first delivered and read.
  public func receipt(of id: UUID) throws -> NotificationReceipt {
    try inApp(id)?.receipt ?? NotificationReceipt(notification: id)
  }

  private func inApp(
    _ id: UUID
  ) throws -> (recipient: UUID, person: UUID, receipt: NotificationReceipt)? {
    let found = try withSession {
      try $0.rows(MemberStatement.findInApp, id) { row in
        (
          recipient: try row.uuid(), person: try row.uuid(),
          receipt: NotificationReceipt(
            notification: id, deliveredAt: try row.timestampIfPresent(),
            readAt: try row.timestampIfPresent())
        )
      }
    }
    return found.first
  }

  public func escalationChoices(of person: UUID) throws -> [AlertLevel: EscalationChoice] {
    let found = try withSession {
      try $0.rows(MemberStatement.listEscalationChoices, person) {
        (level: try $0.level(), choice: EscalationChoice(minutes: try $0.intIfPresent()))
      }
    }
    return Dictionary(found.map { ($0.level, $0.choice) }) { first, _ in first }
  }

  /// Requires that a person may choose so.
  ///
  /// - Throws: `StorageError` for an unknown person, or minutes out of range.
  public func require(_ choice: EscalationChoice?, by person: UUID) throws {
    try requirePerson(person)
    guard let minutes = choice?.minutes, !EscalationChoice.minutes.contains(minutes) else { return }
    throw StorageError(
      .constraint, "a window of \(minutes) minutes is out of range",
      remedy: "give from 5 to 10080 minutes, or no calls at all")
  }
}
