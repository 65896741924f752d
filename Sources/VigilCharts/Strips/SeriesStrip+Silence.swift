public import VigilAnalysis
public import VigilModel

extension SeriesStrip {
  /// The silent days in a row of a person, to be drawn.
  ///
  /// - Parameters:
  ///   - silence: The decision about the last of the days.
  ///   - days: The days to draw.
  ///   - label: The series in words.
  ///   - unit: The unit beside them.
  ///   - marks: The events of the days.
  public init(
    of silence: SilenceExplanation, on days: ClosedRange<Day>, label: String, unit: String,
    marks: [Mark] = []
  ) {
    func reading(_ day: Day) -> Reading {
      silence.silentDays[day].map { .value(Double($0)) } ?? .noRow
    }
    self.init(
      label: label, unit: unit, days: days, readings: days.map(reading),
      earlier: (days.lowerBound - 6...days.lowerBound - 1).map(reading),
      episodes: silence.episodes.filter { episode in
        episode.resolution.map { $0.day >= days.lowerBound } ?? true
      }.map { Span($0, .silence) },
      marks: marks)
  }
}
