/// The place that compiled zone files come from; the model itself reads no files.
///
/// `ZoneFolder` of the module VigilZones reads the system's folder.
public protocol ZoneSource: Sendable {
  /// The name of the source in messages, such as the folder's path.
  var place: String { get }

  /// Which release of the rules the files hold; nil where there are no files.
  var version: ZoneVersion? { get }

  /// Returns the contents of the file of a zone, such as `Europe/Berlin`; nil where there is none.
  ///
  /// - Parameter name: Safe as a path: see `ZoneCatalog.rules(of:)`.
  /// - Throws: Where the file is there and cannot be read, or there are no files at all.
  func file(of name: String) throws(ZoneFault) -> [UInt8]?
}

/// A reason why zone rules are unavailable, independent of the name of the zone.
///
/// A name that is no zone's name is not a fault.
public enum ZoneFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system has no zone files.
  case noFiles(places: [String])
  /// A file is there and cannot be read.
  case unreadable(zone: String, reason: String)
  /// A file is there and makes no sense.
  case damaged(zone: String, TZifError)

  /// The fault, its place and its reason.
  public var description: String {
    switch self {
    case .noFiles(let places):
      "this system has no time zone rules: no zone files in \(places.joined(separator: ", "))"
    case .unreadable(let zone, let reason):
      "the rules of the time zone \(zone) cannot be read: \(reason)"
    case .damaged(let zone, let error):
      "the rules of the time zone \(zone) cannot be used: \(error)"
    }
  }
}
