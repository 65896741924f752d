public import Foundation
public import VigilModel

/// One row of `notification_queue` that calls upon a caregiver or an emergency contact.
public struct EscalationNotice: Hashable, Sendable {
  public var dedupeKey: String
  /// The caregiver, or the person whose contact is called upon.
  public var recipient: UUID
  /// Nil for a caregiver.
  public var contact: UUID?
  public var channel: PlannedNotification.Channel
  /// A reference: ids, template and level.
  public var payload: String
  public var priority: PlannedNotification.Priority
  public var scheduledFor: Timestamp
  /// Nil for a row of the app alone.
  public var expiresAt: Timestamp?

  init(
    _ course: EscalationCourse, step: Int, recipient: UUID, contact: UUID?,
    channel: PlannedNotification.Channel, payload: String,
    priority: PlannedNotification.Priority, scheduledFor: Timestamp, expiresAt: Timestamp?
  ) {
    let address = contact.map { "contact:\($0.lowercased)" } ?? recipient.lowercased
    dedupeKey =
      "\(course.person.lowercased):\(course.alert.lowercased):\(address):\(channel.rawValue)"
      + ":\(course.level.rawValue):step\(step)"
    self.recipient = recipient
    self.contact = contact
    self.channel = channel
    self.payload = payload
    self.priority = priority
    self.scheduledFor = scheduledFor
    self.expiresAt = expiresAt
  }

  /// UUIDv5 of the dedupe key.
  public var id: UUID { UUID(name: "notification_queue:\(dedupeKey)") }

  public var template: Template { contact == nil ? .caregiver : .contact }

  /// The value of `notification_type`.
  public var type: String {
    contact == nil ? Self.caregiverType : Self.contactType
  }

  public static let caregiverType = "escalation"
  public static let contactType = "emergency_contact"

  public enum Template: String, Sendable, CaseIterable {
    case caregiver = "escalation.caregiver"
    case contact = "escalation.contact"
  }
}

extension EscalationCourse {
  /// The id of the row of `escalation_log` of a step: one for an alert, level and step, so that no two senders call twice.
  public func callID(ofStep step: Int) -> UUID {
    UUID(name: "escalation_log:\(alert.lowercased):\(level.rawValue):step:\(step)")
  }

  /// The id of the row of `escalation_log` of a recipient of step 0.
  public func callID(of recipient: UUID) -> UUID {
    UUID(
      name: "escalation_log:\(alert.lowercased):\(recipient.lowercased):\(level.rawValue)")
  }
}
