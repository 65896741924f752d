/// The thresholds files that ship with Vigil, byte for byte as they lie beside this source.
///
/// They are part of the executable, so that the default is there wherever it is installed.
public enum ShippedThresholds {
  /// Names of the shipped files without their extension; the first is the default.
  public static let names = ["v1", "v2"]

  /// The bytes of a shipped file; nil for a name that does not ship.
  public static func named(_ name: String) -> [UInt8]? {
    switch name {
    case "v1": PackageResources.v1_json
    case "v2": PackageResources.v2_json
    default: nil
    }
  }
}
