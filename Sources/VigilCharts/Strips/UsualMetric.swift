public import VigilDetection
public import VigilModel

/// A metric with the usual values that its days are drawn against, and the alert that they are part of.
public struct UsualMetric: Sendable {
  public var metric: MetricType
  public var anchor: EvidenceAnchor
  /// The mean of the newest values, in the metric's unit.
  public var recent: Double
  /// The mean of the baseline, in the metric's unit.
  public var usual: Double
  /// Nil where there is no alert.
  public var episode: Episode?

  /// The metrics that an episode was found in, with its frozen baselines; none where means were compared.
  public static func all(of episode: Episode, _ metric: MetricType) -> [UsualMetric] {
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

  /// A metric of a day without an alert.
  public init(_ metric: CombinedDay.Metric) {
    self.init(
      metric: metric.metric, anchor: metric.anchor, recent: metric.recent, usual: metric.baseline,
      episode: nil)
  }

  private init(
    metric: MetricType, anchor: EvidenceAnchor, recent: Double, usual: Double, episode: Episode?
  ) {
    self.metric = metric
    self.anchor = anchor
    self.recent = recent
    self.usual = usual
    self.episode = episode
  }
}

extension StackedStrips.Lane {
  /// The days of a metric in personal spreads.
  ///
  /// - Parameters:
  ///   - own: The metric and what is usual of it.
  ///   - days: The days that are drawn.
  ///   - thresholds: The profile that the anchor is of.
  ///   - workouts: Days with a workout.
  ///   - deviceChanges: First days of other devices.
  ///   - words: The texts beside it.
  ///   - reading: The reading of a day in the metric's unit.
  /// - Returns: Nil where evidence does not follow the metric.
  public init?(
    of own: UsualMetric, on days: ClosedRange<Day>, _ thresholds: Thresholds, workouts: Set<Day>,
    deviceChanges: [Day], in words: StackedStrips.LaneWords,
    reading: (Day) -> SeriesStrip.Reading
  ) {
    let metric = own.metric
    guard thresholds.metrics.contains(where: { $0.metric == metric && $0.evidence != nil }) else {
      return nil
    }
    func spreads(_ day: Day) -> SeriesStrip.Reading {
      let reading = reading(day)
      guard let value = reading.value else { return reading }
      return thresholds.deviation(of: value, of: metric, on: day, from: own.anchor)
        .map { .value($0) } ?? .noValue
    }
    var span: SeriesStrip.Span?
    if let episode = own.episode {
      span = SeriesStrip.Span(episode, .worse)
      span?.usual = SeriesStrip.Usual(value: 0, band: -1...1)
    }
    var strip = SeriesStrip(
      label: words.label(metric), unit: "", days: days, readings: days.map(spreads),
      earlier: (1...6).reversed().map { spreads(days.lowerBound - $0) }, workouts: workouts,
      episodes: span.map { [$0] } ?? [],
      marks: deviceChanges.map { SeriesStrip.Mark(.deviceChange, on: $0) })
    strip.usual = SeriesStrip.Usual(value: 0, band: -1...1)
    strip.language = words.language
    self.init(strip, note: words.note(own))
  }
}

extension StackedStrips {
  /// The texts beside the lanes of metrics.
  public struct LaneWords {
    public var language: ChartLanguage
    /// The name of a metric.
    public var label: (MetricType) -> String
    /// Its figures in its own unit.
    public var note: (UsualMetric) -> String

    /// - Parameters:
    ///   - language: The words of the texts, and the form of numbers and dates.
    ///   - label: The name of a metric.
    ///   - note: Its figures in its own unit.
    public init(
      _ language: ChartLanguage = .english, label: @escaping (MetricType) -> String,
      note: @escaping (UsualMetric) -> String
    ) {
      self.language = language
      self.label = label
      self.note = note
    }
  }
}
