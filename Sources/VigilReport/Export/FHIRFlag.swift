public import VigilModel

/// An alert as clinical platforms exchange it: a Flag of FHIR (HL7, R4 and R5), "a warning about the patient".
///
/// Days are local to the person. A Flag has no place for levels: they stand in extensions, as do the severity and the
/// profile.
public struct FHIRFlag: Encodable {
  private var resourceType = "Flag"
  private var id: String
  private var identifier: [Identifier]
  private var status: String
  private var category: [Concept]
  private var code: Concept
  private var subject: Subject
  private var period: Period
  private var `extension`: [Extension]

  /// The beginning of every name that Vigil gives.
  private static let names = "urn:vigil:"

  private struct Identifier: Encodable {
    var system: String
    var value: String
  }

  private struct Coding: Encodable {
    var system: String
    var code: String
  }

  private struct Concept: Encodable {
    var coding: [Coding]
    var text: String?
  }

  /// The person by the id of the system that the data come from, which is no reference to a server of FHIR.
  private struct Subject: Encodable {
    var type = "Patient"
    var identifier: Identifier
  }

  private struct Period: Encodable {
    var start: String
    var end: String?
  }

  private struct Extension: Encodable {
    var url: String
    var valueInteger: Int?
    var valueCode: String?
  }

  /// - Parameters:
  ///   - alert: The alert.
  ///   - limits: The absolute limits of its profile, for its sentence.
  public init(_ alert: Exported<PatternAlertState>, limits: AlertLimits) {
    let (state, names) = (alert.value, Self.names)
    let resolution = state.episode.resolution
    id = state.id.lowercased
    identifier = [Identifier(system: "urn:ietf:rfc:3986", value: "urn:uuid:\(id)")]
    status =
      switch resolution?.reason {
      case nil: "active"
      case .retracted: "entered-in-error"
      default: "inactive"
      }
    category = [
      Concept(
        coding: [Coding(system: names + "pattern", code: state.series.pattern.rawValue)])
    ]
    code = Concept(
      coding: [Coding(system: names + "metric", code: state.series.metric.rawValue)],
      text: state.sentence(limits))
    let externalID = alert.externalIDs[state.series.user]
    subject = Subject(
      identifier: Identifier(
        system: names + (externalID == nil ? "user" : "external-id"),
        value: externalID ?? state.series.user.lowercased))
    period = Period(
      start: "\(state.episode.activeSince)", end: resolution.map { "\($0.day)" })
    `extension` = [
      Extension(url: names + "level", valueInteger: state.episode.level.rawValue),
      Extension(url: names + "severity", valueCode: state.severity.rawValue),
      Extension(url: names + "profile", valueCode: state.profile.version),
    ]
  }

  /// Appends the resource as a line of NDJSON.
  public func append(to bytes: inout [UInt8]) throws {
    bytes += try CanonicalJSON.text(of: self).utf8
    bytes.append(UInt8(ascii: "\n"))
  }
}
