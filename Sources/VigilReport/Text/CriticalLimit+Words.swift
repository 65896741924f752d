import VigilModel

extension CriticalLimit {
  /// The rule in words: `resting heart rate above 110 bpm, 3 values in a row, attention`.
  var words: String { "\(metric.words) \(rule)" }

  /// The rule without its metric: `above 110 bpm, 3 values in a row, attention`.
  var rule: String {
    let count = days == 1 ? "one value" : "\(days) values in a row"
    return "\(bound), \(count), \(severity.rawValue)"
  }

  /// The side and the value: `above 110 bpm`.
  var bound: String {
    let limit = NumberText.value(value) + (metric.unit.isEmpty ? "" : " \(metric.unit)")
    return "\(direction.rawValue) \(limit)"
  }
}
