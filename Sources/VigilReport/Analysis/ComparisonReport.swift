public import Foundation
public import VigilAnalysis
public import VigilModel
import VigilWords

/// The output of `vigil compare`: the episodes and notifications of two profiles side by side.
public struct ComparisonReport: Sendable {
  let comparison: ProfileComparison
  let profiles: ByProfile<Profile>
  let externalIDs: [UUID: String]
  /// Persons that are listed at most; nil for all of them.
  let limit: Int?
  /// The widest name of a profile that stands in a table; longer ones are replaced by letters.
  var widestName = 8
  /// Whether the tables keep to 80 columns.
  var isNarrow = true
  /// The words of its sentences and tables.
  var words = PageWords.ofReports

  /// - Parameters:
  ///   - comparison: The comparison.
  ///   - profiles: The two profiles.
  ///   - externalIDs: By person, the id where their data come from.
  ///   - limit: Persons that are listed at most; nil for all of them.
  public init(
    _ comparison: ProfileComparison, of profiles: ByProfile<Profile>,
    externalIDs: [UUID: String] = [:], limit: Int? = 10
  ) {
    self.comparison = comparison
    self.profiles = profiles
    self.externalIDs = externalIDs
    self.limit = limit
  }

  var listed: [(person: UUID, tally: ComparisonTally)] {
    let all = comparison.mostAffected
    return limit.map { Array(all.prefix($0)) } ?? all
  }
}

extension ComparisonReport: Report {
  public func text(style: TextStyle) -> String {
    let scope = scope.map { $0.wrapped() }.joined(separator: "\n")
    if comparison.isEmpty { return "\(scope)\n\n\(summary.wrapped())\n" }
    let tables = [byMetric, byLevel, mostAffected].compactMap { $0?.render(style) }
    return (["\(scope)\n", quantities.render(style), "\(summary.wrapped())\n"] + tables)
      .joined(separator: "\n")
  }

  // MARK: Words

  /// The names of the profiles; where these are long or the same, letters that `scope` explains.
  private var names: ByProfile<String> {
    let versions = profiles.map(\.version.terminalSafe)
    let areClear =
      versions.first != versions.second || profiles.first == profiles.second
    guard areClear, max(versions.first.displayWidth, versions.second.displayWidth) <= widestName
    else {
      return ByProfile(first: "X", second: "Y")
    }
    return versions
  }

  /// The profiles, days and persons, in sentences.
  var scope: [String] {
    let (names, days) = (names, comparison.days)
    var lines = [
      words.counted(
        .compareScope, comparison.persons,
        [
          "first": names.first, "second": names.second, "from": "\(days.lowerBound)",
          "to": "\(days.upperBound)",
        ])
    ]
    if names.first == "X" {
      let ids = profiles.map(\.id.terminalSafe)
      lines.append(words.text(.compareNames, ["first": ids.first, "second": ids.second]))
    }
    return lines
  }

  /// The differences in sentences.
  var summary: String {
    let (total, names) = (comparison.total, names)
    guard !comparison.isEmpty else {
      let planned = total.notifications.first
      return words.counted(
        .compareSame, total.both,
        ["notifications": words.count(planned), "one_notification": planned == 1])
    }
    var values: [String: any Sendable] = [
      "first": names.first, "second": names.second, "earlier": words.count(total.earlier),
      "later": words.count(total.later), "other": words.count(total.otherLevel),
      "only_first": words.count(total.only.first), "only_second": words.count(total.only.second),
    ]
    values["earlier_by"] = total.medianShift(earlier: true).map(words.days)
    values["later_by"] = total.medianShift(earlier: false).map(words.days)
    return words.counted(.compareFound, total.both, values)
  }

  // MARK: Tables

  var quantities: TextTable {
    let (total, names) = (comparison.total, names)
    var table = TextTable([.init(""), .init(names.first, .right), .init(names.second, .right)])
    func row<Value>(
      _ title: String, _ values: ByProfile<Value>?, _ text: (Value) -> String,
      indent: String = ""
    ) {
      guard let texts = values?.map(text) else { return }
      table.rows.append([
        .init(indent + words.label(title)), .init(texts.first), .init(texts.second),
      ])
    }
    row("compare_episodes", total.episodes, words.count)
    row("compare_events", comparison.events, words.count)
    row("compare_notifications", total.notifications, words.count)
    row(
      "compare_per_days", comparison.notificationsPer100PersonDays, words.decimals, indent: "  ")
    row(
      "compare_per_week", comparison.notificationsPerRecipientWeek, words.decimals, indent: "  ")
    return table
  }

  private var differenceColumns: [TextTable.Column] {
    [
      .init(only(names.first), .right), .init(only(names.second), .right),
      .init(words.label("compare_earlier"), .right, rank: 1),
      .init(words.label("compare_later"), .right, rank: 1),
      .init(words.label("compare_level"), .right, rank: 2),
    ]
  }

  private func only(_ name: String) -> String { words.text(.compareOnly, ["profile": name]) }

  private func differences(_ tally: ComparisonTally) -> [TextTable.Cell] {
    [tally.only.first, tally.only.second, tally.earlier, tally.later, tally.otherLevel].map {
      .init(words.count($0))
    }
  }

  private func notified(_ counts: ByProfile<Int>) -> TextTable.Cell {
    .init("\(words.count(counts.first)) → \(words.count(counts.second))")
  }

  var byMetric: TextTable {
    var table = TextTable(
      [.init(words.label("metric")), .init(words.label("compare_both"), .right)]
        + differenceColumns + [.init(words.label("compare_notified"), .right, rank: 3)])
    let rows =
      comparison.metrics.sorted { $0.key < $1.key }.map { metric, tally in
        // The longer words would make the table of a terminal wider than 80 columns.
        (
          name: metric == .combined && isNarrow ? metric.shortWords : words.words.name(of: metric),
          tally: tally
        )
      } + [(name: words.label("compare_all"), tally: comparison.total)]
    table.rows = rows.map { row in
      [.init(row.name), .init(words.count(row.tally.both))]
        + differences(row.tally) + [
          notified(row.tally.notifications)
        ]
    }
    return table
  }

  var byLevel: TextTable {
    let names = names
    var table = TextTable([
      .init(words.label("compare_level"), .right), .init(names.first, .right),
      .init(names.second, .right), .init(only(names.first), .right),
      .init(only(names.second), .right), .init(words.label("compare_notified"), .right),
    ])
    table.rows = comparison.levels.sorted { $0.key < $1.key }.map { level, tally in
      [
        tally.episodes.first, tally.episodes.second, tally.only.first, tally.only.second,
      ].map { .init(words.count($0)) }.reduce(into: [.init("\(level.rawValue)")]) {
        $0.append($1)
      } + [notified(tally.notifications)]
    }
    return table
  }

  private var mostAffected: TextTable? {
    var table = TextTable(
      [.init("Most affected")] + differenceColumns + [
        .init(words.label("compare_notified"), .right, rank: 3)
      ])
    table.rows = listed.map { person, tally in
      [PersonText.cell(person, externalIDs)] + differences(tally) + [
        notified(tally.notifications)
      ]
    }
    return table.rows.isEmpty ? nil : table
  }
}
