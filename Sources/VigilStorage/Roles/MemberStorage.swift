public import Foundation
public import VigilAlerts
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

  /// Raises an alert of a person who needs help; a sender notifies the responders at once.
  ///
  /// - Returns: The alert, or the one that the person has raised before and that is active.
  /// - Throws: `StorageError`, with `.notFound` for an unknown person.
  func raiseAlert(by person: UUID, at now: Timestamp) throws -> RaisedAlert

  /// Resolves a raised alert: cancels its waiting notifications and closes its open calls.
  ///
  /// The first resolution stays.
  ///
  /// - Parameters:
  ///   - alert: The alert.
  ///   - member: The person of the alert, or an accepted member of their family.
  ///   - now: The instant that counts as now.
  /// - Returns: The alert as it is then.
  /// - Throws: `StorageError`, with `.notFound` for an unknown alert or person, and `.permissionDenied` for a member
  ///   who is neither the person nor a member of their family.
  func resolveRaisedAlert(_ alert: UUID, by member: UUID, at now: Timestamp) throws -> RaisedAlert

  /// Asks a member whether all is well; a sender notifies them.
  ///
  /// - Parameters:
  ///   - recipient: An accepted member of a family of the sender.
  ///   - sender: The member who asks.
  ///   - now: The instant that counts as now.
  /// - Returns: The ping, or the one that the recipient has not answered yet.
  /// - Throws: `StorageError`, with `.notFound` for an unknown person, and `.permissionDenied` where the sender may not
  ///   act for the recipient.
  func ping(_ recipient: UUID, by sender: UUID, at now: Timestamp) throws -> Ping

  /// Answers a ping, which is a check-in of the kind `responder`, too.
  ///
  /// The first answer stays.
  ///
  /// - Throws: `StorageError`, with `.notFound` for an unknown ping, `.permissionDenied` for one to another member, and
  ///   `.ended` for one that has expired.
  func respond(to ping: UUID, by recipient: UUID, at now: Timestamp) throws -> Ping

  /// Returns the text messages that a person has had in the present month, and may have.
  ///
  /// - Throws: `StorageError`, with `.notFound` for an unknown person.
  func messageUse(of person: UUID, at now: Timestamp) throws -> MessageUse

  /// Returns the pings from and to a member, the newest first.
  func pings(of member: UUID) throws -> [Ping]

  /// Records the finding of a caregiver who was called upon; no other is called about the level.
  ///
  /// The first resolution stays, unless it is that no answer came.
  ///
  /// - Parameters:
  ///   - escalation: The row of `escalation_log`.
  ///   - resolution: The finding; not that there was no response.
  ///   - member: The caregiver.
  ///   - now: The instant that counts as now.
  /// - Returns: The resolution of the call as it is then.
  /// - Throws: `StorageError`, with `.notFound` for an unknown call or person, and `.permissionDenied` for a member upon
  ///   whom it is not, or who may not act for the person any more.
  func resolveEscalation(
    _ escalation: UUID, _ resolution: EscalationResolution, by member: UUID, at now: Timestamp
  ) throws -> EscalationAnswer

  /// Records that the app has a row of its own channel, or that the recipient has read it.
  ///
  /// The row is sent then. The first time stays. A row that was cancelled since the app showed it stays cancelled. It answers no
  /// alert and no call.
  ///
  /// - Parameters:
  ///   - notification: The row of `notification_queue`.
  ///   - mark: What the app records.
  ///   - member: The recipient.
  ///   - now: The instant that counts as now.
  /// - Returns: When the row was first delivered and read.
  /// - Throws: `StorageError`, with `.notFound` for an unknown person, a row that there is not, is of another channel or was
  ///   never to be shown, and `.permissionDenied` for a member to whom it is not, or who may not see its persons any more.
  func mark(
    _ notification: UUID, as mark: NotificationReceipt.Mark, by member: UUID, at now: Timestamp
  ) throws -> NotificationReceipt

  /// Returns the choices of a person about calls when an alert about them has no answer; levels without one are left out.
  func escalationChoices(of person: UUID) throws -> [AlertLevel: EscalationChoice]

  /// Records the choice of a person for some levels; the choices for others stay.
  ///
  /// - Parameters:
  ///   - choice: The choice, in `EscalationChoice.minutes`; nil lets the sender's settings hold again.
  ///   - levels: The levels.
  ///   - person: The person whom the alerts are about.
  /// - Returns: All choices of the person as they are then.
  /// - Throws: `StorageError`, with `.notFound` for an unknown person, and `.constraint` for minutes out of range.
  func choose(
    _ choice: EscalationChoice?, at levels: [AlertLevel], by person: UUID
  ) throws -> [AlertLevel: EscalationChoice]

  /// Returns the alerts that a person has raised, the newest first.
  func raisedAlerts(of person: UUID) throws -> [RaisedAlert]
}
