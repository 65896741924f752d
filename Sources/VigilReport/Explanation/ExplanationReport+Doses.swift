import VigilAnalysis
import VigilDetection
import VigilModel

extension ExplanationReport {
  /// The sections about the doses of a day without an episode.
  func sections(_ figures: DoseDay.Figures, _ style: TextStyle) -> [String] {
    let (anchor, baseline) = (figures.anchor, figures.baseline)
    let pairs = TextTable(
      pairs: [
        (
          "Baseline",
          "\(anchor.missed) of \(NumberText.count(anchor.expected, "dose")) missed,"
            + " \(baseline.start)..\(baseline.end), \(NumberText.count(baseline.count, "day"))"
        ),
        ("Usual", "\(NumberText.decimals(100 * anchor.share)) % missed, with the prior"),
        ("Needed", "\(NumberText.decimals(figures.threshold)) nats over some window"),
      ])
    guard !figures.windows.isEmpty else { return ["Comparison\n" + pairs.render(style)] }
    var table = TextTable([
      .init("Window", .right), .init("Missed", .right), .init("Usual", .right),
      .init("Nats", .right), .init("Real"), .init("Matters"),
    ])
    table.indent = "  "
    table.rows = figures.windows.enumerated().map { index, window in
      [
        .init(
          NumberText.count(window.count, "day") + (figures.deciding == index ? " *" : "")),
        .init("\(window.missed) of \(window.expected)"),
        .init("\(NumberText.decimals(100 * window.usualShare)) %"),
        .init(NumberText.decimals(window.evidence)),
        .init(window.evidence >= figures.threshold - 1e-9 ? "yes" : "no"),
        .init(window.matters ? "yes" : "no"),
      ]
    }
    let note =
      "  Real: the evidence reaches what is needed. Matters: enough more doses are\n"
      + "  missed than usual. Of the windows that matter, * marks the one with the most\n"
      + "  evidence; it decides.\n"
    return ["Comparison\n" + pairs.render(style), "Windows\n" + table.render(style) + note]
  }

  func section(_ day: DoseRecovery, _ style: TextStyle) -> String {
    var pairs: [(String, String)] = []
    if let before = explanation.before, let doses = before.doses {
      pairs = [
        ("Alert", doses.words(of: before)),
        ("Opened", "\(doses.openedOn), \(doses.shortText)"),
      ]
    }
    pairs += [
      ("Easing", day.isEasing ? "yes, \(NumberText.count(day.calmDays, "day")) in a row" : "no"),
      ("Evidence", "\(NumberText.decimals(day.evidence)) nats that it is over"),
    ]
    return "Recovery\n" + TextTable(pairs: pairs).render(style)
  }
}
