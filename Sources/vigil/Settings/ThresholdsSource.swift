import ShippedThresholds

/// Which thresholds file, or which vitality file, a run uses.
enum ThresholdsSource: Hashable, Sendable, CustomStringConvertible {
  /// Built into the executable.
  case shipped(String)
  case file(path: String)

  /// The shipped thresholds files, for help and messages.
  static let names = ShippedThresholds.names.joined(separator: ", ")
  /// The shipped vitality files, for help and messages.
  static let vitalityNames = ShippedThresholds.vitalityNames.joined(separator: " or ")

  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    let shipped = ShippedThresholds.names + ShippedThresholds.vitalityNames
    self = shipped.contains(text) ? .shipped(text) : .file(path: text)
  }

  /// The vitality file that goes with a thresholds file.
  static func vitality(with thresholds: ThresholdsSource) -> ThresholdsSource {
    if case .shipped(let name) = thresholds, name != "v1" { return .shipped("vitality.v2") }
    return .shipped("vitality.v1")
  }

  var description: String {
    switch self {
    case .shipped(let name): "\(name) as shipped"
    case .file(let path): path
    }
  }
}
