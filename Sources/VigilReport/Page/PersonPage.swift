import Foundation
import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel
import VigilStorage

/// The section of the page on one person.
struct PersonPage {
  private let person: UUID
  private let number: Int
  let details: PageContent.Person
  private let content: PageContent
  let names: PageNames
  private let alerts: [PatternAlertState]
  private let urgent: [PatternAlertState]

  init(
    _ person: UUID, number: Int, alerts: [PatternAlertState], details: PageContent.Person,
    content: PageContent, names: PageNames
  ) {
    self.person = person
    self.number = number
    self.details = details
    self.content = content
    self.names = names
    self.alerts = alerts
    urgent = AttentionSentence.ranked(alerts.filter(content.isUrgent))
  }

  var days: ClosedRange<Day> { content.days }

  var section: PageDocument.PersonSection {
    PageDocument.PersonSection(
      anchor: "person-\(number)", name: names.person(person),
      text: AttentionSentence(urgent, limits: content.limits).text,
      strips: events.flatMap(strips).enumerated().map { index, strip in
        PageDocument.Figure(strip, id: "strip-\(number)-\(index + 1)")
      },
      axis: axis?.drawing.inline(id: "axis-\(number)"), axisNote: axisNote,
      timeline: timeline?.drawing.inline(id: "states-\(number)"),
      score: scores?.drawing.inline(id: "score-\(number)"),
      calendar: calendar?.drawing.inline(id: "doses-\(number)"),
      lanes: lanes?.drawing.inline(id: "lanes-\(number)"),
      laneLegend: (lanes?.kinds ?? []).map {
        PageDocument.LegendEntry(symbol: $0.legendEntry, words: $0.words)
      },
      medications: medications, hasMedications: !medications.isEmpty)
  }

  // MARK: Strips

  /// The alerts of each event that goes on, several metrics together first; the event that needs most attention
  /// comes first.
  private var events: [[PatternAlertState]] {
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

  private var material: StripMaterial {
    StripMaterial(
      drawn: days, person: details.days, thresholds: content.thresholds,
      notifications: details.notifications, evaluated: content.evaluatedDays)
  }

  /// One strip of the event; a strip of each alert where they have no axis in common.
  private func strips(of event: [PatternAlertState]) -> [PageDocument.Strip] {
    guard event.count > 1 || event.contains(where: { $0.episode.combined != nil }),
      let stacked = StackedStrips(of: event, from: material, title: title(of: event))
    else { return event.compactMap(strip) }
    let level = event.map(\.episode.level).max() ?? .day3
    let sentences = event.map { $0.sentence(content.limits) }
    return [
      PageDocument.Strip(
        heading: title(of: event),
        note: sentences.joined(separator: ". ") + words(for: level)
          + ". In personal spreads from usual; up is worse.",
        drawing: stacked.drawing)
    ]
  }

  private func title(of event: [PatternAlertState]) -> String {
    (event.first?.series.metric.words ?? "").firstCapitalised
      + (event.count > 1 && event[0].episode.combined == nil
        ? " and " + event.dropFirst().map(\.series.metric.words).joined(separator: ", ") : "")
  }

  private func words(for level: AlertLevel) -> String {
    "; level \(level.rawValue), \(level.severity.rawValue)"
  }

  private func strip(of alert: PatternAlertState) -> PageDocument.Strip? {
    let metric = alert.series.metric
    let drawn = alert.episode.combined?.contributions.map(\.metric) ?? [metric]
    guard drawn.contains(where: { !details.days.readings(of: $0, on: days).isEmpty }) else {
      return nil
    }
    let drawing = alert.drawing(
      from: material, others: alerts.filter { $0.series == alert.series && $0.id != alert.id })
    let unit = alert.episode.combined == nil ? metric.unitBesideName : ""
    return PageDocument.Strip(
      heading: metric.words.firstCapitalised
        + (unit.isEmpty ? "" : ", \(unit)"),
      note: alert.sentence(content.limits) + words(for: alert.episode.level),
      drawing: drawing)
  }

  // MARK: All metrics

  /// The metrics that have a value in the days of the page, by their names.
  private var metrics: [MetricType] {
    details.days.series.keys
      .filter { metric in
        details.days.readings(of: metric, on: days).contains { $0.value != nil }
      }
      .sorted { $0.words < $1.words }
  }

  private var axis: DeviationAxis? {
    let rows = metrics.map { metric in
      let own = urgent.filter { $0.metrics.contains(metric) }
      let unit = metric.unit.isEmpty ? "" : " \(metric.unit)"
      func values(_ recent: Double, _ usual: Double) -> String {
        "\(NumberText.value(recent))\(unit), usual \(NumberText.value(usual))"
      }
      if isByEvidence(metric) {
        let standing = details.standings[metric]
        return DeviationAxis.Row(
          label: metric.words, spreads: standing?.shift, isBad: !own.isEmpty,
          text: standing.map { standing in
            values(standing.recent, standing.usual)
              + (standing.strongest.map {
                "; z \(NumberText.decimals($0.z)) of \(NumberText.decimals($0.threshold))"
              } ?? "")
          } ?? "too few values")
      }
      let level = UsualLevel(
        details.days.readings(
          of: metric, on: details.days.days.lowerBound...days.upperBound),
        to: days.upperBound, before: own.map(\.episode.activeSince).min())
      let isDropBad = pattern(of: metric) == .drop
      return DeviationAxis.Row(
        label: metric.words, spreads: level?.spreads.map { isDropBad ? -$0 : $0 },
        isBad: !own.isEmpty, text: level.map { values($0.recent, $0.usual) } ?? "too few values")
    }
    return rows.isEmpty ? nil : DeviationAxis(rows: rows)
  }

  private var axisNote: String {
    metrics.contains(where: isByEvidence)
      ? "mean distance from usual, in personal spreads; z: the evidence for a change, and what an alert needs"
      : "distance from the 28 days before, in personal spreads"
  }

  private func isByEvidence(_ metric: MetricType) -> Bool {
    content.thresholds?.metrics.contains { $0.metric == metric && $0.evidence != nil } ?? false
  }

  private func pattern(of metric: MetricType) -> PatternType {
    content.thresholds?.metrics.first { $0.metric == metric }?.pattern ?? .drop
  }

  private var timeline: StateTimeline? {
    let metrics = metrics
    guard !metrics.isEmpty else { return nil }
    return StateTimeline(
      days: days,
      rows: metrics.map { metric in
        let spans = alerts.filter { $0.metrics.contains(metric) }
          .map { SeriesStrip.Span($0.episode, $0.series.pattern) }
        let readings = details.days.readings(of: metric, on: days)
        return StateTimeline.Row(
          label: metric.words,
          states: zip(days, readings).map { day, reading in
            if let level = spans.compactMap({ $0.level(on: day) }).max() { return .alert(level) }
            return switch reading {
            case .value: .calm
            case .notWorn: .notWorn
            case .noRow, .noValue, .partWorn, .implausible: .unknown
            }
          })
      })
  }
}
