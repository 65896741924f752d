import Foundation
import VigilCharts
import VigilModel
import VigilStorage
import VigilWords

/// The events of the person in personal spreads, for analysts.
extension PersonPage {
  /// The alerts of each event that goes on, several metrics together first; the event that needs most attention
  /// comes first.
  var events: [[PatternAlertState]] {
    var places: [UUID: Int] = [:]
    var events: [[PatternAlertState]] = []
    for alert in urgent {
      if let place = places[alert.eventID] {
        events[place].append(alert)
      } else {
        places[alert.eventID] = events.count
        events.append([alert])
      }
    }
    return events.map { alerts in
      alerts.filter { $0.episode.combined != nil } + alerts.filter { $0.episode.combined == nil }
    }
  }

  /// The levels and severities of the alerts that go on or ease, which the badge does not shout.
  var levels: String {
    urgent.map { alert in
      let metrics = words.words.list(of: alert.metrics)
      return words.text(
        .levelOf,
        [
          "metric": alert.series.medication.map { "\(name(ofMedication: $0)): \(metrics)" }
            ?? metrics,
          "level": alert.episode.level.rawValue, "severity": words.label(alert.severity.rawValue),
        ])
    }.joined(separator: " ")
  }

  /// The metrics of an event in personal spreads; nil where they have no axis in common.
  func spreads(of event: [PatternAlertState]) -> PageDocument.Strip? {
    let title = title(of: event)
    guard
      // Alerts of one metric open with values of other days; the charts above say which.
      let stacked = StackedStrips(of: event, from: material, title: title, in: words)?
        .withoutNotes
    else { return nil }
    let evidence = event.compactMap { alert -> String? in
      guard let opening = alert.episode.opening, let z = opening.evidence else { return nil }
      return words.text(
        .openedWith,
        [
          "metric": words.words.list(of: alert.metrics),
          "day": words.date(opening.openedOn, in: days.upperBound), "z": words.decimals(z),
          "needed": words.decimals(opening.threshold),
        ])
    }
    return PageDocument.Strip(
      heading: title, note: (evidence + [words.label("spreads_note")]).joined(separator: " "),
      figures: "", drawing: stacked.drawing)
  }

  /// The metrics of an event, each once.
  private func title(of event: [PatternAlertState]) -> String {
    var named: Set<MetricType> = []
    return words.words.list(of: event.flatMap(\.metrics).filter { named.insert($0).inserted })
  }
}
