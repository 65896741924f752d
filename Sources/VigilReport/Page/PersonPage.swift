import Foundation
import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel
import VigilStorage
import VigilWords

/// The section of the page on one person.
struct PersonPage {
  let person: UUID
  let number: Int
  let details: PageContent.Person
  let content: PageContent
  let names: PageNames
  let words: PageWords
  let alerts: [PatternAlertState]
  let urgent: [PatternAlertState]
  /// The lines that are said and drawn, the most important one first.
  let lines: [AlertLine]

  init(
    _ person: UUID, number: Int, alerts: [PatternAlertState], details: PageContent.Person,
    content: PageContent, names: PageNames, words: PageWords
  ) {
    self.person = person
    self.number = number
    self.details = details
    self.content = content
    self.names = names
    self.words = words
    self.alerts = alerts
    urgent = alerts.filter(content.isUrgent).ranked
    let lines = AlertLine.all(
      of: urgent, on: content.days.upperBound, in: details.days, courses: content.courses,
      limits: content.limits, thresholds: content.thresholds, personLimits: details.limits)
    // Whatever their levels, alerts that go on come before those that ease, and first those without a usual value yet.
    self.lines = [(true, false), (true, true), (false, false), (false, true)].flatMap {
      isGoing, isCalm in
      lines.filter { ($0.state == .going, $0.calm != nil) == (isGoing, isCalm) }
    }
  }

  var days: ClosedRange<Day> { content.days }

  /// The line of the list at the top of the page.
  var entry: PageDocument.Entry {
    PageDocument.Entry(
      anchor: anchor, name: names.person(person), text: text,
      badge: lines.first?.badge(words) ?? "", severity: lines.first?.badgeStyle ?? "",
      arrow: lines.first?.arrow ?? "",
      sparkline: lines.first.map { Sparkline(strip(of: $0)).svg } ?? "")
  }

  private var anchor: String { "person-\(number)" }

  /// The sentence of the first line, and further metrics that are not near usual, with their values where their alerts
  /// go on.
  private var text: String {
    guard let first = lines.first else { return "" }
    var named: Set<MetricType> = [first.metric]
    let others = lines.dropFirst().filter { !$0.isNearUsual && named.insert($0.metric).inserted }
    let also =
      others.isEmpty
      ? ""
      : " " + words.text(.also, ["metrics": others.map { $0.short(words) }.joined(separator: ", ")])
    return sentence(of: first) + also
  }

  func sentence(of line: AlertLine) -> String {
    line.sentence(words, medication: line.alert.series.medication.map(name(ofMedication:)) ?? "")
  }

  func name(ofMedication id: UUID) -> String {
    names.medication(id, number: (medicationIDs.firstIndex(of: id) ?? medicationIDs.count) + 1)
  }

  var section: PageDocument.PersonSection {
    let first = entry
    return PageDocument.PersonSection(
      anchor: anchor, name: first.name, text: textWithoutChart, badge: first.badge,
      severity: first.severity, lines: figures,
      earlier: earlier, hasEarlier: !earlier.isEmpty,
      calendar: calendar?.drawing.inline(id: "doses-\(number)"),
      calendarLegend: legend(of: calendar?.kinds),
      lanes: lanes?.drawing.inline(id: "lanes-\(number)"),
      laneNote: doseText, laneLegend: legend(of: lanes?.kinds),
      medications: medications, hasMedications: !medications.isEmpty, levels: levels,
      strips: events.compactMap(spreads).enumerated().map { index, strip in
        PageDocument.Figure(strip, id: "spreads-\(number)-\(index + 1)")
      },
      axis: axis?.drawing.inline(id: "axis-\(number)"), axisNote: axisNote,
      timeline: timeline?.drawing.inline(id: "states-\(number)"),
      score: scores?.drawing.inline(id: "score-\(number)"))
  }

  /// The sentences that stand beside no chart.
  var textWithoutChart: String {
    lines.filter { figure(of: $0) == nil && !(isOfDoses($0) && lanes != nil) }.map(sentence)
      .joined(separator: " ")
  }

  private func legend(of kinds: [DoseLanes.Mark]?) -> [PageDocument.LegendEntry] {
    (kinds ?? []).map {
      PageDocument.LegendEntry(
        symbol: $0.legendEntry, words: words.label("dose_\($0.rawValue)"))
    }
  }
}
