public import VigilAnalysis
public import VigilModel

/// The output of `vigil evaluate`: alerts next to the changes that are known to have happened.
public struct EvaluationReport: Sendable {
  let evaluation: DetectionEvaluation
  let days: ClosedRange<Day>
  let persons: Int
  let personDays: Int
  /// Labels that begin on other days.
  let labelsOutside: Int
  let areLabelsComplete: Bool
  let profile: String?

  /// - Parameters:
  ///   - evaluation: The counts.
  ///   - days: The evaluated days.
  ///   - persons: Those with a judged day.
  ///   - personDays: Their judged days.
  ///   - labelsOutside: Labels that begin on other days than the evaluated ones, and do not count.
  ///   - areLabelsComplete: Whether an alert without a label is false.
  ///   - profile: The profile that the alerts were found with; nil where there is none yet.
  public init(
    _ evaluation: DetectionEvaluation, days: ClosedRange<Day>, persons: Int, personDays: Int,
    labelsOutside: Int = 0, areLabelsComplete: Bool, profile: String?
  ) {
    self.evaluation = evaluation
    self.days = days
    self.persons = persons
    self.personDays = personDays
    self.labelsOutside = labelsOutside
    self.areLabelsComplete = areLabelsComplete
    self.profile = profile
  }

  private static let levels: [AlertLevel] = [.day7, .day14, .day21]

  private var rows: [(MetricType?, DetectionEvaluation.Tally)] {
    evaluation.metrics.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
      + [(nil, evaluation.total)]
  }
}

extension EvaluationReport: Report {
  public func text(style: TextStyle) -> String {
    var table = TextTable([
      .init("Metric"), .init("Labels", .right), .init("Found", .right), .init("Delay", .right),
      .init("7/14/21", .right), .init("Alerts", .right), .init("Again", .right),
      .init(areLabelsComplete ? "False" : "No label", .right),
    ])
    table.rows = rows.map { metric, tally in
      [
        .init(metric?.words ?? "all"), .init(NumberText.count(tally.judged)),
        .init(NumberText.count(tally.found)),
        .init("\(Self.days(tally, 0.5))/\(Self.days(tally, 0.9))"),
        .init(
          Self.levels.map { "\(tally.reached[$0, default: 0])" }.joined(separator: "/")),
        .init(NumberText.count(tally.alerts)), .init(NumberText.count(tally.repeated)),
        .init(NumberText.count(tally.others)),
      ]
    }
    return "\(headline)\n\n\(table.render(style))\n\(rate)"
  }

  /// One sentence that says it all.
  private var headline: String {
    let total = evaluation.total
    let name = profile.map { "\($0.terminalSafe) found" } ?? "Found"
    var text = "\(name) \(total.found) of \(NumberText.count(total.judged, "change"))"
    if total.unjudged > 0 { text += " that could be judged" }
    text += " in \(NumberText.count(persons, "person"))"
    let median = total.delays.quantile(0.5).estimate
    if total.found > 0, median.isFinite { text += ", half by day \(Int(clamping: median))" }
    text += areLabelsComplete ? ", with \(NumberText.count(total.others, "false alert"))" : ""
    text += "."
    if labelsOutside > 0 {
      text +=
        "\n\(NumberText.count(labelsOutside, "change begins", "changes begin")) on other days, and"
        + " \(labelsOutside == 1 ? "does" : "do") not count."
    }
    guard total.unjudged > 0 else { return text }
    let lacking =
      total.unjudged == 1 ? "One more has" : "\(NumberText.count(total.unjudged)) more have"
    return "\(text)\n\(lacking) too few days with data to be judged."
  }

