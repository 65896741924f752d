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
  public func strip(
    on drawn: ClosedRange<Day>, of person: PersonDays, others: [PatternAlertState] = [],
    bands: [UUID: ClosedRange<Double>] = [:], notifications: [QueuedNotification]
  ) -> SeriesStrip {
    let metric = series.metric
    var marks = (person.deviceChanges[metric] ?? []).map { SeriesStrip.Mark(.deviceChange, on: $0) }
    let rows = notifications.filter { $0.alertStateID == id }
    // One mark a day: channels and recipients of one evening are one event.
    for kind in [SeriesStrip.Mark.Kind.sent, .withheld] {
      let days = rows.filter { $0.mark == kind }.map(\.createdAt.utcDay)
      marks += Set(days).sorted().map { SeriesStrip.Mark(kind, on: $0) }
    }
    let earlier = drawn.lowerBound - 6...drawn.lowerBound - 1
    let readings = person.readings(of: metric, on: drawn)
    return SeriesStrip(
      label: metric.words, unit: metric.unit, days: drawn,
      readings: readings.isEmpty ? drawn.map { _ in .noRow } : readings,
      earlier: person.readings(of: metric, on: earlier), workouts: person.workouts,
      episodes: (others + [self]).map { SeriesStrip.Span($0, band: bands[$0.id]) }
        .sorted { $0.activeSince < $1.activeSince },
      marks: marks)
  }
}

extension QueuedNotification {
  /// Whether it was sent, or still is to be sent, or is withheld.
  fileprivate var mark: SeriesStrip.Mark.Kind {
    switch status {
    case .pending, .processing, .sent: .sent
    case .failed, .cancelled, .skipped: .withheld
    }
  }
}

extension Timestamp {
  /// The date in UTC.
  fileprivate var utcDay: Day { Day(String(description.prefix(10))) ?? Day(ordinal: 0) }
}
