import Foundation
import Mustache
import VigilAnalysis
import VigilCharts
import VigilModel
import VigilStorage
public import VigilWords

/// One self-contained page on the persons of a database: no script, no network.
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let page = ReportPage(
///   PageContent(days: day - 59...day, today: day + 1, madeOn: day + 1, persons: [], alerts: []))
/// print(try page.html().hasPrefix("<!doctype html>"))  // true
/// ```
public struct ReportPage: Sendable {
  public let content: PageContent
  /// Whether ids of persons and medications are replaced by pseudonyms of this page.
  public let isPseudonymous: Bool
  /// Whether the page is for others: no details of a person, and counts that reveal no few people.
  public let isShared: Bool
  /// The words of the page.
  public let words: PageWords

  /// A page for others on fewer people shows no count.
  public static let smallestShared = SharedTotals.fewest

  public init(
    _ content: PageContent, isPseudonymous: Bool = false, isShared: Bool = false,
    words: PageWords = .english
  ) {
    self.content = content
    self.words = words.naming { $0.words }
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
    let entry = try MustacheTemplate(string: PackageResources.entry_mustache)
    let library = MustacheLibrary(templates: ["page": page, "person": person, "entry": entry])
    return page.render(document, library: library)
  }

  /// People without data who are listed; further ones are counted.
  static let mostSilent = 200

  private var document: PageDocument {
    let groups = PageGroups(content)
    let names = PageNames(
      isPseudonymous: isPseudonymous || isShared, externalIDs: content.externalIDs,
      order: groups.inNeed + groups.silent.map(\.person), in: words)
    let shown = isShared ? [] : groups.inNeed.filter { content.people[$0] != nil }
    let alerts = Dictionary(grouping: content.alerts, by: \.series.user)
    let pages = shown.enumerated().compactMap { index, person in
      content.people[person].map { details in
        PersonPage(
          person, number: index + 1, alerts: alerts[person] ?? [], details: details,
          content: content, names: names, words: words)
      }
    }
    let isChanged = Set(groups.changed)
    let changed = zip(shown, pages).filter { isChanged.contains($0.0) }.map(\.1.entry)
    let back = zip(shown, pages).filter { !isChanged.contains($0.0) }.map(\.1.entry)
    let symbols = Set(pages.flatMap(\.symbols))
    let silences = silences(groups, names, alerts)
    let moreSilent = isShared ? 0 : groups.silent.count - silences.count
    return PageDocument(
      language: words.language, words: words.labels,
      style: ChartStyle.css + "\n" + PackageResources.page_css,
      title: "Vigil, \(words.longDate(content.days.upperBound))", scope: scope, facts: facts,
      summary: summary(groups), groups: isShared ? "" : sizes(groups), since: since,
      isShared: isShared, changed: changed, hasChanged: !changed.isEmpty, back: back,
      hasBack: !back.isEmpty,
      morePeople: isShared ? nil : more(groups.inNeed.count - shown.count),
      legend: ChartSymbol.allCases.filter(symbols.contains).map {
        PageDocument.LegendEntry(
          symbol: $0.legendEntry, words: words.label("symbol_\($0.rawValue)"))
      },
      people: pages.map(\.section), hasPeople: !pages.isEmpty, totals: totals,
      hasTotals: !totals.isEmpty, totalsNote: totalsNote,
      silences: silences, hasSilences: !silences.isEmpty, moreSilent: more(moreSilent),
      leftNote: isShared ? nil : leftNote, run: runPairs, changes: changes,
      hasChanges: !changes.isEmpty, comparison: isShared ? nil : comparison)
  }

  // MARK: Header

  private var scope: String {
    switch content.scope {
    case .all: words.label("all_people")
    case .family(let name):
      isPseudonymous || isShared ? words.text(.list) : words.text(.family, ["name": name])
    case .list: words.text(.list)
    }
  }

  private var facts: String {
    words.text(
      .facts,
      [
        "day": words.longDate(content.days.upperBound), "made": words.longDate(content.madeOn),
        "profile": content.run?.thresholds.version ?? "–",
        "mode": words.label(content.run?.mode.rawValue ?? "shadow"),
      ])
  }

  private var since: String {
    words.text(
      .people, ["first": words.date(content.days.lowerBound, in: content.days.upperBound)])
  }

  private func sizes(_ groups: PageGroups) -> String {
    words.text(
      .groups,
      [
        "changed": words.count(groups.changed.count), "back": words.count(groups.back.count),
        "no_data": words.count(groups.silent.count), "usual": words.count(groups.usual),
      ])
  }

  private func more(_ count: Int) -> String? {
    switch count {
    case ..<1: nil
    case 1: words.text(.moreOne)
    default: words.text(.more, ["count": words.count(count)])
    }
  }

  private var leftNote: String? {
    switch content.left.count {
    case 0: nil
    case 1: words.text(.leftOne)
    default: words.text(.left, ["count": words.count(content.left.count)])
    }
  }

  // MARK: No data

  private func silences(
    _ groups: PageGroups, _ names: PageNames, _ alerts: [UUID: [PatternAlertState]]
  ) -> [PageDocument.Silence] {
    guard !isShared else { return [] }
    let last = content.days.upperBound
    return groups.silent.prefix(Self.mostSilent).map { person, lastData in
      let own = alerts[person] ?? []
      let silence = own.first { $0.isActiveSilence }?.episode.silence
      var named: Set<MetricType> = []
      let changed = own.filter { content.wasUrgent($0, onLastData: lastData) }.ranked
        .flatMap(\.metrics)
        .filter { named.insert($0).inserted }.map(words.words.name)
      return PageDocument.Silence(
        name: names.person(person), lastData: words.date(lastData, in: last),
        days: words.count(last - lastData),
        longestPause: silence.map { words.count($0.longestPause) } ?? "–",
        changed: changed.isEmpty ? "–" : changed.joined(separator: ", "))
    }
  }

  // MARK: Counts

  private func summary(_ groups: PageGroups) -> String {
    guard isShared else {
      return words.text(
        groups.inNeed.count == 1 ? .needOne : .need,
        ["count": words.count(groups.inNeed.count), "people": words.count(groups.count)])
    }
    let totals = sharedTotals
    guard let persons = totals.persons else { return words.label("too_few") }
    guard let inNeed = totals.inNeed else {
      return words.text(.needHidden, ["people": words.count(persons)])
    }
    return words.text(
      .needAbout, ["count": words.count(inNeed), "people": words.count(persons)])
  }

  private var sharedTotals: SharedTotals {
    SharedTotals(
      persons: PageGroups(content).count, inNeed: content.peopleByAttention.count,
      byMetric: peopleByMetric.reduce(into: [:]) { byMetric, metric in
        byMetric[words.words.name(of: metric.key)] = metric.value
      },
      selection: content.selection)
  }

  /// By metric that an alert names, the number of people by their highest level.
  private var peopleByMetric: [MetricType: [Int]] {
    var levels: [MetricType: [UUID: AlertLevel]] = [:]
    for alert in content.urgentAlerts {
      for metric in alert.metrics {
        let known = levels[metric]?[alert.series.user]
        levels[metric, default: [:]][alert.series.user] = max(
          known ?? alert.episode.level, alert.episode.level)
      }
    }
    return levels.mapValues { people in
      AlertLevel.allCases.map { level in people.values.count { $0 == level } }
    }
  }

  private var totalsNote: String {
    words.label("by_level_note") + (isShared ? " " + words.label("shared_note") : "")
  }

  /// People with an alert that calls for attention, by metric and level.
  private var totals: [PageDocument.Total] {
    guard !isShared else {
      return sharedTotals.rows.map { metric, counts in
        PageDocument.Total(metric: metric, counts: counts.map { $0.map(words.count) ?? "–" })
      }
    }
    return peopleByMetric.map { ($0, $1, people: $1.reduce(0, +)) }
      .sorted { ($1.people, $0.0) < ($0.people, $1.0) }
      .map { metric, counts, _ in
        PageDocument.Total(
          metric: words.words.name(of: metric), counts: counts.map(words.count))
      }
  }

  private var runPairs: [PageDocument.Pair] {
    guard let run = content.run else { return [] }
    var pairs: [(String, String)] = [
      ("run_evaluated", evaluated(run)),
      ("run_status", words.label("status_\(run.status.rawValue)")),
    ]
    if !isShared {
      pairs += [
        (
          "run_people",
          words.text(
            .runPersons,
            [
              "people": words.count(run.counts.persons), "series": words.count(run.counts.series),
            ])
        ),
        ("run_episodes", run.episodesText(words)),
        ("run_notifications", run.notificationsText(words)),
        ("run_quality", run.dataQualityText(words)),
      ]
    }
    return pairs.map { PageDocument.Pair(name: words.label($0.0), value: $0.1) }
  }

  private func evaluated(_ run: RunRecord) -> String {
    var values = [
      "first": words.longDate(run.days.lowerBound), "profile": run.thresholds.version,
      "mode": words.label(run.mode.rawValue),
    ]
    if run.days.count > 1 { values["last"] = words.longDate(run.days.upperBound) }
    return words.text(.runDays, values)
  }

  /// The tables of `vigil compare` without its list of persons, whose names the page may have to leave out.
  private var comparison: PageDocument.Comparison? {
    guard let comparison = content.comparison else { return nil }
    var report = ComparisonReport(comparison.found, of: comparison.profiles)
    report.widestName = 24
    report.isNarrow = false
    report.words = words
    return PageDocument.Comparison(
      scope: report.scope, summary: report.summary,
      tables: comparison.found.isEmpty
        ? [] : [report.quantities, report.byMetric, report.byLevel].map(PageDocument.Table.init))
  }

  private var changes: [PageDocument.Change] {
    guard let run = content.run, let previous = content.previousRun, !isShared else { return [] }
    let rows: [(String, KeyPath<RunRecord.Counts, Int>)] = [
      ("run_people", \.persons), ("run_series", \.series), ("run_rows", \.rowsRead),
      ("run_rejected", \.valuesRejected), ("run_opened", \.episodesOpened),
      ("run_escalated", \.episodesEscalated), ("run_resolved", \.episodesResolved),
      ("run_notifications", \.notificationsEnqueued),
    ]
    return rows.map { name, path in
      PageDocument.Change(
        name: words.label(name), now: words.count(run.counts[keyPath: path]),
        before: words.count(previous.counts[keyPath: path]))
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
