public import Foundation
public import VigilAnalysis
public import VigilModel

/// The output of `vigil compare`: the episodes and notifications of two profiles side by side.
public struct ComparisonReport: Sendable {
  let comparison: ProfileComparison
  let profiles: ByProfile<Profile>
  let externalIDs: [UUID: String]
  /// Persons that are listed at most; nil for all of them.
  let limit: Int?
  /// The widest name of a profile that stands in a table; longer ones are replaced by letters.
  var widestName = 8

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
      "\(names.first) and \(names.second) on the same data: \(days.lowerBound) to \(days.upperBound),"
        + " \(NumberText.count(comparison.persons, "person"))."
    ]
    if names.first == "X" {
      let ids = profiles.map(\.id.terminalSafe)
      lines.append("X is \(ids.first), Y is \(ids.second).")
    }
    return lines
  }

  /// The differences in sentences.
  var summary: String {
    let (total, names) = (comparison.total, names)
    guard !comparison.isEmpty else {
      return
        "No difference: both find the same \(NumberText.count(total.both, "episode")) and plan"
        + " \(NumberText.count(total.notifications.first, "notification"))."
    }
    return
      "\(NumberText.count(total.both, "episode")) in both: \(names.second) finds"
      + " \(shift(total.earlier, "earlier", total.medianShift(earlier: true))),"
      + " \(shift(total.later, "later", total.medianShift(earlier: false))) and"
      + " \(NumberText.count(total.otherLevel)) with another level. Only in \(names.first):"
      + " \(NumberText.count(total.only.first)); only in \(names.second):"
      + " \(NumberText.count(total.only.second))."
  }

  private func shift(_ count: Int, _ word: String, _ median: Int?) -> String {
    let episodes = "\(NumberText.count(count)) \(word)"
    return median.map { "\(episodes) (median \(NumberText.count($0, "day")))" } ?? episodes
  }

  // MARK: Tables

  var quantities: TextTable {
    let (total, names) = (comparison.total, names)
    var table = TextTable([.init(""), .init(names.first, .right), .init(names.second, .right)])
    func row<Value>(_ title: String, _ values: ByProfile<Value>?, _ text: (Value) -> String) {
      guard let texts = values?.map(text) else { return }
      table.rows.append([.init(title), .init(texts.first), .init(texts.second)])
    }
    row("Episodes", total.episodes) { NumberText.count($0) }
    row("Events", comparison.events) { NumberText.count($0) }
    row("Notifications", total.notifications) { NumberText.count($0) }
    row("  in 100 person-days", comparison.notificationsPer100PersonDays, NumberText.decimals)
    row(
      "  of one recipient in a week", comparison.notificationsPerRecipientWeek,
      NumberText.decimals)
    return table
  }

  private var differenceColumns: [TextTable.Column] {
    [
      .init("Only \(names.first)", .right), .init("Only \(names.second)", .right),
      .init("Earlier", .right, rank: 1), .init("Later", .right, rank: 1),
      .init("Level", .right, rank: 2),
    ]
  }

  private func differences(_ tally: ComparisonTally) -> [TextTable.Cell] {
    [tally.only.first, tally.only.second, tally.earlier, tally.later, tally.otherLevel].map {
      .init(NumberText.count($0))
    }
  }

  private static func notified(_ counts: ByProfile<Int>) -> TextTable.Cell {
    .init("\(NumberText.count(counts.first)) → \(NumberText.count(counts.second))")
  }

  var byMetric: TextTable {
    var table = TextTable(
      [.init("Metric"), .init("Both", .right)] + differenceColumns + [
        .init("Notified", .right, rank: 3)
      ])
    let rows =
      comparison.metrics.sorted { $0.key < $1.key }.map { metric, tally in
        // The longer words would make the table wider than 80 columns.
        (words: metric == .combined ? "several together" : metric.words, tally: tally)
      } + [(words: "all", tally: comparison.total)]
    table.rows = rows.map { row in
      [.init(row.words), .init(NumberText.count(row.tally.both))] + differences(row.tally) + [
        Self.notified(row.tally.notifications)
      ]
    }
    return table
  }

  var byLevel: TextTable {
    let names = names
    var table = TextTable([
      .init("Level", .right), .init(names.first, .right), .init(names.second, .right),
      .init("Only \(names.first)", .right), .init("Only \(names.second)", .right),
      .init("Notified", .right),
    ])
    table.rows = comparison.levels.sorted { $0.key < $1.key }.map { level, tally in
      [
        tally.episodes.first, tally.episodes.second, tally.only.first, tally.only.second,
      ].map { .init(NumberText.count($0)) }.reduce(into: [.init("\(level.rawValue)")]) {
        $0.append($1)
      } + [Self.notified(tally.notifications)]
    }
    return table
  }

  private var mostAffected: TextTable? {
    var table = TextTable(
      [.init("Most affected")] + differenceColumns + [.init("Notified", .right, rank: 3)])
    table.rows = listed.map { person, tally in
      [PersonText.cell(person, externalIDs)] + differences(tally) + [
        Self.notified(tally.notifications)
      ]
    }
    return table.rows.isEmpty ? nil : table
  }
}
