import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel
import VigilPipeline

/// Drawings of the days of a person who waits.
extension Evaluator {
  /// The days of a drawing at most, and where its first day is not given.
  private static let (mostDrawn, drawnDays) = (2_000, 60)

  /// Draws the values of a person.
  ///
  /// - Parameters:
  ///   - name: The person.
  ///   - metric: Nil for all series that have an episode on the days, or all metrics with a value where none has.
  ///   - limit: The side of the metric's limits, with their alerts; nil for those of changes.
  ///   - first: The first day; `Int32.min` for the 60 days up to the last.
  ///   - last: The last day; `Int32.min` for that of the person's rows.
  func draw(
    person name: String, metric: String?, limit: CriticalLimit.Direction?, from first: Int32,
    to last: Int32
  ) throws(Failure) -> String {
    let person = try waitingPerson(name)
    let last = try calendarDay(last == .min ? person.days.max() ?? last : last)
    let first = first == .min ? last - (Self.drawnDays - 1) : try calendarDay(first)
    guard first <= last, last - first < Self.mostDrawn else {
      throw .argument(
        "the days \(first) to \(last) cannot be drawn; give at most \(Self.mostDrawn) days in their order"
      )
    }
    guard let metric = metric.map({ MetricType($0) }) else {
      if limit != nil { throw .argument("a limit is one of a metric; give the metric, too") }
      return try drawing(of: person, on: first...last).file
    }
    return try drawing(of: metric, limit, of: person, on: first...last).file
  }

  private func drawing(
    of metric: MetricType, _ limit: CriticalLimit.Direction?, of person: PersonRows,
    on days: ClosedRange<Day>
  ) throws(Failure) -> Drawing {
    if let limit { return try strip(limit, of: limited(metric), of: person, on: days).drawing }
    if metric == .combined { return try strips(together: person, on: days).drawing }
    if let silence = try silence(metric, of: person, on: days.upperBound) {
      return strip(of: silence, on: days).drawing
    }
    guard let found = try strip(followed(metric, by: person), of: person, on: days) else {
      throw noColumn(of: metric)
    }
    return found.drawing
  }

  /// All series with an episode on the days, one below the other, or all metrics with a value where none has.
  private func drawing(
    of person: PersonRows, on days: ClosedRange<Day>
  ) throws(Failure) -> Drawing {
    let own = thresholds.adjusted(to: sensitivities[person.id])
    var strips: [(metric: MetricType, strip: SeriesStrip)] = []
    for metric in own.wearableMetrics + [own.adherenceMetric].compactMap(\.self) {
      if let found = try strip(metric, of: person, on: days), !found.values.isEmpty {
        strips.append((metric.metric, found))
      }
    }
    let together = try explainedTogether(
      of: person, on: days.upperBound, looksForOpposite: false)?.explanation.episodes
    for episode in together ?? [] {
      for contribution in episode.combined?.contributions ?? [] {
        guard let place = strips.firstIndex(where: { $0.metric == contribution.metric }) else {
          continue
        }
        strips[place].strip.add(SeriesStrip.Span(episode, contribution))
      }
    }
    let silences = try silenceStrips(of: person, on: days)
    let changed =
      (strips.map(\.strip) + silences + (try limitStrips(of: person, on: days)))
      .filter { !$0.shownEpisodes.isEmpty }
    let shown = changed.isEmpty ? strips.map(\.strip) : changed
    guard !shown.isEmpty else {
      throw .data(
        "person \"\(person.name)\" has no value from \(days.lowerBound) to \(days.upperBound); there is nothing to draw"
      )
    }
    return Drawing(stacking: shown.map(\.drawing), title: person.name)
  }

  // MARK: Strips

  private func strip(
    _ metric: MetricThresholds, of person: PersonRows, on days: ClosedRange<Day>
  ) throws(Failure) -> SeriesStrip? {
    guard let found = try loaded(metric, of: person, through: days.upperBound) else { return nil }
    let explanation = found.explainer.explain(
      found.series, on: days.upperBound, from: found.first, looksForOpposite: false)
    return SeriesStrip(
      of: explanation, found.series, on: days, label: Self.label(of: metric.metric),
      unit: metric.unit)
  }

  private func strips(
    together person: PersonRows, on days: ClosedRange<Day>
  ) throws(Failure) -> StackedStrips {
    let found = try together(of: person, on: days.upperBound, looksForOpposite: false)
    let units = Dictionary(
      found.metrics.map { ($0.metric, $0.unit) }, uniquingKeysWith: { first, _ in first })
    let words = StackedStrips.LaneWords(
      label: Self.label, note: { $0.note(unit: units[$0.metric] ?? "") })
    guard
      let strips = StackedStrips(
        of: found.explanation, found.metrics, found.series, by: found.thresholds, on: days,
        title: Self.label(of: .combined), in: words)
    else {
      throw .data(
        "no metric of person \"\(person.name)\" has a value and a history on \(days.upperBound); there is nothing to draw"
      )
    }
    return strips
  }

  private func strip(of silence: SilenceExplanation, on days: ClosedRange<Day>) -> SeriesStrip {
    SeriesStrip(
      of: silence, on: days, label: Self.label(of: silence.metricType), unit: "days")
  }

  private func silenceStrips(
    of person: PersonRows, on days: ClosedRange<Day>
  ) throws(Failure) -> [SeriesStrip] {
    var strips: [SeriesStrip] = []
    for series in thresholds.adjusted(to: sensitivities[person.id]).silences
    where sensitivities[person.id][series.metric] != .off {
      if let found = try silence(series.metric, of: person, on: days.upperBound) {
        strips.append(strip(of: found, on: days))
      }
    }
    return strips
  }

  private func strip(
    _ side: CriticalLimit.Direction, of metric: MetricThresholds, of person: PersonRows,
    on days: ClosedRange<Day>
  ) throws(Failure) -> SeriesStrip {
    let found = try explained(side, of: metric, of: person, on: days.upperBound)
    return SeriesStrip(
      of: found.explanation, found.series, on: days, label: Self.label(of: metric.metric),
      unit: found.unit)
  }

  private func limitStrips(
    of person: PersonRows, on days: ClosedRange<Day>
  ) throws(Failure) -> [SeriesStrip] {
    let set = thresholds.criticalLimits + limits[person.id].map(\.limit)
    var strips: [SeriesStrip] = []
    for metric in thresholds.wearableMetrics where columns.contains(metric.metric) {
      for side in CriticalLimit.Direction.allCases
      where set.contains(where: { $0.metric == metric.metric && $0.direction == side }) {
        var found = try strip(side, of: metric, of: person, on: days)
        found.label += side == .below ? " below a limit" : " above a limit"
        strips.append(found)
      }
    }
    return strips
  }

  private static func label(of metric: MetricType) -> String {
    String(metric.rawValue.map { $0 == "_" ? " " : $0 })
  }
}
