import Foundation
import ShippedThresholds
import VigilDetection
import VigilModel

/// The thresholds file that a calibration starts from.
struct CalibrationBase {
  let profile: Thresholds
  /// The version of the new file.
  let version: String
  private let contents: Data
  private let isShipped: Bool

  /// - Parameters:
  ///   - text: The name or path of the file.
  ///   - name: The version of the new file; nil for one that follows from the old.
  /// - Throws: `CommandFailure`; `ThresholdsError` with every problem of the file.
  init(_ text: String, name: String?) throws {
    guard let source = ThresholdsSource(text) else {
      throw CommandFailure(.usage, "--thresholds is empty; give v3 or a path")
    }
    profile = try source.load()
    contents = try source.contents().data
    isShipped = if case .shipped = source { true } else { false }
    version = name ?? profile.version + "-calibrated"
    guard !(ShippedThresholds.names + [profile.version]).contains(version) else {
      throw CommandFailure(
        .usage, "--name \(version) is the name of another thresholds file; choose a new one")
    }
    guard !calibrated.metrics.isEmpty else {
      throw CommandFailure(
        .badData,
        "\(text) has no metric of wearables under evidence, so there is nothing to calibrate; give"
          + " --thresholds v3, or a file made from it")
    }
  }

  /// The profile with the metrics that can be calibrated.
  var calibrated: Thresholds {
    var calibrated = profile
    calibrated.metrics = profile.wearableMetrics.filter { $0.evidence != nil }
    return calibrated
  }

  func file() throws -> CalibratedFile {
    try CalibratedFile(base: contents, isShipped: isShipped)
  }
}
