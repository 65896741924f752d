import VigilModel

/// The layout of a thresholds file for people: what fits stands on one line.
struct JSONLayout {
  /// Keys in the order of the shipped files; others follow in the order of their names, numbers first.
  private static let order = [
    "$schema", "version", "detector", "horizon_days", "warmup_days", "merge", "non_wear",
    "recent_days", "mode", "statistic", "max_days", "min_days", "min_total_days", "guard_days",
    "baseline", "windows", "span_factor", "drift_allowance", "clip", "held", "evidence",
    "calm_days", "level_min", "level_max", "recovery", "episode", "windows_days", "metric_evidence",
    "evidence_cap", "matter_share", "min_groups", "max_age_days", "groups", "combined", "means",
    "notify", "calibration",
    "source", "unit", "pattern_type", "suppress_on_workout_days", "plausible", "rules",
    "transform", "prior_spread", "prior_autocorrelation", "thresholds",
    "correlation", "false_episodes_per_person_year", "openings_per_series_year",
    "combined_openings_per_person_year", "simulated_series", "seed", "digest", "people", "fitted",
    "metrics", "pauses", "doses",
  ]
  private static let width = 80

  static func text(_ value: JSONValue) -> String { block(value, indent: 0, used: 0) + "\n" }

  /// - Parameters:
  ///   - indent: The columns before each further line.
  ///   - used: The columns before the value on its first line.
  private static func block(_ value: JSONValue, indent: Int, used: Int) -> String {
    let line = line(value)
    let isOfLines = if case .object = value { indent == 0 } else { false }
    if !isOfLines, used + line.count < width { return line }
    let inner = String(repeating: " ", count: indent + 2)
    let end = "\n" + String(repeating: " ", count: indent)
    switch value {
    case .object(let fields):
      let rows = sorted(fields).map { key, value in
        let start = "\(JSONString.quoted(key)): "
        return inner + start
          + block(value, indent: indent + 2, used: indent + 2 + start.count)
      }
      return "{\n" + rows.joined(separator: ",\n") + end + "}"
    case .array(let items):
      let rows = items.map { inner + block($0, indent: indent + 2, used: indent + 2) }
      return "[\n" + rows.joined(separator: ",\n") + end + "]"
    default: return line
    }
  }

  private static func line(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .boolean(let flag): String(flag)
    case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
    case .string(let text): JSONString.quoted(text)
    case .array(let items): "[" + items.map(line).joined(separator: ", ") + "]"
    case .object(let fields) where fields.isEmpty: "{}"
    case .object(let fields):
      "{ " + sorted(fields).map { "\(JSONString.quoted($0)): \(line($1))" }.joined(separator: ", ")
        + " }"
    }
  }

  private static func sorted(_ fields: [String: JSONValue]) -> [(String, JSONValue)] {
    func place(_ key: String) -> (Int, Int, String) {
      (order.firstIndex(of: key) ?? order.count, Int(key) ?? .max, key)
    }
    return fields.sorted { place($0.key) < place($1.key) }.map { ($0.key, $0.value) }
  }
}
