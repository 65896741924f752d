import Foundation
import VigilDetection
import VigilLaboratory

/// The profile that a command measures.
enum Profiles {
  /// Reads `--profile`, a shipped one, or `--thresholds`, a file.
  static func events(_ arguments: Arguments, default name: String) throws -> ProfileEvents {
    if let file = arguments.optional("thresholds") {
      guard let data = FileManager.default.contents(atPath: file) else {
        throw QualityError("cannot read \(file)")
      }
      let thresholds = try Thresholds(json: data, file: file, digest: "")
      return ProfileEvents(thresholds.version, thresholds: thresholds, order: Shipped.metrics)
    }
    let name = arguments.optional("profile") ?? name
    guard let detector = try Shipped.events(name) else {
      throw QualityError("profile \(name) does not ship")
    }
    return detector
  }
}
