import Foundation
import VigilDetection
import VigilLaboratory

/// The profile that a command measures.
enum Profiles {
  /// The metrics of the profile that `--profile`, a shipped one, or `--thresholds`, a file, names.
  static func events(_ arguments: Arguments, default name: String) throws -> ProfileEvents {
    let (name, thresholds) = try thresholds(arguments, default: name)
    return ProfileEvents(name, thresholds: thresholds, order: Shipped.metrics)
  }

  /// The doses of the same profile; nil where it does not follow them.
  static func doses(_ arguments: Arguments, default name: String) throws -> DoseDetector? {
    let (name, thresholds) = try thresholds(arguments, default: name)
    return DoseDetector(name, thresholds: thresholds)
  }

  /// The silence of the same profile; nil where it does not follow it.
  static func silence(_ arguments: Arguments, default name: String) throws -> SilenceDetector? {
    let (name, thresholds) = try thresholds(arguments, default: name)
    return SilenceDetector(name, thresholds: thresholds)
  }

  private static func thresholds(
    _ arguments: Arguments, default name: String
  ) throws -> (name: String, thresholds: Thresholds) {
    if let file = arguments.optional("thresholds") {
      guard let data = FileManager.default.contents(atPath: file) else {
        throw QualityError("cannot read \(file)")
      }
      let thresholds = try Thresholds(json: data, file: file, digest: "")
      return (thresholds.version, thresholds)
    }
    let name = arguments.optional("profile") ?? name
    guard let thresholds = try Shipped.thresholds(name) else {
      throw QualityError("profile \(name) does not ship")
    }
    return (name, thresholds)
  }
}
