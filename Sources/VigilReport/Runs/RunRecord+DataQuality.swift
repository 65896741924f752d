import VigilModel
import VigilStorage
import VigilWords

extension RunRecord {
  /// The data quality in one line: rejected values first, then properties of the series.
  func dataQualityText(_ words: PageWords = .ofReports) -> String {
    ([leftOutText(words)] + [metricsText(words), unusableRowsText(words), seriesText(words)])
      .compactMap(\.self).joined(separator: "; ")
  }

  private func counts(of units: Set<DataQualityCount.Unit?>) -> [DataQualityCount] {
    dataQuality.filter { units.contains($0.unit) }
  }

  /// Rejected values and days: the three largest counts; `runs show` has the others.
  private func leftOutText(_ words: PageWords) -> String {
    let counts = counts(of: [.values, .days, nil])
    guard !counts.isEmpty else { return words.label("none_rejected") }
    let largest = counts.sorted {
      ($1.count, $0.metric?.rawValue ?? "", $0.reason)
        < ($0.count, $1.metric?.rawValue ?? "", $1.reason)
    }
    let parts = largest.prefix(3).map {
      words.text(
        .rejected,
        [
          "count": words.count($0.count),
          "subject": $0.metric.map(words.words.name)
            ?? words.label($0.count == 1 ? "day_unit" : "days_unit"),
          "reason": $0.reasonText(words),
        ])
    }
    let rest = largest.count - parts.count
    return parts.joined(separator: ", ")
      + (rest > 0 ? " " + words.text(.moreKinds, ["count": words.count(rest)]) : "")
  }

  /// `1 metric without a column (deep_sleep_minutes)`.
  private func metricsText(_ words: PageWords) -> String? {
    let counts = counts(of: [.metrics])
    guard !counts.isEmpty else { return nil }
    let names = counts.compactMap { $0.metric?.rawValue }.joined(separator: ", ")
    return words.counted(.noColumn, counts.reduce(0) { $0 + $1.count }, ["names": names])
  }

  /// `5 rows unusable (no person, no date)`.
  private func unusableRowsText(_ words: PageWords) -> String? {
    let counts = counts(of: [.rows])
    guard !counts.isEmpty else { return nil }
    let reasons = counts.map { $0.reasonText(words) }.joined(separator: ", ")
    return words.counted(
      .unusableRows, counts.reduce(0) { $0 + $1.count }, ["reasons": reasons])
  }

  /// `too little history in 4 series, source changed in 1 series`; a series is one metric of one person, so that
  /// metrics add up.
  private func seriesText(_ words: PageWords) -> String? {
    let counts = counts(of: [.persons])
    guard !counts.isEmpty else { return nil }
    let ofReason = Dictionary(grouping: counts) { $0.reasonText(words) }
      .mapValues { $0.reduce(0) { $0 + $1.count } }
    return ofReason.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map {
        words.text(.reasonInSeries, ["reason": $0.key, "count": words.count($0.value)])
      }.joined(separator: ", ")
  }
}

extension DataQualityCount {
  /// The reason in words; one that the language has no words of is named as it is stored.
  func reasonText(_ words: PageWords = .ofReports) -> String {
    words.labels["reason_\(reason)"] ?? reason.replacing("_", with: " ")
  }
}
