import VigilDetection
import VigilModel
import VigilPipeline

/// An episode with its ids, as a row of `pattern_alert_state` has them.
struct Alert {
  let id: UUID
  let series: SeriesKey
  let episode: Episode
  /// The alert that started the event in which this one is.
  private(set) var event: UUID

  var metric: MetricType { series.metric }
  var pattern: PatternType { series.pattern }

  /// - Parameters:
  ///   - episode: The episode.
  ///   - series: Its series.
  ///   - names: The beginning of the names behind the ids of the series.
  init(_ episode: Episode, of series: SeriesKey, names: NameStart) {
    self.episode = episode
    self.series = series
    id = names.id(endingWith: episode.activeSince.description)
    event = id
  }

  /// Brings the alerts of one person into events (specification, evidence-person.md section 6).
  static func findEvents(of alerts: inout [Alert]) {
    let members = alerts.indices.filter { alerts[$0].series.canBeOfEvent }
    let entries = members.map { index in
      EventAlert(id: alerts[index].id, metric: alerts[index].metric, alerts[index].episode)
    }
    let order = entries.indices.sorted { EventAlert.opensBefore(entries[$0], entries[$1]) }
    let memberships = EventMembership.memberships(of: order.map { entries[$0] })
    for (index, membership) in zip(order, memberships) {
      alerts[members[index]].event = membership.event
    }
  }
}
