public import Foundation
public import VigilModel

/// The finding of a caregiver who was called upon, as `escalation_log` has it.
public enum EscalationResolution: String, Sendable, CaseIterable {
  case confirmedOK = "confirmed_ok"
  case markedTaken = "marked_taken"
  case contactedPatient = "contacted_patient"
  case calledEmergency = "called_emergency"
  case falseAlarm = "false_alarm"
  /// No answer came within the window: a sender sets it, and no member.
  case noResponse = "no_response"

  /// The findings that members can record.
  public static let ofMembers = allCases.filter { $0 != .noResponse }
}

/// The resolution of a call.
public struct EscalationAnswer: Hashable, Sendable {
  /// The row of `escalation_log`.
  public var escalation: UUID
  public var resolution: EscalationResolution
  public var resolvedAt: Timestamp

  public init(escalation: UUID, resolution: EscalationResolution, resolvedAt: Timestamp) {
    self.escalation = escalation
    self.resolution = resolution
    self.resolvedAt = resolvedAt
  }
}
