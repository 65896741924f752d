import Foundation
import VigilModel

/// The payload of a group: `alerts` holds those of its members, the gravest first.
struct GroupPayload: Encodable {
  var alerts: [Member]
  /// That of the gravest member.
  var detail: PayloadDetail
  var level: AlertLevel
  /// A part of a standard payload.
  var kind: String?
  /// A part of a standard payload.
  var severity: Severity?
  /// A part of a reference.
  var template: String?

  private enum CodingKeys: String, CodingKey {
    case alerts
    case detail
    case level
    case kind
    case severity
    case template = "template_id"
  }

  /// - Parameter alerts: At least one.
  init(alerts: [Member], level: AlertLevel, kind: String, template: String) {
    self.alerts = alerts
    self.level = level
    detail = alerts[0].detail
    switch detail {
    case .standard: (self.kind, severity) = (kind, level.severity)
    case .reference: self.template = template
    }
  }

  /// The payload of one member.
  enum Member: Encodable {
    case alert(AlertPayload)
    /// A payload that Vigil did not write.
    case foreign(ForeignJSON)

    init(text: String) {
      if let payload = AlertPayload(text: text) {
        self = .alert(payload)
      } else {
        let value = try? JSONDecoder().decode(ForeignJSON.self, from: Data(text.utf8))
        self = .foreign(value ?? .null)
      }
    }

    /// The amount of detail; a payload that names none counts as `reference`, which says least.
    var detail: PayloadDetail {
      switch self {
      case .alert(let payload): payload.detail
      case .foreign: .reference
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .alert(let payload): try payload.encode(to: encoder)
      case .foreign(let value): try value.encode(to: encoder)
      }
    }
  }
}
