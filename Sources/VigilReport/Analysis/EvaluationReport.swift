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
    if evaluation.ofLimits > 0 {
      let isOne = evaluation.ofLimits == 1
      lines += [
        "\(NumberText.count(evaluation.ofLimits, "alert")) of limits \(isOne ? "is" : "are") counted in none of these: a limit says",
        "what was asked for, and not what detection found.",
      ]
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
  public func encode(to encoder: any Encoder) throws {
    let events = evaluation.events
    let eventFields: JSONFields = [
      "events": events.count,
      "others": events.others,
      "events_per_person_year": personDays > 0 ? perYear(events.count).json : .null,
      "others_per_person_year": personDays > 0 ? perYear(events.others).json : .null,
    ]
    let fields: JSONFields = [
      "profile": profile,
      "first_day": days.lowerBound,
      "last_day": days.upperBound,
      "persons": persons,
      "judged_person_days": personDays,
      "labels_outside": labelsOutside,
      "labels_complete": areLabelsComplete,
      "total": tally(evaluation.total, nil),
      "metrics": evaluation.metrics.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { tally($0.value, $0.key) },
      "events": eventFields,
      "limit_alerts": evaluation.ofLimits,
    ]
    try fields.encode(to: encoder)
  }

  private func tally(
    _ tally: DetectionEvaluation.Tally, _ metric: MetricType?
  ) -> JSONFields {
    [
      "metric_type": metric?.rawValue,
      "labels": tally.labels,
      "judged": tally.judged,
      "found": tally.found,
      "recall": tally.recall,
      "precision": areLabelsComplete ? tally.precision.json : .null,
      "alerts_per_person_year": tally.alertsPerPersonYear(personDays: personDays),
      // Days; null where fewer were found.
      "median_delay": tally.delays.quantile(0.5).estimate,
      "ninth_decile_delay": tally.delays.quantile(0.9).estimate,
      "reached7": tally.reached[.day7, default: 0],
      "reached14": tally.reached[.day14, default: 0],
      "reached21": tally.reached[.day21, default: 0],
      "alerts": tally.alerts,
      "finding": tally.finding,
      "repeated": tally.repeated,
      "others": tally.others,
    ]
  }
}