  private var rate: String {
    let total = evaluation.total
    var lines = [
      "\(days.lowerBound) to \(days.upperBound). Delay: days until half / nine tenths of the",
      "labels were found. Again: alerts of a change that was found before.",
      "A person-year is 365 days of persons that could be judged, of \(NumberText.count(personDays)).",
    ]
    if let rate = total.alertsPerPersonYear(personDays: personDays) {
      lines.append("Alerts in a person-year: \(Self.interval(rate, 1)).")
    }
    if evaluation.events.count < total.alerts, personDays > 0 {
      lines.append(
        "Events in a person-year: \(Self.interval(perYear(evaluation.events.count), 1)).")
      if areLabelsComplete {
        lines.append(
          "False events in a person-year: \(Self.interval(perYear(evaluation.events.others), 1)).")
      }
    }
    if let recall = total.recall {
      lines.append("Share of labels found (recall): \(Self.interval(recall, 100)) %.")
    }
    if areLabelsComplete, let precision = total.precision {
      lines.append("Share of alerts that are true (precision): \(Self.interval(precision, 100)) %.")
    }
    return lines.map { "\($0)\n" }.joined()
  }

  private func perYear(_ count: Int) -> ExactInterval {
    .poisson(count: count, exposure: Double(personDays) / 365)
  }

  /// A quantile of the delays; a dash where fewer were found.
  private static func days(_ tally: DetectionEvaluation.Tally, _ share: Double) -> String {
    let days = tally.delays.quantile(share).estimate
    return days.isFinite ? "\(Int(clamping: days))" : "–"
  }

  private static func interval(_ value: ExactInterval, _ scale: Double) -> String {
    "\(NumberText.value(value.estimate * scale))"
      + " [\(NumberText.value(value.lower * scale)), \(NumberText.value(value.upper * scale))]"
  }
}

extension EvaluationReport: Encodable {
  private enum CodingKeys: CodingKey {
    case profile, firstDay, lastDay, persons, judgedPersonDays, labelsOutside, labelsComplete,
      total, metrics,
      events
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(OrNull(profile), forKey: .profile)
    try container.encode(days.lowerBound, forKey: .firstDay)
    try container.encode(days.upperBound, forKey: .lastDay)
    try container.encode(persons, forKey: .persons)
    try container.encode(personDays, forKey: .judgedPersonDays)
    try container.encode(labelsOutside, forKey: .labelsOutside)
    try container.encode(areLabelsComplete, forKey: .labelsComplete)
    try container.encode(document(evaluation.total, nil), forKey: .total)
    try container.encode(
      evaluation.metrics.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { document($0.value, $0.key) },
      forKey: .metrics)
    let events = evaluation.events
    try container.encode(
      EventsDocument(
        events: events.count, others: events.others,
        eventsPerPersonYear: OrNull(personDays > 0 ? perYear(events.count) : nil),
        othersPerPersonYear: OrNull(personDays > 0 ? perYear(events.others) : nil)),
      forKey: .events)
  }

  private struct EventsDocument: Encodable {
    var events, others: Int
    var eventsPerPersonYear, othersPerPersonYear: OrNull<ExactInterval>
  }

  private struct TallyDocument: Encodable {
    var metricType: OrNull<MetricType>
    var labels, judged, found: Int
    var recall, precision, alertsPerPersonYear: OrNull<ExactInterval>
    /// Days; null where fewer were found.
    var medianDelay, ninthDecileDelay: OrNull<Double>
    var reached7, reached14, reached21: Int
    var alerts, finding, repeated, others: Int
  }

  private func document(
    _ tally: DetectionEvaluation.Tally, _ metric: MetricType?
  ) -> TallyDocument {
    func delay(_ share: Double) -> OrNull<Double> {
      let days = tally.delays.quantile(share).estimate
      return OrNull(days.isFinite ? days : nil)
    }
    return TallyDocument(
      metricType: OrNull(metric), labels: tally.labels, judged: tally.judged, found: tally.found,
      recall: OrNull(tally.recall),
      precision: OrNull(areLabelsComplete ? tally.precision : nil),
      alertsPerPersonYear: OrNull(tally.alertsPerPersonYear(personDays: personDays)),
      medianDelay: delay(0.5), ninthDecileDelay: delay(0.9),
      reached7: tally.reached[.day7, default: 0], reached14: tally.reached[.day14, default: 0],
      reached21: tally.reached[.day21, default: 0],
      alerts: tally.alerts, finding: tally.finding, repeated: tally.repeated, others: tally.others)
  }
}
