public import Foundation
public import VigilModel
public import VigilStorage

/// The output of `vigil insights`: the insights into scores and doses of one day.
public struct InsightsReport: Sendable {
  let insights: [TrendInsight]
  /// The insights that a text shows: no slight ones.
  private let listed: [TrendInsight]
  /// The number of all that are not slight.
  private let clear: Int
  /// The number of all insights that match, shown or not.
  let total: Int
  let day: Day?
  let coverages: [TrendCoverage]
  let scores: [VitalityScore]
  let externalIDs: [UUID: String]
  let emptyHint: String

  /// - Parameters:
  ///   - insights: In the order in which they are shown.
  ///   - day: The evaluated day; nil where none was evaluated.
  ///   - coverages: The days with scores of the persons asked about; empty for a family, whose
  ///     members see insights only.
  ///   - scores: Scores of the persons asked about, days ascending.
  ///   - externalIDs: The ids of persons in the system their data come from.
  ///   - order: The order of the insights; nil for the given one.
  ///   - limit: The number of insights to show; nil for all.
  ///   - emptyHint: The next step where there is nothing to show, as one sentence.
  public init(
    insights: [TrendInsight], day: Day?, coverages: [TrendCoverage] = [],
    scores: [VitalityScore] = [], externalIDs: [UUID: String] = [:], order: InsightOrder? = nil,
    limit: Int? = nil, emptyHint: String
  ) {
    let sorted = order?.sorted(insights, externalIDs: externalIDs) ?? insights
    self.insights = Array(sorted.prefix(limit ?? sorted.count))
    let clear = sorted.filter { !$0.isSlight }
    listed = Array(clear.prefix(limit ?? clear.count))
    self.clear = clear.count
    total = insights.count
    self.day = day
    self.coverages = coverages
    self.scores = scores
    self.externalIDs = externalIDs
    self.emptyHint = emptyHint
  }
}

extension InsightsReport: ListReport {
  public func csv() -> String {
    RowEncoder(ExportColumns.insights, as: .csv)
      .text(of: insights.map { Exported($0, externalIDs) })
  }

  public func text(style: TextStyle) -> String {
    var parts: [String] = []
    if !scores.isEmpty { parts.append(scoreTable.render(style)) }
    if total == 0 {
      let of = day.map { " of \($0)" } ?? ""
      parts.append("No insights\(of). \(emptyHint)\n")
    } else {
      if !listed.isEmpty { parts.append(table(of: listed).render(style)) }
      let slight = total - clear
      if slight > 0 {
        parts.append(
          NumberText.count(slight, "change below 5 % is", "changes below 5 % are")
            + " not shown; --format json and csv have all.\n")
      }
      if listed.count < clear {
        parts.append(
          "Shown: the first \(NumberText.count(listed.count)) of"
            + " \(NumberText.count(clear, "insight")); --limit 0 lists all.\n")
      }
    }
    if let footer { parts.append(footer) }
    return parts.joined(separator: "\n")
  }

  private var scoreTable: TextTable {
    var table = TextTable([
      .init("Person"), .init("Scores of"), .init("Sleep", .right), .init("Movement", .right),
      .init("Stress", .right), .init("Total", .right), .init("From"),
    ])
    table.rows = scores.map { score in
      [
        .init(PersonText.short(score.user, externalIDs)), .init(score.day.description),
        .init(text(score.sleep)), .init(text(score.movement)), .init(text(score.stress)),
        .init(text(score.total)), .init(score.source),
      ]
    }
    return table
  }

  private func text(_ score: Int?) -> String { score.map { String($0) } ?? "–" }

  private func table(of insights: [TrendInsight]) -> TextTable {
    var table = TextTable([
      .init("Person"), .init("Day", rank: 3), .init("Pillar"), .init("Severity", rank: 1),
      .init("What"), .init("Change", .right), .init("Baseline → recent", rank: 2),
      .init("Days", .right, rank: 5), .init("State", rank: 4),
    ])
    table.rows = insights.map { insight in
      [
        PersonText.cell(insight.user, externalIDs),
        .init(insight.day.description),
        .init(insight.pillar.rawValue),
        .init(insight.severity.rawValue, insight.severity == .attention ? .medium : .low),
        .init(insight.words, short: insight.shortWords),
        .init(insight.isTrend ? "–" : insight.change.map(NumberText.change) ?? "–"),
        .init(insight.isTrend ? "–" : insight.meansText),
        .init(NumberText.count(insight.coverage)),
        .init(insight.suppressedReason?.rawValue ?? "–"),
      ]
    }
    return table
  }

  private var footer: String? {
    let lacking = coverages.filter { $0.daysNeeded > 0 }
    if coverages.count == 1, let own = lacking.first {
      return
        "Scores on \(NumberText.count(own.coverage, "day")) of the window;"
        + " \(NumberText.count(own.daysNeeded)) more are needed before there can be an insight.\n"
    }
    guard !lacking.isEmpty else { return nil }
    return "\(NumberText.count(lacking.count)) of \(NumberText.count(coverages.count, "person"))"
      + " have scores on too few days for an insight; --format json says how many are missing.\n"
  }
}

extension TrendInsight {
  /// Whether it is of a change that is too small for a list: below 5 % of the baseline.
  var isSlight: Bool { change.map { abs($0) < 0.05 } ?? false }

  /// Whether it is of a slope, against which the last days beside the baseline can have gone.
  fileprivate var isTrend: Bool { rule == .decliningTrend || rule == .improvingTrend }

  /// The event in words, without a number that has a column of its own.
  fileprivate var words: String {
    switch rule {
    case .lowStreak: "lowest days of the window in a row"
    case .dropVsBaseline: "drop against the baseline"
    case .rebound: "rebound"
    case .decliningTrend, .improvingTrend:
      (rule == .decliningTrend ? "declining trend" : "improving trend")
        + (slope.map { String(format: ", %+.2f points a day", $0.perDay) } ?? "")
    case .missedStreak:
      "medication \(medication?.shortened ?? "–"): "
        + (missed.map {
          "\(NumberText.count($0.doses, "dose")) missed in a row,"
            + " \(NumberText.count($0.days, "day")) without any"
        } ?? "doses missed")
    case .refillDue:
      "medication \(medication?.shortened ?? "–"): refill due"
        + (daysLeftText.map { ", \($0)" } ?? "")
    case .concurrentEpisodes:
      "at the same time as the alert of \(coOccurrence?.otherMetric.words ?? "another metric")"
    }
  }

  /// The same where there is little room.
  fileprivate var shortWords: String {
    switch rule {
    case .missedStreak:
      "\(medication?.shortened ?? "–"): "
        + (missed.map { "\(NumberText.count($0.doses, "dose")) missed" } ?? "doses missed")
    case .refillDue:
      "\(medication?.shortened ?? "–"): " + (daysLeftText ?? "refill due")
    case .concurrentEpisodes: "with \(coOccurrence?.otherMetric.words ?? "another metric")"
    case .lowStreak, .dropVsBaseline, .rebound, .decliningTrend, .improvingTrend: words
    }
  }

  private var daysLeftText: String? {
    // A quotient that is 7 but for its last digits is 7.
    daysLeft.map { "\(NumberText.count(Int(clamping: ($0 + 1e-9).rounded(.down)), "day")) left" }
  }

  fileprivate var meansText: String {
    guard let baseline, let recent else { return "–" }
    return "\(NumberText.value(baseline)) → \(NumberText.value(recent))"
  }
}
