import VigilDetection
import VigilModel

extension Sensitivity {
  /// Its effect on the metric of an explanation; nil where it has none.
  ///
  /// - Parameter detector: The one that follows the metric.
  func words(under detector: Detector) -> String? {
    switch (self, detector) {
    case (.lower, .evidence): "lower for this person: 0.35 more evidence is needed"
    case (.higher, .evidence): "higher for this person: 0.35 less evidence is needed"
    case (.lower, .doseEvidence): "lower for this person: 1.5 nats more evidence are needed"
    case (.higher, .doseEvidence): "higher for this person: 1.5 nats less evidence are needed"
    case (.lower, .means): "lower for this person: a change must be 1.5 times as large"
    case (.higher, .means): "higher for this person: a change need be 0.75 times as large"
    case (.normal, _), (.off, _): nil
    }
  }
}

extension PersonalSensitivity {
  /// Its effect on the metrics together; nil where it has none.
  var wordsTogether: String? {
    let left = overrides.filter { $0.value == .off }.keys.sorted().map(\.words)
    let parts =
      [self[.combined].words(under: .evidence)].compactMap(\.self)
      + (left.isEmpty ? [] : ["off for this person: \(left.joined(separator: ", "))"])
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}
