public import Foundation
public import VigilCharts
public import VigilModel
public import VigilStorage

extension PatternAlertState {
  /// The strip of the alert's series.
  ///
  /// - Parameters:
  ///   - drawn: The days that are drawn.
  ///   - person: The days of the alert's person, six more before the first one for its mean.
  ///   - others: Earlier alerts of the same series.
  ///   - bands: By alert id, the usual range of single days.
  ///   - notifications: Rows of the queue; those of other alerts are ignored.
  ///   - evaluated: By run, its last evaluated day.
  public func strip(
    on drawn: ClosedRange<Day>, of person: PersonDays, others: [PatternAlertState] = [],
    bands: [UUID: ClosedRange<Double>] = [:], notifications: [QueuedNotification],
    evaluated: [UUID: Day]
  ) -> SeriesStrip {
    let metric = series.metric
    let earlier = drawn.lowerBound - 6...drawn.lowerBound - 1
    let readings = person.readings(of: metric, on: drawn)
    return SeriesStrip(
      label: metric.words, unit: metric.unitBesideName, days: drawn,
      readings: readings.isEmpty ? drawn.map { _ in .noRow } : readings,
      earlier: person.readings(of: metric, on: earlier), workouts: person.workouts,
      episodes: (others + [self]).map {
        SeriesStrip.Span($0.episode, $0.series.pattern, band: bands[$0.id])
      }
      .sorted { $0.activeSince < $1.activeSince },
      marks: (person.deviceChanges[metric] ?? []).map { SeriesStrip.Mark(.deviceChange, on: $0) }
        + notifications.filter { $0.alertStateID == id }.marks(evaluated))
  }
}
