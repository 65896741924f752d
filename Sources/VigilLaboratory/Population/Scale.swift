import Foundation

/// The scale on which the daily values of a metric vary alike at high and at low levels.
///
/// The same three as in the specification, evidence.md section 1.
public enum Scale: String, Codable, Sendable, CaseIterable {
  /// `y = x`.
  case none
  /// `y = sqrt(x)`, for counts.
  case sqrt
  /// `y = ln(max(x, 1))`.
  case log

  /// Returns `y` of a value in the metric's unit; a negative value counts as 0.
  public func scaled(_ value: Double) -> Double {
    let value = max(value, 0)
    return switch self {
    case .none: value
    case .sqrt: value.squareRoot()
    case .log: Foundation.log(max(value, 1))
    }
  }

  /// Returns the value in the metric's unit that has this `y`.
  public func value(of scaled: Double) -> Double {
    switch self {
    case .none: max(scaled, 0)
    case .sqrt: max(scaled, 0) * max(scaled, 0)
    case .log: exp(scaled)
    }
  }
}
