import Foundation
import VigilModel

/// A form in which clinical platforms exchange measurements.
public enum ClinicalForm: String, Sendable, CaseIterable {
  /// Observations of FHIR (HL7, R4 and R5), by their LOINC codes.
  case fhir
  /// Data points of Open mHealth, which IEEE 1752.1 is made after, by the names of their schemas.
  case openMHealth = "open-mhealth"

  var name: String {
    switch self {
    case .fhir: "FHIR"
    case .openMHealth: "Open mHealth"
    }
  }

  /// A text that each record has.
  var mark: String {
    switch self {
    case .fhir: "\"resourceType\""
    case .openMHealth: "\"schema_id\""
    }
  }

  /// The measurements that become metrics, as data.
  func layout() throws -> ClinicalLayout {
    let text =
      switch self {
      case .fhir: PackageResources.fhir_json
      case .openMHealth: PackageResources.open_mhealth_json
      }
    return try JSONDecoder().decode(ClinicalLayout.self, from: Data(text.utf8))
  }
}

/// The measurements of a form that are read.
struct ClinicalLayout: Decodable {
  /// The source of measurements that name no device.
  var source: String
  var measurements: [Measurement]

  /// A measurement and the metric that it becomes.
  struct Measurement: Decodable {
    var metric: String
    /// Codes or schemas.
    var names: [String]
    /// The property with the value, where the form has one for each schema.
    var value: String?
    var ofDay: OfDay
    /// The end that decides the day of a measurement over some time.
    var at: End?
    /// Properties that must have one of some texts.
    var when: [String: [String]]?

    private enum CodingKeys: String, CodingKey {
      case metric, names, value, at, when
      case ofDay = "of_day"
    }
  }

  enum OfDay: String, Decodable {
    case sum, mean, max
  }

  enum End: String, Decodable {
    case start, end
  }
}
