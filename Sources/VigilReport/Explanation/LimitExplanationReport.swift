public import Foundation
public import VigilAnalysis
public import VigilCharts
import VigilDetection
public import VigilModel
import VigilStorage

/// The output of `vigil explain --metric spo2_avg_pct --limit below`: the decision about one day of a person's limit.
public struct LimitExplanationReport: Sendable {
  public let explanation: LimitExplanation
  /// The person and the rules.
  public let subject: ExplainedPerson
  /// The rows that the database holds of the decision.
  public var stored = StoredDecision()
  /// The last days as lines of text; nil where there are none.
  public var chart: String?

  /// - Parameters:
  ///   - explanation: The decision.
  ///   - subject: The person, and the profile that it was decided with.
  public init(_ explanation: LimitExplanation, of subject: ExplainedPerson) {
    self.explanation = explanation
    self.subject = subject
  }

  /// The values of the 60 days up to the explained one, with the limit as a line.
  ///
  /// - Parameters:
  ///   - series: The series that was explained.
  ///   - evaluated: By run, its last evaluated day.
  public func strip(of series: ExplainedSeries, evaluated: [UUID: Day] = [:]) -> SeriesStrip {
    SeriesStrip(
      of: explanation, series, on: (explanation.day - 59)...explanation.day,
      label: explanation.metric.words, unit: explanation.metric.unitBesideName,
      marks: stored.notifications.marks(evaluated))
  }
}

extension LimitExplanationReport: DecisionReport {
  public func text(style: TextStyle) -> String { decisionText(style) }

  var pairs: [(String, String)] {
    let limits = explanation.limits.map { ("Limit", explanation.words(of: $0)) }
    return [
      dayPair, ("Thresholds", subject.profile.version.terminalSafe),
      ("Value", explanation.value.map(explanation.text) ?? "none"),
    ] + (limits.isEmpty ? [("Limit", "none on this day")] : limits) + [
      ("Before", state(explanation.before)), ("After", state(explanation.after)),
    ]
  }

  func sections(_ style: TextStyle) -> [String] {
    guard !explanation.values.isEmpty else { return [] }
    var table = TextTable([.init("Day"), .init("Value", .right), .init("")])
    table.indent = "  "
    table.rows = explanation.values.map { value in
      [
        .init(value.day.description), .init(explanation.text(value.value)),
        .init(value.isBeyond.map { $0 ? "beyond" : "within" } ?? "no limit"),
      ]
    }
    return ["Values of 14 days\n" + table.render(style)]
  }

  var figures: JSONFields { explanation.fields(of: subject) }

  public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}
