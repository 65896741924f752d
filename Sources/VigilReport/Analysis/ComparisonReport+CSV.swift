import VigilAnalysis
import VigilModel

extension ComparisonReport {
  /// Every episode of either profile as one row of CSV (RFC 4180, with a header row), by person, metric and
  /// first day.
  ///
  /// `difference` is `none`, `only_first`, `only_second` or `changed`. A cell is empty where there is no
  /// value.
  public func csv() -> String {
    let sides = ["first", "second"].flatMap { side in
      ["active_since", "opened_on", "level", "resolved_on", "resolution_reason"].map {
        "\(side)_\($0)"
      }
    }
    let header = ["user_id", "metric_type", "pattern_type", "difference", "days_later"] + sides
    let rows = comparison.pairs.map { pair in
      [
        pair.series.user.lowercased, pair.series.metric.rawValue, pair.series.pattern.rawValue,
        Self.difference(pair), pair.delay.map { "\($0)" } ?? "",
      ] + Self.cells(pair.first) + Self.cells(pair.second)
    }
    return ([header] + rows).map { row in
      row.map(Self.quoted).joined(separator: ",") + "\r\n"
    }.joined()
  }

  private static func difference(_ pair: EpisodePair) -> String {
    if pair.second == nil { return "only_first" }
    if pair.first == nil { return "only_second" }
    return pair.isSame ? "none" : "changed"
  }

  private static func cells(_ episode: ComparedEpisode?) -> [String] {
    guard let episode else { return Array(repeating: "", count: 5) }
    return [
      "\(episode.days.lowerBound)", "\(episode.openedOn)", "\(episode.level.rawValue)",
      episode.resolvedOn.map { "\($0)" } ?? "", episode.resolution?.rawValue ?? "",
    ]
  }

  /// A cell that a spreadsheet takes for a text or a number, never for a formula.
  private static func quoted(_ text: String) -> String {
    let isFormula = text.first.map { "=+-@".contains($0) } ?? false && Int(text) == nil
    let text = isFormula ? "'\(text)" : text
    guard text.contains(where: { ",\"\r\n".contains($0) || $0.isNewline }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }
}

extension ComparedEpisode {
  /// The day on which it ended; nil while it is active.
  var resolvedOn: Day? { resolution == nil ? nil : days.upperBound }
}
