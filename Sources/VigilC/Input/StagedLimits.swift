import VigilModel

/// The limits of persons who are not evaluated yet (specification, limits.md).
struct StagedLimits {
  private var limits: [UUID: [PersonLimit]] = [:]

  /// The name of the table among rows that cannot be used.
  private static let table = "person_limits"

  /// Takes a batch or, where it throws, nothing of it; a later row of the same key counts.
  ///
  /// - Parameter followed: The metrics of the profile; a limit of another has no effect, and is named.
  /// - Returns: The rows that cannot be used.
  mutating func add(
    _ batch: RecordBatch, followed: [MetricType]
  ) throws(Failure) -> UnusableRows {
    let cells = Cells(batch: batch, table: "limits")
    let names = StagedRows.Names.person
    let persons = try cells.required(names, "whose limit it is", cells.ids(names))
    let metrics = ["metric_type", "metric"]
    let ofMetrics = try cells.required(
      metrics, "the metric that is limited", cells.texts(metrics))
    _ = try batch.requiredColumn(["direction"], "below or above")
    _ = try batch.requiredColumn(["limit_value"], "the limit, in the unit of the metric")
    _ = try batch.requiredColumn(["starts_on"], "the first day on which it holds")
    _ = try batch.requiredColumn(["ends_on"], "the last day on which it holds")
    let directions = try cells.texts(["direction"])
    let values = try cells.numbers(["limit_value"])
    let counts = try cells.integers(["days"])
    let severities = try cells.texts(["severity"])
    let starts = try cells.days(["starts_on"])
    let ends = try cells.days(["ends_on"])
    let setters = try cells.texts(["set_by"])
    var unusable = UnusableRows()
    for (row, person) in persons.enumerated() {
      let metric = MetricType(ofMetrics[row])
      let days = counts[row] ?? 1
      guard let direction = directions[row].flatMap(CriticalLimit.Direction.init),
        let value = values[row], let severity = Severity(rawValue: severities[row] ?? "attention"),
        let first = starts[row], let last = ends[row], first <= last,
        CriticalLimit.possibleDays.contains(days), metric.canHaveLimits,
        case let limit = CriticalLimit(
          metric: metric, direction, value, days: days, severity: severity), limit.isPossible
      else {
        unusable.addRow(
          of: Self.table, .impossibleValue, key: [person.lowercased, metric.rawValue])
        continue
      }
      if !followed.contains(metric) {
        unusable.addRow(
          of: Self.table, .unfollowedMetric,
          key: [
            person.lowercased, metric.rawValue, direction.rawValue, String(days),
            first.description,
          ])
      }
      let found = PersonLimit(limit, on: first...last, setBy: setters[row] ?? "")
      var own = limits[person] ?? []
      own.removeAll { $0.hasKey(of: found) }
      limits[person] = own + [found]
    }
    return unusable
  }

  /// In the order in which a database gives them.
  subscript(person: UUID) -> [PersonLimit] {
    (limits[person] ?? []).sorted { left, right in
      (
        left.limit.metric.rawValue, left.limit.direction.rawValue, left.limit.days,
        left.days.lowerBound
      ) < (
        right.limit.metric.rawValue, right.limit.direction.rawValue, right.limit.days,
        right.days.lowerBound
      )
    }
  }

  /// By place in a block; persons without a limit are left out.
  func personal(of persons: [PersonRows]) -> [Int: [PersonLimit]] {
    guard !limits.isEmpty else { return [:] }
    var personal: [Int: [PersonLimit]] = [:]
    for (place, person) in persons.enumerated() where limits[person.id] != nil {
      personal[place] = self[person.id]
    }
    return personal
  }

  /// Removes the rows of persons who are evaluated.
  mutating func remove(_ persons: [UUID]) {
    for person in persons { limits[person] = nil }
  }
}
