public import Foundation
public import VigilCharts
public import VigilModel
public import VigilStorage

extension PatternAlertState {
  /// The strip of the alert's series; of an alert of several metrics, that of each contributing one.
  ///
  /// - Parameters:
  ///   - drawn: The days that are drawn.
  ///   - person: The days of the alert's person, six more before the first one for its mean.
  ///   - others: Earlier alerts of the same series.
  ///   - bands: By alert id, the usual range of single days.
  ///   - notifications: Rows of the queue; those of other alerts are ignored.
  ///   - evaluated: By run, its last evaluated day.
  public func drawing(
    on drawn: ClosedRange<Day>, of person: PersonDays, others: [PatternAlertState] = [],
    bands: [UUID: ClosedRange<Double>] = [:], notifications: [QueuedNotification],
    evaluated: [UUID: Day]
  ) -> Drawing {
    guard let combined = episode.combined else {
      return strip(
        on: drawn, of: person, others: others, bands: bands, notifications: notifications,
        evaluated: evaluated
      ).drawing
    }
    let marks = notifications.filter { $0.alertStateID == id }.marks(evaluated)
    let strips = combined.contributions.map { contribution in
      person.strip(
        of: contribution.metric, on: drawn, episodes: [.init(episode, contribution)],
        marks: contribution == combined.contributions.first ? marks : [])
    }
    return Drawing(stacking: strips.map(\.drawing), title: series.metric.words)
  }

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
    person.strip(
      of: series.metric, on: drawn,
      episodes: (others + [self]).map {
        SeriesStrip.Span($0.episode, $0.series.pattern, band: bands[$0.id])
      }
      .sorted { $0.activeSince < $1.activeSince },
      marks: notifications.filter { $0.alertStateID == id }.marks(evaluated))
  }
}

extension PersonDays {
  /// The strip of one metric.
  fileprivate func strip(
    of metric: MetricType, on drawn: ClosedRange<Day>, episodes: [SeriesStrip.Span],
    marks: [SeriesStrip.Mark]
  ) -> SeriesStrip {
    let earlier = drawn.lowerBound - 6...drawn.lowerBound - 1
    let readings = readings(of: metric, on: drawn)
    return SeriesStrip(
      label: metric.words, unit: metric.unitBesideName, days: drawn,
      readings: readings.isEmpty ? drawn.map { _ in .noRow } : readings,
      earlier: self.readings(of: metric, on: earlier), workouts: workouts, episodes: episodes,
      marks: (deviceChanges[metric] ?? []).map { SeriesStrip.Mark(.deviceChange, on: $0) } + marks)
  }
}
