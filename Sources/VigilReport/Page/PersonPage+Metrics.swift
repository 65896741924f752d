import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel
import VigilStorage
import VigilWords

/// All metrics of the person on their axis and by day, for analysts.
extension PersonPage {
  /// The metrics that have a value in the days of the page, by their names.
  private var metrics: [MetricType] {
    details.days.series.keys
      .filter { metric in
        details.days.readings(of: metric, on: days).contains { $0.value != nil }
      }
      .sorted { words.words.name(of: $0) < words.words.name(of: $1) }
  }

  var axis: DeviationAxis? {
    let rows = metrics.map { metric in
      let own = urgent.filter { $0.metrics.contains(metric) }
      let name = words.words.name(of: metric)
      func values(_ recent: Double, _ usual: Double) -> String {
        words.text(
          .besideUsual,
          [
            "value": words.value(recent, of: metric),
            "usual": words.valueBeside(usual, of: metric),
          ])
      }
      let line = lines.first { $0.metric == metric && !$0.alert.series.pattern.isOfLimit }
      if isByEvidence(metric) {
        let standing = details.standings[metric]
        return DeviationAxis.Row(
          label: name, spreads: standing?.shift, isBad: !own.isEmpty,
          text: standing.map { standing in
            // The alert keeps what was usual when it opened, as the sentence says it.
            let text = values(standing.recent, line?.usual ?? standing.usual)
            guard let strongest = standing.strongest else { return text }
            return words.text(
              .withZ,
              [
                "text": text, "z": words.decimals(strongest.z),
                "needed": words.decimals(strongest.threshold),
              ])
          } ?? words.label("too_few_values"))
      }
      let level = UsualLevel(
        details.days.readings(
          of: metric, on: details.days.days.lowerBound...days.upperBound),
        to: days.upperBound, before: own.map(\.episode.activeSince).min())
      let isDropBad = pattern(of: metric) == .drop
      return DeviationAxis.Row(
        label: name, spreads: level?.spreads.map { isDropBad ? -$0 : $0 }, isBad: !own.isEmpty,
        text: level.map { values($0.recent, $0.usual) } ?? words.label("too_few_values"))
    }
    guard !rows.isEmpty else { return nil }
    var axis = DeviationAxis(rows: rows)
    axis.language = language
    return axis
  }

  var axisNote: String {
    words.label(metrics.contains(where: isByEvidence) ? "axis_evidence_note" : "axis_note")
  }

  private func isByEvidence(_ metric: MetricType) -> Bool {
    content.thresholds?.metrics.contains { $0.metric == metric && $0.evidence != nil } ?? false
  }

  private func pattern(of metric: MetricType) -> PatternType {
    content.thresholds?.metrics.first { $0.metric == metric }?.pattern ?? .drop
  }

  var timeline: StateTimeline? {
    let metrics = metrics
    guard !metrics.isEmpty else { return nil }
    var timeline = StateTimeline(
      days: days,
      rows: metrics.map { metric in
        let spans = alerts.filter { $0.metrics.contains(metric) }
          .map { SeriesStrip.Span($0.episode, $0.series.pattern) }
        let readings = details.days.readings(of: metric, on: days)
        return StateTimeline.Row(
          label: words.words.name(of: metric),
          states: zip(days, readings).map { day, reading in
            if let level = spans.compactMap({ $0.level(on: day) }).max() { return .alert(level) }
            return switch reading {
            case .value: .calm
            case .notWorn: .notWorn
            case .noRow, .noValue, .partWorn, .implausible: .unknown
            }
          })
      })
    timeline.language = language
    return timeline
  }
}
