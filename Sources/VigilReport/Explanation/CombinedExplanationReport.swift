public import Foundation
public import VigilAnalysis
import VigilDetection
public import VigilModel
import VigilStorage

/// The output of `vigil explain --metric combined`: the decision about one day of a person's metrics together.
public struct CombinedExplanationReport: Sendable {
  public let explanation: CombinedExplanation
  /// The person and the rules.
  public let subject: ExplainedPerson
  /// The person's own.
  let sensitivity: PersonalSensitivity
  /// The rows that the database holds of the decision.
  public var stored = StoredDecision()
  /// The last days as lines of text; nil where no metric has a baseline.
  public var chart: String?

  /// - Parameters:
  ///   - explanation: The decision.
  ///   - person: The person.
  ///   - profile: The profile that it was decided with.
  ///   - sensitivity: The person's own.
  public init(
    _ explanation: CombinedExplanation, of person: UUID, by profile: Profile,
    _ sensitivity: PersonalSensitivity
  ) {
    self.explanation = explanation
    subject = ExplainedPerson(person, by: profile, sensitivity[.combined])
    self.sensitivity = sensitivity
  }
}

extension CombinedExplanationReport: DecisionReport {
  public func text(style: TextStyle) -> String { decisionText(style) }

  var pairs: [(String, String)] {
    [dayPair, ("Thresholds", subject.profile.version.terminalSafe)]
      + (sensitivity.wordsTogether.map { [("Sensitivity", $0)] } ?? []) + values + [
        ("Before", state(explanation.before)), ("After", state(explanation.after)),
      ]
  }

  private var values: [(String, String)] {
    let lines = explanation.values.keys.sorted().map { metric in
      let unit = metric.unitBesideName
      return "\(metric.words) \(NumberText.value(explanation.values[metric] ?? 0))"
        + (unit.isEmpty ? "" : " \(unit)")
    }
    let all =
      (lines.isEmpty ? ["none"] : lines) + (explanation.isWorkoutDay ? ["on a workout day"] : [])
    return all.enumerated().map { ($0.offset == 0 ? "Values" : "", $0.element) }
  }

  var figures: JSONFields { explanation.fields(of: subject) }

  public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }

  // MARK: Sections

  func sections(_ style: TextStyle) -> [String] {
    switch explanation.figures {
    case .evidence(let windows): sections(windows, style)
    case .recovery(let recovery): [section(recovery, style)]
    case nil: []
    }
  }

  private func sections(_ windows: [CombinedDay.Window], _ style: TextStyle) -> [String] {
    guard !windows.isEmpty else { return [] }
    var table = TextTable([
      .init("Window", .right), .init("Metrics", .right), .init("Evidence", .right),
      .init("Needed", .right), .init("Of"),
    ])
    table.indent = "  "
    table.rows = windows.map { window in
      [
        .init("\(NumberText.count(window.days, "day"))\(window.decides ? " *" : "")"),
        .init(String(window.metrics.count)),
        .init(window.evidence.map(NumberText.decimals) ?? "–"),
        .init(NumberText.decimals(window.threshold)),
        .init(window.contributing.map(\.words).joined(separator: ", ")),
      ]
    }
    let note =
      "  Evidence: of the metrics that show most together; – where too few are worse.\n"
      + "  A window with as much as is needed makes an alert; * marks the one that\n"
      + "  decided.\n"
    var parts = ["Windows\n" + table.render(style) + note]
    if let window = explanation.telling { parts.append(section(window, style)) }
    return parts
  }

  private func section(_ window: CombinedDay.Window, _ style: TextStyle) -> String {
    var table = TextTable([
      .init("Metric"), .init("Values", .right), .init("Mean", .right), .init("Usual", .right),
      .init("Spreads", .right), .init("z", .right), .init("Matters"), .init("Counts"),
    ])
    table.indent = "  "
    table.rows = window.metrics.map { metric in
      [
        .init(metric.metric.words), .init(String(metric.count)),
        .init(NumberText.value(metric.recent)), .init(NumberText.value(metric.baseline)),
        .init(NumberText.decimals(metric.shift)), .init(NumberText.decimals(metric.z)),
        .init(metric.matters ? "yes" : "no"), .init(metric.counts ? "yes" : "no"),
      ]
    }
    return "Metrics over \(NumberText.count(window.days, "day"))\n" + table.render(style)
      + "  Spreads: the mean shift in personal spreads, to the bad side.\n"
  }

  private func section(_ recovery: CombinedDay.Recovery, _ style: TextStyle) -> String {
    let pairs =
      (explanation.before?.combined?.pairs ?? []) + [
        ("Level", "\(NumberText.decimals(recovery.level)): 1 is as bad as at the opening, 0 usual"),
        (
          "Easing",
          recovery.isEasing
            ? "yes, \(NumberText.count(recovery.calmDays, "day")) with a value in a row" : "no"
        ),
        ("Recovery", "\(NumberText.decimals(recovery.evidence)) nats of evidence that it is over"),
      ]
    return "Course\n" + TextTable(pairs: pairs).render(style)
  }
}
