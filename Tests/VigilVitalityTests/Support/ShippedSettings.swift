import Foundation
import ShippedThresholds
import Testing
import VigilVitality

/// The shipped settings, read from the files users have.
enum ShippedSettings {
  static func named(_ name: String) throws -> VitalitySettings {
    let file = try #require(ShippedThresholds.named("vitality.\(name)"))
    return try VitalitySettings(json: Data(file), file: "\(name).json", digest: name)
  }
}
