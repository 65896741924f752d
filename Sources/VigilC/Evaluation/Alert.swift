import VigilDetection
import VigilModel

/// An episode with its ids, as a row of `pattern_alert_state` has them.
struct Alert {
  let id: UUID
  let metric: MetricType
  let pattern: PatternType
  let episode: Episode
  /// The alert that started the event in which this one is.
  private(set) var event: UUID

  /// - Parameters:
  ///   - episode: The episode.
  ///   - series: Its series.
  ///   - names: The beginning of the names behind the ids of the series.
  init(_ episode: Episode, of series: SeriesKey, names: NameStart) {
    self.episode = episode
    metric = series.metric
    pattern = series.pattern
    id = names.id(endingWith: episode.activeSince.description)
    event = id
  }

  /// Brings the alerts of one person into events (specification, evidence-person.md section 6).
  ///
  /// Silence is not what an illness does to several metrics of a body at once: such an alert stays alone.
  /// Nor are missed doses: alerts of daily adherence stay alone, too.
  static func findEvents(of alerts: inout [Alert]) {
    let members = alerts.indices.filter {
      alerts[$0].pattern != .silence && alerts[$0].metric != .doseAdherence
    }
    let entries = members.map { index in
      EventAlert(id: alerts[index].id, metric: alerts[index].metric, alerts[index].episode)
    }
    let order = entries.indices.sorted { EventAlert.opensBefore(entries[$0], entries[$1]) }
    let places = EventPlace.places(of: order.map { entries[$0] })
    for (index, place) in zip(order, places) { alerts[members[index]].event = place.event }
  }
}
