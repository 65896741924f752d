import Crypto
import Foundation
import ShippedThresholds
import VigilDetection
import VigilReport

extension ThresholdsSource {
  /// Reads and validates the thresholds.
  ///
  /// - Throws: `CommandFailure` where the file cannot be read, `ThresholdsError` with every problem
  ///   that it has.
  func load() throws -> Thresholds {
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
        data = try Data(contentsOf: URL(filePath: path))
      } catch {
        throw CommandFailure(
          .badData, "thresholds file \(path) cannot be read; check its name and permissions")
      }
    }
    let digest = SHA256.hash(data: data).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return try Thresholds(json: data, file: name, digest: digest.joined())
  }
}

extension ThresholdsReport {
  init(_ thresholds: Thresholds, file: String) {
    self.init(
      file: file, version: thresholds.version, digest: thresholds.digest,
      metrics: thresholds.metrics.map { metric in
        Metric(
          metricType: metric.metric, patternType: metric.pattern, unit: metric.unit,
          rules: metric.rules.map { rule in
            "\(rule.kind.rawValue) \(numberText(rule.threshold))"
          })
      })
  }
}

/// `45` for 45.0, `0.25` for 0.25.
private func numberText(_ value: Double) -> String {
  let text = String(value)
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
