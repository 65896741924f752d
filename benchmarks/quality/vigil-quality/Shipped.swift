import Foundation
import ShippedPopulation
import ShippedThresholds
import VigilDetection
import VigilLaboratory

/// The files that are part of the executable.
enum Shipped {
  /// The metrics of simulated people, in the order of reports.
  static let metrics = [
    "steps", "sleep_minutes", "hrv_ms", "resting_hr", "sleep_efficiency_pct", "movement_minutes",
    "deep_sleep_minutes",
  ]

  /// The metrics that v3-plus has besides.
  static let furtherMetrics = ["breathing_rate", "spo2_avg_pct", "skin_temperature_c"]
  static let plusMetrics = metrics + furtherMetrics

  static func thresholds(_ name: String) throws -> Thresholds? {
    guard let bytes = ShippedThresholds.named(name) else { return nil }
    return try Thresholds(json: Data(bytes), file: name + ".json", digest: "")
  }

  static func detector(_ name: String) throws -> ProfileDetector? {
    try thresholds(name).map { ProfileDetector(name, thresholds: $0, order: metrics) }
  }

  static func doses(_ name: String) throws -> DoseDetector? {
    try thresholds(name).flatMap { DoseDetector(name, thresholds: $0) }
  }

  static func silence(_ name: String) throws -> SilenceDetector? {
    try thresholds(name).flatMap { SilenceDetector(name, thresholds: $0) }
  }

  static func events(
    _ name: String, metrics: [String] = Shipped.metrics
  ) throws -> ProfileEvents? {
    try thresholds(name).map { ProfileEvents(name, thresholds: $0, order: metrics) }
  }

  /// Reads `--population`, a file that `fit` wrote; without it, the shipped one.
  ///
  /// - Parameter metrics: Those that people have; others of the file are left out.
  static func population(
    _ arguments: Arguments, metrics: [String] = Shipped.metrics
  ) throws -> Population {
    let all = try wholePopulation(arguments)
    return all.filled(from: all, metrics: metrics)
  }

  private static func wholePopulation(_ arguments: Arguments) throws -> Population {
    guard let file = arguments.optional("population") else {
      return try .shipped()
    }
    guard let data = FileManager.default.contents(atPath: file),
      let population = try? JSONDecoder().decode(Population.self, from: data)
    else { throw QualityError("cannot read a population from \(file); make one with fit") }
    return population
  }
}
