import VigilModel
import VigilStorage

/// The limits that are set for persons.
extension RowCheck {
  func limit(_ row: Row) throws(RowProblem) {
    if let first = row.day("starts_on"), let last = row.day("ends_on") {
      try require(first <= last, "ends_on", "before starts_on")
    }
    if let setBy = row.text("set_by") {
      try require(!setBy.allSatisfy(\.isWhitespace), "set_by", "no name")
    }
    guard let name = row.text("metric_type") else { return }
    let metric = MetricType(name)
    try require(metric.canHaveLimits, "metric_type", "not measured by wearables")
    let known = InputTable.wearableMetrics.map(\.rawValue)
    // Another may be a column that the operator has added.
    if !known.contains(name), let near = NearestName.of(name, among: known) {
      throw RowProblem(column: "metric_type", reason: "unknown; did you mean \(near)?")
    }
    guard let value = row.number("limit_value"), let possible = metric.possibleValues else {
      return
    }
    try require(
      possible.contains(value), "limit_value",
      "not from \(Int(possible.lowerBound)) to \(Int(possible.upperBound)), which days can have")
  }
}
