import VigilModel

/// A row of `person_limits`.
enum PersonLimitRow {
  /// Reads a row, after the place of its person.
  ///
  /// A view may have any words and numbers.
  ///
  /// - Returns: The name of the metric, and the limit; nil for one that cannot be used.
  static func decode(_ row: inout some RowReader) throws -> (metric: String, limit: PersonLimit?) {
    let metric = try row.textIfPresent() ?? ""
    let direction = try row.textIfPresent().flatMap(CriticalLimit.Direction.init)
    let value = try row.finiteIfPresent()
    let days = try row.intIfPresent()
    let severity = try row.textIfPresent().flatMap(Severity.init)
    let (first, last) = (try? row.dayIfPresent(), try? row.dayIfPresent())
    let setBy = try row.textIfPresent() ?? ""
    guard !metric.isEmpty, let direction, let value, let days, let severity,
      let first = first.flatMap(\.self), let last = last.flatMap(\.self), first <= last,
      CriticalLimit.possibleDays.contains(days)
    else { return (metric, nil) }
    let limit = CriticalLimit(
      metric: MetricType(metric), direction, value, days: days, severity: severity)
    guard limit.isPossible else { return (metric, nil) }
    return (metric, PersonLimit(limit, on: first...last, setBy: setBy))
  }
}
