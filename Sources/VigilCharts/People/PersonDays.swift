public import VigilModel

/// The days of one person that charts are drawn from.
///
/// ```swift
/// guard let day = Day("2026-06-28") else { return }
/// let days = PersonDays(
///   days: day...day + 1, series: [MetricType("steps"): [.value(8_200), .noRow]])
/// print(days.series.count)  // 1
/// ```
public struct PersonDays: Hashable, Sendable {
  public let days: ClosedRange<Day>
  /// By metric, one reading for each day.
  public let series: [MetricType: [SeriesStrip.Reading]]
  /// Days with a workout.
  public let workouts: Set<Day>
  /// By metric, the first days of other devices.
  public let deviceChanges: [MetricType: [Day]]
  /// The share of the expected doses that was taken, one for each day.
  ///
  /// Nil on days without expected doses; empty for a person without medications.
  public let dosesTaken: [Double?]
  /// The doses of each medication, whose id is the label; empty for a person without medications.
  public let doses: [DoseLanes.Lane]

  public init(
    days: ClosedRange<Day>, series: [MetricType: [SeriesStrip.Reading]],
    workouts: Set<Day> = [], deviceChanges: [MetricType: [Day]] = [:], dosesTaken: [Double?] = [],
    doses: [DoseLanes.Lane] = []
  ) {
    self.days = days
    self.series = series
    self.workouts = workouts
    self.deviceChanges = deviceChanges
    self.dosesTaken = dosesTaken
    self.doses = doses
  }

  /// The reading of a day; days that are not known have no row.
  public func reading(of metric: MetricType, on day: Day) -> SeriesStrip.Reading {
    guard let readings = series[metric], days.contains(day) else { return .noRow }
    return readings[day - days.lowerBound]
  }

  /// The readings of some of the days; empty where the metric has none.
  public func readings(of metric: MetricType, on wanted: ClosedRange<Day>)
    -> [SeriesStrip.Reading]
  {
    guard let readings = series[metric], !days.clamped(to: wanted).isEmpty else { return [] }
    return wanted.map { days.contains($0) ? readings[$0 - days.lowerBound] : .noRow }
  }
}
