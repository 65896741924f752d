public import Foundation
public import VigilModel

/// The payload of a notification about a medication (specification, notifications.md section 4).
///
/// Holds ids, dates and the level; never the name of the medication, a number of doses or free text.
public enum MedicationAlertPayload: Hashable, Sendable, Encodable {
  case standard(Standard)
  case reference(Reference)

  /// All that a payload may say of an alert about a medication.
  public struct Standard: Hashable, Sendable, Encodable {
    public let activeSince: Day
    public let evaluatedEndDate: Day
    /// `PlannedNotification.Kind.notificationType`.
    public let kind: String
    public let level: AlertLevel
    /// The id of the row of `medication_alerts`.
    public let alert: String
    public let medication: String
    /// The id of the person that the alert is about.
    public let member: String
    public let severity: Severity
    private let detail = PayloadDetail.standard

    public init(
      activeSince: Day, evaluatedEndDate: Day, kind: String, level: AlertLevel, alert: UUID,
      medication: UUID, member: UUID, severity: Severity
    ) {
      self.activeSince = activeSince
      self.evaluatedEndDate = evaluatedEndDate
      self.kind = kind
      self.level = level
      self.alert = alert.lowercased
      self.medication = medication.lowercased
      self.member = member.lowercased
      self.severity = severity
    }

    private enum CodingKeys: String, CodingKey {
      case activeSince = "active_since"
      case alert = "medication_alert_id"
      case detail
      case evaluatedEndDate = "evaluated_end_date"
      case kind
      case level
      case medication = "medication_id"
      case member = "member_user_id"
      case severity
    }
  }

  /// Ids, template and level: nothing that a lock screen could show of a person.
  public struct Reference: Hashable, Sendable, Encodable {
    public let alert: String
    public let level: AlertLevel
    public let template: String
    private let detail = PayloadDetail.reference

    public init(alert: UUID, level: AlertLevel, template: String) {
      self.alert = alert.lowercased
      self.level = level
      self.template = template
    }

    private enum CodingKeys: String, CodingKey {
      case alert = "medication_alert_id"
      case detail
      case level
      case template = "template_id"
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .standard(let payload): try payload.encode(to: encoder)
    case .reference(let payload): try payload.encode(to: encoder)
    }
  }

  /// The JSON that its queue row holds, keys ascending.
  public var text: String { canonicalText(of: self) }
}
