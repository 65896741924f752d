import VigilAnalysis
import VigilModel

extension CalibrationReport: Report {
  public func text(style: TextStyle) -> String {
    let base = base.terminalSafe
    let simulated = NumberText.count(simulatedPeople)
    var text = "Wrote \(file.terminalSafe): version \(version.terminalSafe), made from \(base)\n"
    text += TextTable(pairs: [
      ("People", "\(NumberText.count(people)) of \(database.terminalSafe)"),
      ("Days", "\(days.lowerBound) to \(days.upperBound)"),
      (
        "Budget",
        "\(NumberText.decimals(budget)) false \(together == nil ? "episodes" : "events") per"
          + " person-year, all metrics"
      ),
      ("Expected", "\(expected.text) \(keepsBudget ? "" : "NOT ")within the budget"),
      (base, "\(expectedOfBase.text) in the same simulated people"),
      ("Simulated", "\(simulated) people x \(simulatedDays) days, seed \(seed)"),
      ("Checked", "on \(simulated) other people"),
    ]).render(style)
    text += "\nUsual among people, and before in \(base):\n\(priors.render(style))"
    text += "\nEvidence needed, by days of the baseline, and before in \(base):\n"
    text += thresholds.render(style)
    if let together { text += Self.text(of: together, base: base, style) }
    if let pauses { text += self.text(of: pauses, style) }
    if let doses { text += self.text(of: doses, style) }
    for line in kept { text += "\n\(line)\n" }
    return text + "\nNext: vigil thresholds check \(file.terminalSafe)\n"
  }

  private var priors: TextTable {
    var table = TextTable([
      .init("Metric"), .init("People", .right), .init("Spread", .right), .init("before", .right),
      .init("Autocorr.", .right), .init("before", .right), .init("False/year", .right),
    ])
    table.rows = metrics.map { metric in
      [
        .init(metric.metricType.words), .init(NumberText.count(metric.people)),
        .init(NumberText.decimals(metric.now.priorSpread)),
        .init(NumberText.decimals(metric.before.priorSpread)),
        .init(NumberText.decimals(metric.now.priorAutocorrelation)),
        .init(NumberText.decimals(metric.before.priorAutocorrelation)),
        .init(metric.expected.map { NumberText.decimals($0.estimate) } ?? "–"),
      ]
    }
    return table
  }

  private var thresholds: TextTable {
    let sizes = [10, 60, 120]
    var table = TextTable(
      [.init("Metric")]
        + sizes.flatMap { [.init("\($0) days", .right), .init("before", .right)] })
    table.rows = metrics.map { metric in
      [.init(metric.metricType.words)]
        + sizes.flatMap { size in
          [metric.now, metric.before].map { .init(NumberText.decimals($0.threshold(size))) }
        }
    }
    return table
  }

  private static func text(of together: Together, base: String, _ style: TextStyle) -> String {
    let sizes = Set(together.thresholds.keys).union(together.thresholdsBefore.keys).sorted()
    var thresholds = TextTable(
      [.init("Metrics taking part")] + sizes.map { .init("\($0)", .right) })
    thresholds.rows = [("now", together.thresholds), ("before", together.thresholdsBefore)].map {
      name, values in
      [.init(name)] + sizes.map { .init(values[$0].map(NumberText.decimals) ?? "–") }
    }
    var correlations = TextTable([
      .init("Metrics"), .init("Found", .right), .init("95 % interval"), .init("Now", .right),
      .init("before", .right),
    ])
    correlations.rows = together.correlations.map { correlation in
      [
        .init(correlation.metrics.map(\.words).joined(separator: ", ")),
        .init(correlation.found.map { NumberText.decimals($0.estimate) } ?? "–"),
        .init(
          correlation.found.map {
            "\(NumberText.decimals($0.lower)) to \(NumberText.decimals($0.upper))"
          } ?? "–"),
        .init(NumberText.decimals(correlation.now)),
        .init(NumberText.decimals(correlation.before)),
      ]
    }
    return """

      Evidence needed of several metrics together, and before in \(base):
      \(thresholds.render(style))
      They have \(together.expected.text) false episodes per person-year.

      Correlation of the days of two metrics, in their bad directions:
      \(correlations.render(style))
      """
  }

  /// A line for each group of metrics that are not fitted.
  private var kept: [String] {
    func names(_ source: Source) -> String {
      metrics.filter { $0.source == source }.map {
        "\($0.metricType.words) (\(NumberText.count($0.people)))"
      }.joined(separator: ", ")
    }
    let rule = "fewer than \(fewest.people) people have \(fewest.values) values"
    var lines: [String] = []
    if metrics.contains(where: { $0.source == .base }) {
      lines.append(
        "Not fitted, because \(rule): \(names(.base)). They keep the priors of \(base). The simulated"
          + " people are the built-in ones there.")
    }
    if metrics.contains(where: { $0.source == .notSimulated }) {
      lines.append(
        "Not calibrated, because \(rule) and no people are built in: \(names(.notSimulated)). They keep"
          + " the priors and thresholds of \(base).")
    }
    return lines.map { $0.terminalSafe.wrapped() }
  }
}
