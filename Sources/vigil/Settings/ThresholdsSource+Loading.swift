import Foundation
import ShippedThresholds
import VigilDetection
import VigilModel
import VigilReport
import VigilVitality

extension ThresholdsSource {
  /// Reads and validates the thresholds.
  ///
  /// - Throws: `CommandFailure` where the file cannot be read, `ThresholdsError` with every problem
  ///   that it has.
  func load() throws -> Thresholds {
    let file = try contents()
    guard !VitalitySettings.isMeant(byJSON: file.data) else {
      throw CommandFailure(
        .badData,
        "\(file.name) says how to score vitality and not when a day deviates; "
          + "give a thresholds file, such as v1")
    }
    return try Thresholds(json: file.data, file: file.name, digest: file.digest)
  }

  /// Reads and validates vitality settings.
  ///
  /// - Throws: As `load`.
  func requireVitality() throws -> VitalitySettings {
    if let settings = try loadVitality() { return settings }
    throw CommandFailure(
      .badData,
      "\(try contents().name) says when a day deviates and not how to score vitality; "
        + "give a vitality file, such as vitality.v1")
  }

  /// The vitality settings, where the file is a vitality file; nil where it is not.
  ///
  /// - Throws: As `load`.
  func loadVitality() throws -> VitalitySettings? {
    let file = try contents()
    guard VitalitySettings.isMeant(byJSON: file.data) else { return nil }
    return try VitalitySettings(json: file.data, file: file.name, digest: file.digest)
  }

  /// SHA-256 of the file's bytes in lower-case hexadecimal.
  ///
  /// - Throws: `CommandFailure` where the file cannot be read.
  func digest() throws -> String { try contents().digest }

  /// Reads thresholds from the bytes of a file.
  ///
  /// - Throws: `ThresholdsError` with every problem that they have.
  static func thresholds(_ data: Data, name: String) throws -> Thresholds {
    try Thresholds(json: data, file: name, digest: digest(of: data))
  }

  private static func digest(of data: Data) -> String {
    SHA256.hexadecimal(of: data)
  }

  /// A file's bytes, its name in messages, and its SHA-256.
  ///
  /// - Throws: `CommandFailure` where the file cannot be read.
  func contents() throws -> (data: Data, name: String, digest: String) {
    let data: Data
    let name: String
    switch self {
    case .shipped(let shipped):
      guard let bytes = ShippedThresholds.named(shipped) else {
        throw CommandFailure(.internalError, "thresholds \(shipped) are missing from this build")
      }
      data = Data(bytes)
      name = "thresholds/\(shipped).json"
    case .file(let path):
      name = path
      do {
        data = try Data(
          contentsOf: URL(filePath: CommandSurroundings.current.path(of: path)))
      } catch {
        throw CommandFailure(
          .badData, "the file \(path) cannot be read; check its name and permissions")
      }
    }
    return (data, name, Self.digest(of: data))
  }
}

extension VitalityReport {
  init(_ settings: VitalitySettings, file: String) {
    self.init(
      file: file, version: settings.version, digest: settings.digest,
      ageGroups: settings.scores.ageGroups.map(\.name),
      subMetrics: settings.scores.pillars.flatMap { pillar in
        pillar.subMetrics.map {
          SubMetric(
            pillar: pillar.pillar, name: $0.subMetric.rawValue, weight: $0.weight,
            direction: $0.direction.rawValue)
        }
      }, hasSlope: settings.trends.slope != nil)
  }
}
