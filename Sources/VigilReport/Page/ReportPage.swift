import Foundation
import Mustache
import VigilAnalysis
import VigilCharts
import VigilModel
import VigilStorage

/// One self-contained page on the persons of a database: no script, no network.
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let page = ReportPage(
///   PageContent(days: day - 59...day, today: day + 1, persons: 12, alerts: []))
/// print(try page.html().hasPrefix("<!doctype html>"))  // true
/// ```
public struct ReportPage: Sendable {
  public let content: PageContent
  /// Whether ids of persons and medications are replaced by pseudonyms of this page.
  public let isPseudonymous: Bool
  /// Whether the page is for others: no details of a person, and counts that reveal no few people.
  public let isShared: Bool

  /// A page for others on fewer people shows no count.
  public static let smallestShared = SharedTotals.fewest

  public init(_ content: PageContent, isPseudonymous: Bool = false, isShared: Bool = false) {
    self.content = content
    self.isPseudonymous = isPseudonymous
    self.isShared = isShared
  }

  /// The page; its bytes depend on the content only.
  ///
  /// - Throws: An error of the templates, which a build of Vigil cannot have.
  public func html() throws -> String {
    let page = try MustacheTemplate(
      string: PackageResources.page_mustache)
    let person = try MustacheTemplate(
      string: PackageResources.person_mustache)
    let library = MustacheLibrary(templates: ["page": page, "person": person])
    return page.render(document, library: library)
  }

  private var names: PageNames {
    PageNames(
      isPseudonymous: isPseudonymous || isShared, externalIDs: content.externalIDs,
      order: content.peopleByAttention)
  }

  private var document: PageDocument {
    let urgent = content.peopleByAttention
    let shown = isShared ? [] : urgent.filter { content.people[$0] != nil }
    let names = names
    let alerts = Dictionary(grouping: content.alerts, by: \.series.user)
    let sections = shown.enumerated().compactMap { index, person in
      content.people[person].map { details in
        PersonPage(
          person, number: index + 1, alerts: alerts[person] ?? [], details: details,
          content: content, names: names
        ).section
      }
    }
    let sentences = shown.enumerated().map { index, person -> PageDocument.Sentence in
      let urgent = AttentionSentence.ranked((alerts[person] ?? []).filter(content.isUrgent))
      return PageDocument.Sentence(
        anchor: "person-\(index + 1)", name: names.person(person),
        text: AttentionSentence(urgent, limits: content.limits).text,
        level: (urgent.first?.episode.level ?? .day3).rawValue,
        severity: (urgent.first?.severity ?? .watch).rawValue)
    }
    let rest = urgent.count - sentences.count
    let last = content.days.upperBound
    return PageDocument(
      style: ChartStyle.css + "\n" + PackageResources.page_css,
      title: "Vigil, \(last)", period: "\(content.days.lowerBound) to \(last)",
      summary: summary,
      isShared: isShared, sentences: sentences, hasSentences: !sentences.isEmpty,
      morePeople: !isShared && rest > 0
        ? "\(NumberText.count(rest, "more person", "more people")) in the table of all alerts below."
        : nil,
      legend: ChartSymbol.allCases.map {
        PageDocument.LegendEntry(symbol: $0.legendEntry, words: $0.words)
      },
      people: sections, hasPeople: !sections.isEmpty, totals: totals, hasTotals: !totals.isEmpty,
      totalsNote: isShared ? Self.sharedNote : nil, silences: silences,
      hasSilences: !silences.isEmpty || leftNote != nil, leftNote: leftNote,
      run: runPairs, changes: changes, hasChanges: !changes.isEmpty,
      comparison: isShared ? nil : comparison)
  }

  private var silences: [PageDocument.Silence] {
    guard !isShared else { return [] }
    return content.silences.map { alert in
      PageDocument.Silence(
        name: names.person(alert.series.user), lastSign: alert.lastSign.description,
        days: NumberText.count(alert.episode.duration),
        longestPause: alert.episode.silence.map { NumberText.count($0.longestPause) } ?? "–")
    }
  }

  private var leftNote: String? { isShared ? nil : SilenceTable.note(left: content.left) }

  private static let sharedNote =
    "Counts are rounded down or up to a multiple of 5, at random. A count that would reveal few people, or from which"
    + " such a count would follow, is left out, and so is a metric without a count."

  private var summary: String {
    guard isShared else {
      return
        "\(NumberText.count(content.peopleByAttention.count)) of \(NumberText.count(content.persons))"
        + " people need attention."
    }
    let totals = sharedTotals
    guard let persons = totals.persons else { return "Too few people for a page for others." }
    guard let inNeed = totals.inNeed else {
      return "How many of about \(NumberText.count(persons)) people need attention is not shown."
    }
    return
      "About \(NumberText.count(inNeed)) of about \(NumberText.count(persons)) people need attention."
  }

  private var sharedTotals: SharedTotals {
    SharedTotals(
      persons: content.persons, inNeed: content.peopleByAttention.count,
      byMetric: Dictionary(grouping: content.urgentAlerts, by: \.series.metric)
        .reduce(into: [:]) { byMetric, metric in
          let levels = Dictionary(grouping: metric.value, by: \.series.user)
            .compactMap { $0.value.map(\.episode.level).max() }
          byMetric[metric.key.words] = AlertLevel.allCases.map { level in
            levels.count { $0 == level }
          }
        },
      selection: content.selection)
  }

  /// People with an alert that calls for attention, by metric and level.
  private var totals: [PageDocument.Total] {
    guard !isShared else {
      return sharedTotals.rows.map { metric, counts in
        PageDocument.Total(metric: metric, counts: counts.map { $0.map(NumberText.count) ?? "–" })
      }
    }
    return Dictionary(grouping: content.urgentAlerts, by: \.series.metric)
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .map { metric, alerts in
        PageDocument.Total(
          metric: metric.words,
          counts: AlertLevel.allCases.map { level in
            NumberText.count(alerts.count { $0.episode.level == level })
          })
      }
  }

  private var runPairs: [PageDocument.Pair] {
    guard let run = content.run else { return [] }
    var pairs: [(String, String)] = [
      ("Evaluated", "\(run.daysText), profile \(run.thresholds.version), \(run.mode.rawValue)"),
      ("Status", run.status.rawValue),
    ]
    if !isShared {
      pairs += [
        (
          "People",
          "\(NumberText.count(run.counts.persons)) with \(NumberText.count(run.counts.series)) series"
        ),
        ("Episodes", run.episodesText), ("Notifications", run.notificationsText),
        ("Data quality", run.dataQualityText),
      ]
    }
    return pairs.map { PageDocument.Pair(name: $0.0, value: $0.1) }
  }

  /// The tables of `vigil compare` without its list of persons, whose names the page may have to leave out.
  private var comparison: PageDocument.Comparison? {
    guard let comparison = content.comparison else { return nil }
    var report = ComparisonReport(comparison.found, of: comparison.profiles)
    report.widestName = 24
    return PageDocument.Comparison(
      scope: report.scope, summary: report.summary,
      tables: comparison.found.isEmpty
        ? [] : [report.quantities, report.byMetric, report.byLevel].map(PageDocument.Table.init))
  }

  private var changes: [PageDocument.Change] {
    guard let run = content.run, let previous = content.previousRun, !isShared else { return [] }
    let rows: [(String, KeyPath<RunRecord.Counts, Int>)] = [
      ("People", \.persons), ("Series", \.series), ("Rows read", \.rowsRead),
      ("Values rejected", \.valuesRejected), ("Episodes opened", \.episodesOpened),
      ("Episodes escalated", \.episodesEscalated), ("Episodes resolved", \.episodesResolved),
      ("Notifications", \.notificationsEnqueued),
    ]
    return rows.map { name, path in
      PageDocument.Change(
        name: name, now: NumberText.count(run.counts[keyPath: path]),
        before: NumberText.count(previous.counts[keyPath: path]))
    }
  }
}

extension PageDocument.Table {
  /// The first column of the table names its rows.
  fileprivate init(_ table: TextTable) {
    self.init(
      titles: table.columns.map(\.title),
      rows: table.rows.map { cells in
        Row(
          name: (cells.first?.text ?? "").trimmingCharacters(in: .whitespaces),
          cells: cells.dropFirst().map(\.text))
      })
  }
}
