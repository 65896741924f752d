/// The thresholds and vitality files that ship with Vigil, byte for byte as they lie beside this source.
///
/// They are part of the executable, so that the default is there wherever it is installed.
public enum ShippedThresholds {
  /// Names of the shipped thresholds files without their extension; the first is the default.
  public static let names = ["v1", "v2", "v3", "v3-strict", "v3-plus"]

  /// Names of the shipped vitality files without their extension; the first is the default.
  public static let vitalityNames = ["vitality.v1", "vitality.v2"]

  /// The bytes of a shipped file; nil for a name that does not ship.
  public static func named(_ name: String) -> [UInt8]? {
    let text: String? =
      switch name {
      case "v1": PackageResources.v1_json
      case "v2": PackageResources.v2_json
      case "v3": PackageResources.v3_json
      case "v3-strict": PackageResources.v3_strict_json
      case "v3-plus": PackageResources.v3_plus_json
      case "vitality.v1": PackageResources.vitality_v1_json
      case "vitality.v2": PackageResources.vitality_v2_json
      default: nil
      }
    return text.map { Array($0.utf8) }
  }
}
