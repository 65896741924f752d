import Foundation
import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel
import VigilStorage
import VigilWords

/// The section of the page on one person.
struct PersonPage {
  private let person: UUID
  private let number: Int
  let details: PageContent.Person
  private let content: PageContent
  let names: PageNames
  let words: PageWords
  private let alerts: [PatternAlertState]
  private let urgent: [PatternAlertState]
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
      limits: content.limits)
    // Alerts that go on come before those that ease, whatever their levels.
    self.lines = lines.filter { $0.state == .going } + lines.filter { $0.state != .going }
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

  /// The sentence of the first line, and the names of further metrics.
  private var text: String {
    guard let first = lines.first else { return "" }
    var named: Set<MetricType> = [first.metric]
    let others = lines.dropFirst().map(\.metric).filter { named.insert($0).inserted }
    let also =
      others.isEmpty
      ? ""
      : " "
        + words.text(
          .also, ["metrics": others.map(words.words.name).joined(separator: ", ")])
    return sentence(of: first) + also
  }

  private func sentence(of line: AlertLine) -> String {
    line.sentence(words, medication: line.alert.series.medication.map(name(ofMedication:)) ?? "")
  }

  private func name(ofMedication id: UUID) -> String {
    names.medication(id, number: (medicationIDs.firstIndex(of: id) ?? medicationIDs.count) + 1)
  }

  var section: PageDocument.PersonSection {
    let first = entry
    return PageDocument.PersonSection(
      anchor: anchor, name: first.name, text: textWithoutChart, badge: first.badge,
      severity: first.severity, lines: figures,
      earlier: earlier, hasEarlier: !earlier.isEmpty,
      calendar: calendar?.drawing.inline(id: "doses-\(number)"),
      lanes: lanes?.drawing.inline(id: "lanes-\(number)"),
      laneNote: doseText, laneLegend: laneLegend,
      medications: medications, hasMedications: !medications.isEmpty,
      strips: events.compactMap(spreads).enumerated().map { index, strip in
        PageDocument.Figure(strip, id: "spreads-\(number)-\(index + 1)")
      },
      axis: axis?.drawing.inline(id: "axis-\(number)"), axisNote: axisNote,
      timeline: timeline?.drawing.inline(id: "states-\(number)"),
      score: scores?.drawing.inline(id: "score-\(number)"))
  }

  /// The sentences that stand beside no chart.
  private var textWithoutChart: String {
    lines.filter { figure(of: $0) == nil && !(isOfDoses($0) && lanes != nil) }.map(sentence)
      .joined(separator: " ")
  }

  private var laneLegend: [PageDocument.LegendEntry] {
    (lanes?.kinds ?? []).map {
      PageDocument.LegendEntry(
        symbol: $0.legendEntry, words: words.label("dose_\($0.rawValue)"))
    }
  }

  // MARK: What the sentences name

  /// A chart of each metric in its own unit; doses are drawn as what they are.
  private var figures: [PageDocument.Figure] {
    lines.enumerated().compactMap { index, line in
      figure(of: line).map { PageDocument.Figure($0, id: "strip-\(number)-\(index + 1)") }
    }
  }

  private func figure(of line: AlertLine) -> PageDocument.Strip? {
    // Doses have their lanes, and a medication without lanes has no chart.
    if isOfDoses(line), lanes != nil || line.alert.series.medication != nil { return nil }
    guard line.alert.series.pattern != .silence else { return nil }
    let strip = strip(of: line)
    guard !strip.values.isEmpty else { return nil }
    let title = words.words.title(of: line.metric)
    return PageDocument.Strip(
      heading: strip.unit.isEmpty ? title : "\(title), \(strip.unit)",
      note: sentence(of: line), figures: line.figuresText(strip, words), drawing: strip.drawing)
  }

  var language: ChartLanguage {
    words.ofCharts
  }

  private func isOfDoses(_ line: AlertLine) -> Bool {
    line.alert.series.medication != nil || line.metric == .doseAdherence
  }

  /// The strip of a line, with the days of its alert alone.
  private func strip(of line: AlertLine) -> SeriesStrip {
    let contribution = line.alert.episode.combined?.contributions.first { $0.metric == line.metric }
    var strip =
      contribution.map { line.alert.strip(of: $0, from: material) }
      ?? line.alert.strip(from: material)
    strip.label = words.words.title(of: line.metric)
    strip.unit = words.unitBesideName(of: line.metric)
    strip.recent = line.recent
    strip.language = language
    return strip
  }

  /// The sentences of alerts of these days that are over, the newest first.
  private var earlier: [String] {
    let over = alerts.filter { !$0.episode.isActive && $0.series.pattern != .silence }
      .sorted {
        ($1.episode.lastEvaluated, $0.series) < ($0.episode.lastEvaluated, $1.series)
      }
    return AlertLine.all(
      of: over, on: days.upperBound, in: details.days, courses: [:], limits: content.limits
    ).prefix(Self.mostEarlier).map(sentence)
  }

  /// Alerts that are over are the past: a few of them are enough.
  private static let mostEarlier = 6

  /// The spans of alerts of doses, which the lanes are shaded with.
  var doseSpans: [SeriesStrip.Span] {
    urgent.filter { $0.series.metric == .doseAdherence || $0.series.medication != nil }
      .map { SeriesStrip.Span($0.episode, $0.series.pattern) }
  }

  /// The sentences of alerts of doses, beside the lanes.
  var doseText: String {
    lines.filter(isOfDoses).map(sentence).joined(separator: " ")
  }

  private var material: StripMaterial {
    StripMaterial(
      drawn: days, person: details.days, thresholds: content.thresholds,
      notifications: details.notifications, evaluated: content.evaluatedDays)
  }

  // MARK: For analysts

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

  /// The metrics of an event in personal spreads; nil where they have no axis in common.
  private func spreads(of event: [PatternAlertState]) -> PageDocument.Strip? {
    let title = title(of: event)
    guard
      let stacked = StackedStrips(of: event, from: material, title: title, in: words)
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

  // MARK: All metrics

  /// The metrics that have a value in the days of the page, by their names.
  private var metrics: [MetricType] {
    details.days.series.keys
      .filter { metric in
        details.days.readings(of: metric, on: days).contains { $0.value != nil }
      }
      .sorted { words.words.name(of: $0) < words.words.name(of: $1) }
  }

  private var axis: DeviationAxis? {
    let rows = metrics.map { metric in
      let own = urgent.filter { $0.metrics.contains(metric) }
      let name = words.words.name(of: metric)
      func values(_ recent: Double, _ usual: Double) -> String {
        words.text(
          .besideUsual, ["value": words.value(recent, of: metric), "usual": words.number(usual)])
      }
      if isByEvidence(metric) {
        let standing = details.standings[metric]
        return DeviationAxis.Row(
          label: name, spreads: standing?.shift, isBad: !own.isEmpty,
          text: standing.map { standing in
            let text = values(standing.recent, standing.usual)
            guard let strongest = standing.strongest else { return text }
            return words.text(
              .withZ,
              [
                "text": text, "z": words.decimals(strongest.z),
                "needed": words.decimals(strongest.threshold),
              ])
          } ?? words.label("too_few_values"))
      }
      let level = UsualLevel(
        details.days.readings(
          of: metric, on: details.days.days.lowerBound...days.upperBound),
        to: days.upperBound, before: own.map(\.episode.activeSince).min())
      let isDropBad = pattern(of: metric) == .drop
      return DeviationAxis.Row(
        label: name, spreads: level?.spreads.map { isDropBad ? -$0 : $0 }, isBad: !own.isEmpty,
        text: level.map { values($0.recent, $0.usual) } ?? words.label("too_few_values"))
    }
    guard !rows.isEmpty else { return nil }
    var axis = DeviationAxis(rows: rows)
    axis.language = language
    return axis
  }

  private var axisNote: String {
    words.label(metrics.contains(where: isByEvidence) ? "axis_evidence_note" : "axis_note")
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
    var timeline = StateTimeline(
      days: days,
      rows: metrics.map { metric in
        let spans = alerts.filter { $0.metrics.contains(metric) }
          .map { SeriesStrip.Span($0.episode, $0.series.pattern) }
        let readings = details.days.readings(of: metric, on: days)
        return StateTimeline.Row(
          label: words.words.name(of: metric),
          states: zip(days, readings).map { day, reading in
            if let level = spans.compactMap({ $0.level(on: day) }).max() { return .alert(level) }
            return switch reading {
            case .value: .calm
            case .notWorn: .notWorn
            case .noRow, .noValue, .partWorn, .implausible: .unknown
            }
          })
      })
    timeline.language = language
    return timeline
  }
}
