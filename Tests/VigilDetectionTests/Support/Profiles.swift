import Foundation
import ShippedThresholds
import Testing
import VigilDetection
import VigilModel

/// The shipped profiles, read from the files users have.
enum Profiles {
  static func named(_ name: String) throws -> Thresholds {
    let file = try #require(ShippedThresholds.named(name))
    return try Thresholds(json: Data(file), file: "\(name).json", digest: name)
  }
}

extension Thresholds {
  func metric(_ name: String) throws -> MetricThresholds {
    try #require(metrics.first { $0.metric.rawValue == name })
  }
}
