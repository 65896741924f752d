public import VigilAnalysis
public import VigilModel

extension SeriesStrip {
  /// The days of a series whose limit is explained, to be drawn with the limit as a line.
  ///
  /// - Parameters:
  ///   - explanation: That of the last day that is drawn.
  ///   - series: The explained series.
  ///   - days: The days to draw.
  ///   - label: The series in words.
  ///   - unit: The unit beside its values; empty where it is not known.
  ///   - marks: The events of the days.
  public init(
    of explanation: LimitExplanation, _ series: ExplainedSeries, on days: ClosedRange<Day>,
    label: String, unit: String, marks: [Mark] = []
  ) {
    func reading(_ day: Day) -> Reading {
      series[day].isNaN ? .noRow : .value(series[day])
    }
    self.init(
      label: label, unit: unit, days: days, readings: days.map(reading),
      earlier: (1...6).reversed().map { reading(days.lowerBound - $0) },
      episodes: explanation.episodes.filter { episode in
        episode.resolution.map { $0.day >= days.lowerBound } ?? true
      }.map { Span($0, explanation.direction.pattern) },
      marks: marks)
    isOfLimit = true
    usual = explanation.limits.first.map { Usual(value: $0.limit.value) }
  }
}
