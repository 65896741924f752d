import Foundation
import VigilAdherence
import VigilCharts
import VigilModel
import VigilStorage

/// The section of the page on one person.
struct PersonPage {
  private let person: UUID
  private let number: Int
  private let details: PageContent.Person
  private let content: PageContent
  private let names: PageNames
  private let alerts: [PatternAlertState]

  init(
    _ person: UUID, number: Int, details: PageContent.Person, content: PageContent,
    names: PageNames
  ) {
    self.person = person
    self.number = number
    self.details = details
    self.content = content
    self.names = names
    alerts = content.alerts.filter { $0.series.user == person }
  }

  private var days: ClosedRange<Day> { content.days }
  private var urgent: [PatternAlertState] {
    AttentionSentence.ranked(content.urgentAlerts.filter { $0.series.user == person })
  }

  var section: PageDocument.PersonSection {
    PageDocument.PersonSection(
      anchor: "person-\(number)", name: names.person(person),
      text: AttentionSentence(urgent).text,
      strips: urgent.enumerated().compactMap { index, alert in strip(of: alert, index) },
      axis: axis?.drawing.inline(id: "axis-\(number)"),
      timeline: timeline?.drawing.inline(id: "states-\(number)"),
      score: scores?.drawing.inline(id: "score-\(number)"), scoreNote: scoreNote,
      calendar: calendar?.drawing.inline(id: "doses-\(number)"), medications: medications,
      hasMedications: !medications.isEmpty)
  }

  // MARK: Strips

  private func strip(of alert: PatternAlertState, _ index: Int) -> PageDocument.Strip? {
    let metric = alert.series.metric
    let drawn = alert.episode.combined?.contributions.map(\.metric) ?? [metric]
    guard drawn.contains(where: { !details.days.readings(of: $0, on: days).isEmpty }) else {
      return nil
    }
    let drawing = alert.drawing(
      on: days, of: details.days,
      others: alerts.filter { $0.series == alert.series && $0.id != alert.id },
      bands: content.bands, notifications: details.notifications,
      evaluated: content.evaluatedDays)
    let level = alert.episode.level
    let unit = alert.episode.combined == nil ? metric.unitBesideName : ""
    return PageDocument.Strip(
      heading: metric.words.firstCapitalised
        + (unit.isEmpty ? "" : ", \(unit)"),
      note: (alert.episode.combined.map { "\($0.metricsInWords.firstCapitalised) " } ?? "")
        + AttentionSentence.change(of: alert) + "; level \(level.rawValue), "
        + "\(level.severity.rawValue)",
      svg: drawing.inline(id: "strip-\(number)-\(index + 1)"))
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
      let own = urgent.filter { $0.series.metric == metric }
      let level = UsualLevel(
        details.days.readings(
          of: metric, on: details.days.days.lowerBound...days.upperBound),
        to: days.upperBound, before: own.map(\.episode.activeSince).min())
      let unit = metric.unit.isEmpty ? "" : " \(metric.unit)"
      return DeviationAxis.Row(
        label: metric.words, spreads: level?.spreads, isBad: !own.isEmpty,
        text: level.map {
          "\(NumberText.value($0.recent))\(unit), usual \(NumberText.value($0.usual))"
        } ?? "too few values")
    }
    return rows.isEmpty ? nil : DeviationAxis(rows: rows)
  }

  private var timeline: StateTimeline? {
    let metrics = metrics
    guard !metrics.isEmpty else { return nil }
    return StateTimeline(
      days: days,
      rows: metrics.map { metric in
        let spans = alerts.filter { $0.series.metric == metric }
          .map { SeriesStrip.Span($0.episode, $0.series.pattern) }
        let readings = details.days.readings(of: metric, on: days)
        return StateTimeline.Row(
          label: metric.words,
          states: zip(days, readings).map { day, reading in
            if let level = spans.compactMap({ $0.level(on: day) }).max() { return .alert(level) }
            return switch reading {
            case .value: .calm
            case .notWorn: .notWorn
            case .noRow, .noValue, .implausible: .unknown
            }
          })
      })
  }

  // MARK: Scores and doses

  private var scores: SeriesStrip? {
    let totals = Dictionary(
      details.scores.compactMap { row in row.total.map { (row.day, Double($0)) } },
      uniquingKeysWith: { $1 })
    guard totals.keys.contains(where: days.contains) else { return nil }
    func readings(_ days: ClosedRange<Day>) -> [SeriesStrip.Reading] {
      days.map { totals[$0].map { .value($0) } ?? .noRow }
    }
    return SeriesStrip(
      label: "vitality score", unit: "", days: days, readings: readings(days),
      earlier: readings(days.lowerBound - 6...days.lowerBound - 1))
  }

  private var scoreNote: String? {
    guard scores != nil else { return nil }
    let trends = details.insights.filter { Pillar.scored.contains($0.pillar) }
      .map { "\($0.pillar.rawValue) \($0.rule.pageWords)" }
    guard !trends.isEmpty else { return "0 to 100; no trend that calls for attention" }
    return "0 to 100; " + Set(trends).sorted().joined(separator: ", ")
  }

  private var calendar: AdherenceCalendar? {
    let doses = details.days
    guard !doses.dosesTaken.isEmpty else { return nil }
    let taken = days.map { day in
      doses.days.contains(day) ? doses.dosesTaken[day - doses.days.lowerBound] : nil
    }
    guard taken.contains(where: { $0 != nil }) else { return nil }
    return AdherenceCalendar(days: days, taken: taken)
  }

  private var medications: [PageDocument.Medication] {
    details.doses.compactMap { row in row.analytics.medication.map { ($0, row.analytics.measures) }
    }
    .sorted { $0.0 < $1.0 }
    .enumerated()
    .map { index, row in
      PageDocument.Medication(
        name: names.medication(row.0, number: index + 1),
        taken: NumberText.count(row.1.takenDoses),
        expected: NumberText.count(row.1.expectedDoses),
        rate: row.1.takingAdherence.map { NumberText.value($0 * 100) + " %" } ?? "–")
    }
  }
}

extension TrendRule {
  /// The rule in words that follow a pillar's name.
  fileprivate var pageWords: String {
    switch self {
    case .lowStreak: "low for several days"
    case .dropVsBaseline: "lower than before"
    case .rebound: "back up"
    case .decliningTrend: "falling"
    case .improvingTrend: "rising"
    case .missedStreak: "doses missed in a row"
    case .concurrentEpisodes: "at the same time as another change"
    }
  }
}
