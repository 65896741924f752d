import VigilModel
import VigilStorage

extension RunRecord {
  /// The data quality in one line: rejected values first, then properties of the series.
  var dataQualityText: String {
    ([leftOutText] + [metricsText, unusableRowsText, seriesText].compactMap { $0 })
      .joined(separator: "; ")
  }

  private func counts(of units: Set<DataQualityCount.Unit?>) -> [DataQualityCount] {
    dataQuality.filter { units.contains($0.unit) }
  }

  /// Rejected values and days: the three largest counts; `runs show` has the others.
  private var leftOutText: String {
    let counts = counts(of: [.values, .days, nil])
    guard !counts.isEmpty else { return "no value rejected" }
    let largest = counts.sorted {
      ($1.count, $0.metric?.rawValue ?? "", $0.reason)
        < ($0.count, $1.metric?.rawValue ?? "", $1.reason)
    }
    let parts = largest.prefix(3).map { count in
      let what =
        count.metric.map { "\(NumberText.count(count.count)) \($0.words)" }
        ?? NumberText.count(count.count, "day")
      return "\(what) \(count.reasonText)"
    }
    let rest = largest.count - parts.count
    return parts.joined(separator: ", ") + (rest > 0 ? " and \(rest) more kinds" : "")
  }

  /// `1 metric without a column (deep_sleep_minutes)`.
  private var metricsText: String? {
    let counts = counts(of: [.metrics])
    guard !counts.isEmpty else { return nil }
    return "\(NumberText.count(counts.reduce(0) { $0 + $1.count }, "metric")) without a column"
      + " (\(counts.compactMap { $0.metric?.rawValue }.joined(separator: ", ")))"
  }

  /// `5 rows unusable (no person, no date)`.
  private var unusableRowsText: String? {
    let counts = counts(of: [.rows])
    guard !counts.isEmpty else { return nil }
    let rows = counts.reduce(0) { $0 + $1.count }
    return "\(NumberText.count(rows, "row")) unusable"
      + " (\(counts.map(\.reasonText).joined(separator: ", ")))"
  }

  /// `too little history in 4 series, source changed in 1`; a series is one metric of one person, so
  /// that metrics add up.
  private var seriesText: String? {
    let counts = counts(of: [.persons])
    guard !counts.isEmpty else { return nil }
    let ofReason = Dictionary(grouping: counts, by: \.reasonText)
      .mapValues { $0.reduce(0) { $0 + $1.count } }
    return ofReason.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) in \(NumberText.count($0.value)) series" }.joined(separator: ", ")
  }
}
