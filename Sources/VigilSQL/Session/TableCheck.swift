import VigilModel

/// A condition on the rows of a table that is made of a rule of the model, for a mark such as `{{limit_is_possible}}`.
enum TableCheck: String {
  /// Of `person_limits`: a day can have the limit.
  case limitIsPossible = "limit_is_possible"

  var sql: String {
    switch self {
    case .limitIsPossible:
      let cases = MetricType.possibleValues.sorted { $0.key < $1.key }.map { metric, values in
        "WHEN '\(metric)' THEN limit_value BETWEEN \(values.lowerBound) AND \(values.upperBound)"
      }
      return "CASE metric_type \(cases.joined(separator: " ")) ELSE TRUE END"
    }
  }
}
