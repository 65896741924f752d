import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel
import VigilWords

/// A metric with the usual values that its days are drawn against, and the alert that they are part of.
struct UsualMetric {
  var metric: MetricType
  var anchor: EvidenceAnchor
  /// The mean of the newest values and of the baseline, in the metric's unit.
  var recent: Double
  var usual: Double
  /// Nil where there is no alert.
  var episode: Episode?

  /// The metrics that an episode was found in, with its frozen baselines; none where means were compared.
  static func all(of episode: Episode, _ metric: MetricType) -> [UsualMetric] {
    if let combined = episode.combined {
      return combined.contributions.map {
        UsualMetric(
          metric: $0.metric, anchor: $0.anchor, recent: $0.recent.value, usual: $0.baseline.value,
          episode: episode)
      }
    }
    guard let evidence = episode.evidence else { return [] }
    return [
      UsualMetric(
        metric: metric, anchor: evidence.anchor, recent: episode.figures.recent.value,
        usual: episode.figures.baseline.value, episode: episode)
    ]
  }

  init(
    metric: MetricType, anchor: EvidenceAnchor, recent: Double, usual: Double, episode: Episode?
  ) {
    self.metric = metric
    self.anchor = anchor
    self.recent = recent
    self.usual = usual
    self.episode = episode
  }

  /// A metric of a day without an alert.
  init(_ metric: CombinedDay.Metric) {
    self.init(
      metric: metric.metric, anchor: metric.anchor, recent: metric.recent, usual: metric.baseline,
      episode: nil)
  }

  /// Its days in personal spreads.
  ///
  /// - Parameters:
  ///   - days: The days that are drawn.
  ///   - thresholds: The profile that the anchor is of.
  ///   - workouts: Days with a workout.
  ///   - deviceChanges: First days of other devices.
  ///   - words: Those of the drawing.
  ///   - reading: The reading of a day in the metric's unit.
  /// - Returns: Nil where evidence does not follow the metric.
  func lane(
    on days: ClosedRange<Day>, _ thresholds: Thresholds, workouts: Set<Day>, deviceChanges: [Day],
    in words: PageWords = .ofReports, reading: (Day) -> SeriesStrip.Reading
  ) -> StackedStrips.Lane? {
    guard thresholds.metrics.contains(where: { $0.metric == metric && $0.evidence != nil }) else {
      return nil
    }
    func spreads(_ day: Day) -> SeriesStrip.Reading {
      let reading = reading(day)
      guard let value = reading.value else { return reading }
      return thresholds.deviation(of: value, of: metric, on: day, from: anchor)
        .map { .value($0) } ?? .noValue
    }
    var span: SeriesStrip.Span?
    if let episode {
      span = SeriesStrip.Span(episode, .worse)
      span?.usual = SeriesStrip.Usual(value: 0, band: -1...1)
    }
    var strip = SeriesStrip(
      label: words.words.name(of: metric), unit: "", days: days, readings: days.map(spreads),
      earlier: (1...6).reversed().map { spreads(days.lowerBound - $0) }, workouts: workouts,
      episodes: span.map { [$0] } ?? [],
      marks: deviceChanges.map { SeriesStrip.Mark(.deviceChange, on: $0) })
    strip.usual = SeriesStrip.Usual(value: 0, band: -1...1)
    strip.language = words.ofCharts
    let unit = words.unitBesideName(of: metric)
    return StackedStrips.Lane(
      strip,
      note: words.text(
        episode == nil ? .besideUsual : .atFirst,
        [
          "value": words.words.isDuration(metric)
            ? words.value(recent, of: metric)
            : words.number(recent) + (unit.isEmpty ? "" : " \(unit)"),
          "usual": words.valueBeside(usual, of: metric),
        ]))
  }
}
