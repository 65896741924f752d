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

/// The comparison of doses in JSON.
struct DoseDayDocument: Encodable {
  private struct Window: Encodable {
    var days: Int
    var start: Day
    var missedDoses: Int
    var expectedDoses: Int
    var usualShare: Double
    var evidence: Double
    var matters: Bool
    var isDeciding: Bool
  }

  private var baselineStart, baselineEnd: Day
  private var baselineDays: Int
  private var usual: DoseEvidenceDocument.Usual
  private var threshold: Double
  private var windows: [Window]

  init?(_ day: DoseDay) {
    guard let figures = day.figures else { return nil }
    baselineStart = figures.baseline.start
    baselineEnd = figures.baseline.end
    baselineDays = figures.baseline.count
    usual = DoseEvidenceDocument.Usual(figures.anchor)
    threshold = figures.threshold
    windows = figures.windows.enumerated().map { index, window in
      Window(
        days: window.count, start: window.start, missedDoses: window.missed,
        expectedDoses: window.expected, usualShare: window.usualShare, evidence: window.evidence,
        matters: window.matters, isDeciding: index == figures.deciding)
    }
  }
}

/// The evidence that doses are taken again, in JSON.
struct DoseRecoveryDocument: Encodable {
  private var evidence: Double
  private var calmDays: Int
  private var isEasing: Bool
  private var isOver: Bool

  init(_ day: DoseRecovery) {
    evidence = day.evidence
    calmDays = day.calmDays
    isEasing = day.isEasing
    isOver = day.isOver
  }
}
