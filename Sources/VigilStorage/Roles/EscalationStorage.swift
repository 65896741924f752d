public import Foundation
public import VigilAlerts
public import VigilModel

/// The calls upon caregivers and emergency contacts, as a sender makes them.
///
/// Any number of senders may work at once: the id of a call is that of its alert, level and step, so that each step is
/// made once.
public protocol EscalationStorage: Sendable {
  /// The minutes that persons have chosen, by level, each once.
  func chosenWindows() throws -> [AlertLevel: [Int]]

  /// The choices of all persons, in order of person and level, and who could be called upon.
  ///
  /// - Parameter now: Contacts that a person agreed to by then count.
  func escalationSettings(asOf now: Timestamp) throws -> [EscalationSetting]

  /// Alerts of a level with calls that no member has answered in the window of their person, the oldest first.
  ///
  /// - Parameters:
  ///   - subject: The kind of alerts.
  ///   - level: Their level.
  ///   - windows: That of the sender, and those that persons have chosen.
  ///   - limit: The largest number of alerts.
  /// - Complexity: O(calls of the time), by an index.
  func unansweredAlerts(
    of subject: EscalationSubject, at level: AlertLevel, in windows: EscalationWindows, limit: Int
  ) throws -> [UnansweredAlert]

  /// The calls about a level of an alert, and what decides about the next one; nil where there is none.
  ///
  /// - Parameters:
  ///   - alert: The alert.
  ///   - subject: The kind of alerts.
  ///   - level: The level.
  ///   - now: Contacts that a person agreed to by then count.
  func escalationCourse(
    of alert: UUID, _ subject: EscalationSubject, at level: AlertLevel, asOf now: Timestamp
  ) throws -> EscalationCourse?

  /// All calls about an alert, of every level.
  func escalations(of alert: UUID) throws -> [EscalationRecord]

  /// Carries out a step in one transaction: adds the call with its queue rows and closes the calls before it, or closes
  /// all calls of the level.
  ///
  /// - Returns: The number of calls that it has closed; nil where nothing has changed, because another sender was
  ///   faster or a member has answered since.
  func carryOut(_ step: EscalationStep, of course: EscalationCourse, at now: Timestamp) throws
    -> Int?

  /// Marks calls that wait for an answer, and of which a notification was sent, as notified; returns their number.
  func markNotifiedCalls(at now: Timestamp) throws -> Int

  /// The addresses of those of the emergency contacts that the person has agreed to and that are reached by the channel.
  func addresses(
    ofContacts contacts: [UUID], on channel: PlannedNotification.Channel
  ) throws -> [UUID: [DeliveryAddress]]
}

/// An alert that no member has answered in time.
public struct UnansweredAlert: Hashable, Sendable {
  public var id: UUID
  /// The choice of its person for the level; nil where the sender's settings hold.
  public var chosen: EscalationChoice?

  public init(_ id: UUID, chosen: EscalationChoice? = nil) {
    self.id = id
    self.chosen = chosen
  }
}

/// One row of `escalation_log` about an alert, as operators see it.
public struct EscalationRecord: Hashable, Sendable {
  public var id: UUID
  public var person: UUID
  public var type: String
  public var level: AlertLevel
  public var call: EscalationCall
  public var acknowledgedAt: Timestamp?
  public var resolvedAt: Timestamp?
  /// Such as `no_response`; nil for none.
  public var resolution: String?

  public init(
    id: UUID, person: UUID, type: String, level: AlertLevel, call: EscalationCall,
    acknowledgedAt: Timestamp? = nil, resolvedAt: Timestamp? = nil, resolution: String? = nil
  ) {
    self.id = id
    self.person = person
    self.type = type
    self.level = level
    self.call = call
    self.acknowledgedAt = acknowledgedAt
    self.resolvedAt = resolvedAt
    self.resolution = resolution
  }
}
