import Foundation
import VigilModel

/// An object of JSON, read as a measurement of one person.
struct ClinicalRecord {
  /// As the form names it; nil where the record names no person.
  var person: String?
  /// The device; nil where the record names none.
  var source: String?
  /// The id of the record, which a later version of it has too.
  var id: String?
  /// Codes or the schema.
  var names: [String]
  /// Dates, or instants with an offset.
  var start: String?
  var end: String?
  /// From the start to the end in seconds, where the record says this in place of the end.
  var duration: Double?
  /// Whether the record was withdrawn.
  var isWithdrawn = false
  /// The objects that hold the value and conditions.
  fileprivate var properties: [String: Any]

  /// - Returns: Nil for an object of another kind.
  init?(_ object: [String: Any], as form: ClinicalForm) {
    switch form {
    case .fhir: self.init(observation: object)
    case .openMHealth: self.init(dataPoint: object)
    }
  }

  private init?(observation: [String: Any]) {
    guard observation["resourceType"] as? String == "Observation" else { return nil }
    func object(_ key: String) -> [String: Any]? { observation[key] as? [String: Any] }
    let codings = object("code")?["coding"] as? [[String: Any]] ?? []
    names = codings.filter { ($0["system"] as? String ?? "http://loinc.org") == "http://loinc.org" }
      .compactMap { $0["code"] as? String }
    id = observation["id"] as? String
    let subject = object("subject")
    person =
      (subject?["reference"] as? String)?.split(whereSeparator: { "/:".contains($0) }).last.map(
        String.init) ?? (subject?["identifier"] as? [String: Any])?["value"] as? String
    let device = object("device")
    source = device?["display"] as? String ?? device?["reference"] as? String
    let period = object("effectivePeriod")
    start =
      observation["effectiveDateTime"] as? String ?? period?["start"] as? String
      ?? observation["effectiveInstant"] as? String
    end = period?["end"] as? String
    let status = observation["status"] as? String
    isWithdrawn = status == "entered-in-error" || status == "cancelled"
    properties = observation
  }

  private init?(dataPoint: [String: Any]) {
    guard let header = dataPoint["header"] as? [String: Any],
      let body = dataPoint["body"] as? [String: Any],
      let schema = (header["schema_id"] as? [String: Any])?["name"] as? String
    else { return nil }
    names = [schema]
    id = header["id"] as? String ?? header["uuid"] as? String
    person = header["user_id"] as? String ?? header["patient_id"] as? String
    let provenance = header["acquisition_provenance"] as? [String: Any]
    source = provenance?["source_name"] as? String
    let frame = body["effective_time_frame"] as? [String: Any]
    let interval = frame?["time_interval"] as? [String: Any]
    start =
      frame?["date_time"] as? String ?? interval?["start_date_time"] as? String
      ?? interval?["date"] as? String
    end = interval?["end_date_time"] as? String
    duration = (interval?["duration"] as? [String: Any]).flatMap(Self.seconds)
    properties = body
  }

  /// The number and its unit; nil where there is none.
  func value(of measurement: ClinicalLayout.Measurement) -> (number: Double, unit: String?)? {
    let value = properties[measurement.value ?? "valueQuantity"]
    if let quantity = value as? [String: Any] {
      guard let number = (quantity["value"] as? NSNumber)?.doubleValue else { return nil }
      return (number, quantity["code"] as? String ?? quantity["unit"] as? String)
    }
    let plain = value ?? properties["valueInteger"]
    return (plain as? NSNumber).map { ($0.doubleValue, nil) }
  }

  /// The time that decides the day; nil where there is none that can be read.
  func time(at end: ClinicalLayout.End) -> ClinicalTime? {
    let first = start.flatMap(ClinicalTime.init)
    guard end == .end else { return first }
    return self.end.map { ClinicalTime($0) } ?? first.map { $0 + (duration ?? 0) }
  }

  func fulfils(_ measurement: ClinicalLayout.Measurement) -> Bool {
    names.contains(where: measurement.names.contains)
      && (measurement.when ?? [:]).allSatisfy { property, texts in
        (properties[property] as? String).map(texts.contains) ?? false
      }
  }

  private static func seconds(_ duration: [String: Any]) -> Double? {
    guard let number = (duration["value"] as? NSNumber)?.doubleValue else { return nil }
    switch duration["unit"] as? String {
    case "sec", "s": return number
    case "min": return number * 60
    case "h": return number * 3600
    case "d": return number * 86_400
    default: return nil
    }
  }
}
