import Foundation
import VigilAnalysis
import VigilDetection
import VigilModel
import VigilStorage

extension ExplanationReport {
  /// The sections about the comparison that decided.
  func comparison(_ style: TextStyle) -> [String] {
    switch explanation.judgement {
    case .means(let means): means.evaluation.figures.map { sections(means, $0, style) } ?? []
    case .evidence(let day): day.figures.map { sections($0, style) } ?? []
    case .recovery(let day): [section(day, style)]
    case .doses(let day): day.figures.map { sections($0, style) } ?? []
    case .doseRecovery(let day): [section(day, style)]
    }
  }

  private func window(_ window: EpisodeFigures.Window) -> String {
    "\(explanation.text(window.value)), \(window.start)..\(window.end), "
      + NumberText.count(window.count, "day") + " with a value"
  }

  private func sections(
    _ means: MeansJudgement, _ figures: EpisodeFigures, _ style: TextStyle
  ) -> [String] {
    let title = means.isAnchored ? "Baseline of the alert" : "Baseline"
    let pairs = TextTable(
      pairs: [
        (title, window(figures.baseline)), ("Recent", window(figures.recent)),
        ("Change", figures.deviation.map(NumberText.change) ?? "–"),
      ])
    var table = TextTable([
      .init("Rule"), .init("Needed", .right), .init("Found", .right), .init("Margin", .right),
      .init(""),
    ])
    table.indent = "  "
    table.rows = means.rules.map { margin in
      [
        .init(margin.rule.kind.words), .init(margin.text(margin.rule.threshold)),
        .init(margin.actual.map(margin.text) ?? "–"),
        .init(margin.margin.map { ($0 < 0 ? "" : "+") + margin.text($0) } ?? "–"),
        .init(margin.isMatched ? "matches" : "does not match"),
      ]
    }
    return ["Comparison\n" + pairs.render(style), "Rules (one is enough)\n" + table.render(style)]
  }

  private func sections(_ figures: EvidenceDay.Figures, _ style: TextStyle) -> [String] {
    let range = explanation.usualRange.map { range in
      "\(NumberText.value(range.lowerBound)) to \(explanation.text(range.upperBound))"
    }
    let pairs = TextTable(
      pairs: [
        ("Baseline", window(figures.baseline)),
        ("Usual", "\(range ?? "–") on this day of the week, one spread to each side"),
        ("Needed", "z of \(NumberText.decimals(figures.threshold)) over some window"),
      ])
    guard !figures.windows.isEmpty else { return ["Comparison\n" + pairs.render(style)] }
    var table = TextTable([
      .init("Window", .right), .init("Mean", .right), .init("Change", .right),
      .init("Spreads", .right), .init("z", .right), .init("Real", .left), .init("Lasting"),
      .init("Matters"),
    ])
    table.indent = "  "
    table.rows = figures.windows.enumerated().map { index, window in
      let base = figures.baseline.value
      let change =
        abs(base) > EpisodeFigures.zeroBaseline
        ? NumberText.change((window.recent - base) / base) : "–"
      let isChosen = figures.deviating == index
      return [
        .init("\(NumberText.count(window.count, "day"))\(isChosen ? " *" : "")"),
        .init(NumberText.value(window.recent)), .init(change),
        .init(NumberText.decimals(window.shift)), .init(NumberText.decimals(window.z)),
        .init(window.z >= figures.threshold - 1e-9 ? "yes" : "no"),
        .init(window.isHeld ? "yes" : "no"), .init(window.matters ? "yes" : "no"),
      ]
    }
    let note =
      "  Real: z reaches what is needed. Lasting: the mean shows it too. Matters: a\n"
      + "  rule of the metric matches. A window with three times yes makes an alert; *\n"
      + "  marks the one that decided. Spreads: the mean shift in personal spreads, to\n"
      + "  the bad side.\n"
    return ["Comparison\n" + pairs.render(style), "Windows\n" + table.render(style) + note]
  }

  private func section(_ day: EvidenceRecovery, _ style: TextStyle) -> String {
    var pairs: [(String, String)] = []
    if let before = explanation.before, let evidence = before.evidence {
      pairs = [
        ("Baseline", window(before.figures.baseline)),
        (
          "Opened",
          "\(evidence.openedOn), z \(NumberText.decimals(evidence.z)) of"
            + " \(NumberText.decimals(evidence.threshold)) needed, over"
            + " \(NumberText.count(evidence.windowDays, "day"))"
        ),
      ]
    }
    pairs += [
      (
        "This day",
        day.shift.map { "\(NumberText.decimals($0)) personal spreads to the bad side" }
          ?? "no value"
      ),
      ("Easing", day.isEasing ? "yes, \(NumberText.count(day.calmDays, "value")) in a row" : "no"),
      ("Evidence", "\(NumberText.decimals(day.evidence)) nats that it is over"),
    ]
    return "Recovery\n" + TextTable(pairs: pairs).render(style)
  }

  // MARK: Observations

  /// Days with rows that are listed; JSON has all.
  private static let listedDays = 10

  func observationsSection(_ style: TextStyle) -> String? {
    let days = explanation.observed
    guard !days.isEmpty else { return nil }
    var table = TextTable([.init("Day"), .init("Source"), .init("Value", .right), .init("")])
    table.indent = "  "
    for day in days.suffix(Self.listedDays) {
      for row in day.rows {
        table.rows.append([
          .init(day.day.description), .init(row.source),
          .init(row.value.isFinite ? NumberText.value(row.value) : "infinite"),
          .init(row.rejected.map { "left out: \($0.words)" } ?? ""),
        ])
      }
    }
    let rejected = days.dropLast(Self.listedDays).reduce(0) { sum, day in
      sum + day.rows.count { $0.rejected != nil }
    }
    var text = "Newest observations\n" + table.render(style)
    if days.count > Self.listedDays {
      text +=
        "  and \(NumberText.count(days.count - Self.listedDays, "day")) before them,"
        + " \(NumberText.count(rejected, "value")) left out (--format json has all)\n"
    }
    return text
  }
}

extension RuleMargin {
  /// A figure in the unit of the rule.
  func text(_ value: Double) -> String {
    switch rule.kind {
    case .percentDropAtLeast, .percentRiseAtLeast:
      value.isFinite ? String(format: "%.1f %%", value * 100) : "–"
    case .absoluteDropAtLeast, .absoluteRiseAtLeast, .absoluteDropBelow: NumberText.value(value)
    }
  }
}

extension MetricRule.Kind {
  var words: String {
    switch self {
    case .percentDropAtLeast, .absoluteDropAtLeast: "drop of at least"
    case .percentRiseAtLeast, .absoluteRiseAtLeast: "rise of at least"
    case .absoluteDropBelow: "mean below"
    }
  }
}

extension DataQuality.Reason {
  var words: String {
    switch self {
    case .notFinite: "no finite number"
    case .implausible: "not plausible"
    case .nonWear: "not worn"
    case .partWorn: "worn for a part of the day"
    }
  }
}
