import VigilModel

extension CriticalLimit {
  private static let keys = ["metric", "below", "above", "days", "severity"]

  /// Reads the list `critical_limits`, which hold for all persons; none where the file has none.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - metrics: The metrics of the file.
  static func all(reading reader: JSONReader, metrics: [MetricThresholds]) -> [CriticalLimit] {
    guard let value = reader.value("critical_limits") else { return [] }
    guard case .array(let items) = value else {
      reader.complain("critical_limits", "must be a list of limits, is \(value.kind)")
      return []
    }
    return items.enumerated().compactMap { index, item in
      reader.object(item, at: "critical_limits[\(index)]").flatMap {
        CriticalLimit(reading: $0, metrics: metrics)
      }
    }
  }

  private init?(reading reader: JSONReader, metrics: [MetricThresholds]) {
    reader.allowOnly(Self.keys)
    let sides = Direction.allCases.filter { reader.value($0.rawValue) != nil }
    guard let direction = sides.first, sides.count == 1 else {
      reader.complain(nil, "must have one of \"below\" and \"above\", with the limit")
      return nil
    }
    guard let name = reader.string("metric") else {
      if reader.value("metric") == nil { reader.complain("metric", "is missing") }
      return nil
    }
    let known = metrics.filter { $0.source == .wearable }
    guard let metric = known.first(where: { $0.metric.rawValue == name }) else {
      reader.complain(
        "metric",
        "\"\(name)\" is no metric of wearables of this file; its metrics are "
          + known.map(\.metric.rawValue).joined(separator: ", "))
      return nil
    }
    let any = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    let range = metric.plausible.map { plausible in
      let ends = [plausible.lowerBound, plausible.upperBound].map { JSONReader.shown(.number($0)) }
      return ", from \(ends[0]) to \(ends[1])"
    }
    guard
      let value = reader.number(
        direction.rawValue, in: metric.plausible ?? any,
        what: "must be a value that \(name) can have" + (range ?? ""))
    else { return nil }
    self.init(metric: metric.metric, direction, value)
    reader.integer("days", in: Self.possibleDays, into: &days)
    reader.word("severity", into: &severity)
  }
}
