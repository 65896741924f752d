import VigilCharts
import VigilDetection
import VigilModel
import VigilStorage
import VigilWords

/// Charts of the metrics that the sentences about the person name, and the sentences beside its doses.
extension PersonPage {
  /// A chart of each metric in its own unit; doses are drawn as what they are.
  var figures: [PageDocument.Figure] {
    lines.enumerated().compactMap { index, line in
      figure(of: line).map { PageDocument.Figure($0, id: "strip-\(number)-\(index + 1)") }
    }
  }

  func figure(of line: AlertLine) -> PageDocument.Strip? {
    // Doses have their lanes, and a medication without lanes has no chart.
    if isOfDoses(line), lanes != nil || line.alert.series.medication != nil { return nil }
    guard line.alert.series.pattern != .silence else { return nil }
    let strip = strip(of: line)
    guard !strip.values.isEmpty else { return nil }
    let title = words.words.title(of: line.metric)
    return PageDocument.Strip(
      heading: strip.unit.isEmpty ? title : "\(title), \(strip.unit)",
      note: sentence(of: line), figures: line.figuresText(strip, words), drawing: strip.drawing)
  }

  /// The symbols of all charts, which the page explains once.
  var symbols: [ChartSymbol] {
    (lines.compactMap(figure) + events.compactMap(spreads)).flatMap(\.drawing.symbols)
  }

  var language: ChartLanguage {
    words.ofCharts
  }

  func isOfDoses(_ line: AlertLine) -> Bool {
    line.alert.series.medication != nil || line.metric == .doseAdherence
  }

  /// The strip of a line, with the days of its alert alone.
  func strip(of line: AlertLine) -> SeriesStrip {
    let contribution = line.alert.episode.combined?.contributions.first { $0.metric == line.metric }
    var strip =
      contribution.map { line.alert.strip(of: $0, from: material) }
      ?? line.alert.strip(from: material)
    strip.label = words.words.title(of: line.metric)
    strip.unit = strip.isDuration ? "" : words.unitBesideName(of: line.metric)
    strip.recent = line.recent
    strip.language = language
    return strip
  }

  /// The sentences of alerts of these days that are over, the newest first.
  var earlier: [String] {
    let over = alerts.filter { !$0.episode.isActive && $0.series.pattern != .silence }
      .sorted {
        ($1.episode.lastEvaluated, $0.series) < ($0.episode.lastEvaluated, $1.series)
      }
    return AlertLine.all(
      of: over, on: days.upperBound, in: details.days, courses: [:], limits: content.limits,
      thresholds: content.thresholds, personLimits: details.limits
    ).prefix(Self.mostEarlier).map(sentence)
  }

  /// Alerts that are over are the past: a few of them are enough.
  private static let mostEarlier = 6

  /// The spans of alerts of doses, which the lanes are shaded with.
  var doseSpans: [SeriesStrip.Span] {
    urgent.filter { $0.series.metric == .doseAdherence || $0.series.medication != nil }
      .map { SeriesStrip.Span($0.episode, $0.series.pattern) }
  }

  /// The sentences of alerts of doses, beside the lanes.
  var doseText: String {
    lines.filter(isOfDoses).map(sentence).joined(separator: " ")
  }

  var material: StripMaterial {
    StripMaterial(
      drawn: days, person: details.days, thresholds: content.thresholds,
      notifications: details.notifications, evaluated: content.evaluatedDays)
  }
}
