import VigilAnalysis
import VigilModel

extension ThresholdsReport: Report {
  public func text(style: TextStyle) -> String {
    var table = TextTable([
      .init("Metric"), .init("Direction"), .init("Unit"), .init("Deviates when"),
    ])
    table.rows = metrics.map {
      [
        .init($0.metricType.words), .init($0.patternType == .drop ? "drop" : "rise"),
        .init($0.unit), .init($0.rules.joined(separator: " or ")),
      ]
    }
    var text =
      "\(file.terminalSafe) is valid: version \(version.terminalSafe), SHA-256 \(digest)\n\n"
      + table.render(style)
    if !silences.isEmpty {
      text += "\n" + TextTable(pairs: silences.map { ($0.name, $0.text) }, indent: "").render(style)
    }
    if !limits.isEmpty {
      text += "\n" + TextTable(pairs: limits.map { ("Limit", $0.words) }, indent: "").render(style)
    }
    if metrics.contains(where: { $0.evidence != nil }) {
      text += "\nJudged by evidence, and what is usual among people:\n" + priors.render(style)
      text += "\nEvidence that a day needs, by days of the baseline:\n" + thresholds.render(style)
    }
    if let combined { text += Self.text(combined, style) }
    if let calibration { text += "\n" + Self.text(calibration, style) }
    if let expectation { text += "\n" + self.text(expectation, style) }
    return text
  }

  private var priors: TextTable {
    var table = TextTable([
      .init("Metric"), .init("Detector"), .init("Scale"), .init("Spread", .right),
      .init("Autocorrelation", .right),
    ])
    table.rows = metrics.map { metric in
      [
        .init(metric.metricType.words), .init(metric.detector),
        .init(metric.evidence?.transform ?? "–"),
        .init(metric.evidence.map { NumberText.decimals($0.priorSpread) } ?? "–"),
        .init(metric.evidence.map { NumberText.decimals($0.priorAutocorrelation) } ?? "–"),
      ]
    }
    return table
  }

  private var thresholds: TextTable {
    let judged = metrics.compactMap { metric in
      metric.evidence.map { (metric.metricType, $0.thresholds) }
    }
    let sizes = Set(judged.flatMap(\.1.keys)).sorted()
    var table = TextTable([.init("Metric")] + sizes.map { .init("\($0)", .right) })
    table.rows = judged.map { metric, thresholds in
      [.init(metric.words)]
        + sizes.map { .init(thresholds[$0].map(NumberText.decimals) ?? "") }
    }
    return table
  }

  private static func text(_ combined: Combined, _ style: TextStyle) -> String {
    let sizes = combined.thresholds.keys.sorted()
    var thresholds = TextTable(
      [.init("Metrics taking part")] + sizes.map { .init("\($0)", .right) })
    thresholds.rows = [
      [.init("evidence")]
        + sizes.map { .init(combined.thresholds[$0].map(NumberText.decimals) ?? "") }
    ]
    var correlations = TextTable([.init("Metrics"), .init("Correlation", .right)])
    correlations.rows = combined.correlations.map {
      [
        .init($0.metrics.map(\.words).joined(separator: ", ")),
        .init(NumberText.decimals($0.correlation)),
      ]
    }
    return "\nEvidence that several metrics need together, each"
      + " \(NumberText.decimals(combined.metricEvidence)) or more:\n"
      + thresholds.render(style) + "\nCorrelation of their days, in their bad directions:\n"
      + correlations.render(style)
  }

  private static func text(_ calibration: Calibration, _ style: TextStyle) -> String {
    let perYear = NumberText.decimals(calibration.openingsPerSeriesYear)
    var pairs = [
      (
        "Calibrated",
        "at \(perYear) openings per series-year, on"
          + " \(NumberText.count(calibration.simulatedSeries)) simulated series a metric"
      )
    ]
    if let perYear = calibration.combinedOpeningsPerPersonYear {
      pairs.append(
        ("", "and \(NumberText.decimals(perYear)) openings of several metrics per person-year"))
    }
    if let budget = calibration.budget {
      let counted = calibration.combinedOpeningsPerPersonYear == nil ? "episodes" : "events"
      pairs.append(("Budget", "\(NumberText.decimals(budget)) false \(counted) per person-year"))
    }
    if let seed = calibration.seed { pairs.append(("Seed", "\(seed)")) }
    let source = calibration.source.map { "\n" + $0.terminalSafe.wrapped() + "\n" } ?? ""
    return TextTable(pairs: pairs, indent: "").render(style) + source
  }

  private func text(_ expectation: Expectation, _ style: TextStyle) -> String {
    var table = TextTable([
      .init("False episodes"), .init("Per person-year", .right), .init("95 % interval"),
    ])
    func row(_ name: String, _ rate: ExactInterval) -> [TextTable.Cell] {
      [
        .init(name), .init(NumberText.decimals(rate.estimate)),
        .init("\(NumberText.decimals(rate.lower)) to \(NumberText.decimals(rate.upper))"),
      ]
    }
    table.rows =
      expectation.metrics.map { row($0.metricType.words, $0.rate) }
      + (expectation.combined.map { [row(MetricType.combined.words, $0)] } ?? [])
      + [row(expectation.combined == nil ? "together" : "events", expectation.total)]
      + (expectation.doses.map { [row("doses", $0)] } ?? [])
      + (expectation.silence.map { [row("silence", $0)] } ?? [])
    var text = table.render(style)
    text +=
      "\nExpected where nothing changes: \(NumberText.count(expectation.people)) simulated people x"
      + " \(expectation.days) days (seed \(expectation.seed)),\n"
      + "fitted to \(expectation.dataset.terminalSafe).\n"
      + "docs/quality.md says how; vigil calibrate does the same with your people.\n"
    if expectation.doses != nil || expectation.silence != nil {
      text +=
        "Doses and silence are counted in as many people of many habits, and are no part of the rest.\n"
        .wrapped()
    }
    if !expectation.notSimulated.isEmpty {
      let names = expectation.notSimulated.map(\.words).joined(separator: ", ")
      text += "Not simulated: \(names).".wrapped() + "\n"
    }
    return text
  }
}

extension ThresholdsReport.Silence {
  fileprivate var name: String { metricType.words.firstCapitalised }

  fileprivate var text: String {
    metricType == .inactivity
      ? "an alert opens with \(openAfterDays) to \(NumberText.count(watchedDays, "silent day")), by the person's habit"
      : "an alert opens with \(NumberText.count(openAfterDays, "silent day")), and with no more than \(watchedDays)"
  }
}
