import Foundation
public import VigilAnalysis
import VigilDetection
import VigilModel
import VigilStorage

/// The output of `vigil explain`: the decision about one day of one series, step by step.
public struct ExplanationReport: Sendable {
  public let explanation: Explanation
  /// The person and the rules.
  public let subject: ExplainedPerson
  /// The rows that the database holds of the decision.
  public var stored = StoredDecision()
  /// Days of the chart with their values, and its text.
  public var chart: String?

  /// - Parameters:
  ///   - explanation: The decision.
  ///   - subject: The person, and the profile that it was decided with.
  public init(_ explanation: Explanation, of subject: ExplainedPerson) {
    self.explanation = explanation
    self.subject = subject
    stored.limits = AlertLimits(
      explanation.metric.limit, of: explanation.metric.metric, in: subject.profile)
  }
}

extension ExplanationReport: DecisionReport {
  public func text(style: TextStyle) -> String { decisionText(style) }

  func sections(_ style: TextStyle) -> [String] {
    comparison(style) + [observationsSection(style)].compactMap(\.self)
  }

  var pairs: [(String, String)] {
    let metric = explanation.metric
    var pairs = [
      ("Metric", "\(metric.metric.words), \(explanation.patternText)"), dayPair,
      ("Thresholds", "\(subject.profile.version.terminalSafe), \(explanation.detectorText)"),
    ]
    if let words = subject.sensitivity.words(under: metric.detector) {
      pairs.append(("Sensitivity", words))
    }
    pairs.append(("Value", valueText))
    if let wear = explanation.wear { pairs.append(("Device", wear.words)) }
    pairs.append(("Before", state(explanation.before)))
    pairs.append(("After", state(explanation.after, waiting: explanation.wait?.words())))
    return pairs
  }

  private var valueText: String {
    let text = explanation.value.map { explanation.text($0) } ?? "none"
    return explanation.isSuppressed ? text + ", on a workout day" : text
  }

  var figures: JSONFields {
    let unit = explanation.metricType.unit
    return explanation.fields(of: subject)
      + ["unit": unit.isEmpty ? String?.none : unit]
  }

  public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}
