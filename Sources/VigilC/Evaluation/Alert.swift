import VigilDetection
import VigilModel
import VigilPipeline

/// An episode of a series, as a row of `pattern_alert_state` has it.
struct Alert {
  let series: SeriesKey
  let episode: Episode
  /// The place, among the alerts of the person, of the one that started the event in which this one is; nil for
  /// itself.
  private(set) var start: Int?

  private let names: NameStart

  var metric: MetricType { series.metric }
  var pattern: PatternType { series.pattern }

  /// The id of the alert, which is hashed each time.
  var id: UUID { names.id(endingWith: episode.activeSince.description) }

  /// - Parameters:
  ///   - episode: The episode.
  ///   - series: Its series.
  ///   - names: The beginning of the names behind the ids of the series.
  init(_ episode: Episode, of series: SeriesKey, names: NameStart) {
    self.episode = episode
    self.series = series
    self.names = names
  }

  /// Brings the alerts of one person into events (specification, evidence-person.md section 6).
  static func findEvents(of alerts: inout [Alert]) {
    let entries = alerts.indices.filter { alerts[$0].series.canBeOfEvent }.map { index in
      EventAlert(id: index, metric: alerts[index].metric, alerts[index].episode)
    }
    for (index, membership) in EventMembership.byOpening(of: entries) {
      alerts[entries[index].id].start = membership.event
    }
  }
}
