public import Foundation
public import VigilAnalysis
public import VigilCharts
import VigilDetection
public import VigilModel
import VigilStorage

/// The output of `vigil explain --metric inactivity`: the decision about one day of a person's silence.
public struct SilenceExplanationReport: Sendable {
  public let explanation: SilenceExplanation
  /// The person and the rules.
  public let subject: ExplainedPerson
  /// The rows that the database holds of the decision.
  public var stored = StoredDecision()

  /// - Parameters:
  ///   - explanation: The decision.
  ///   - subject: The person, and the profile that it was decided with.
  public init(_ explanation: SilenceExplanation, of subject: ExplainedPerson) {
    self.explanation = explanation
    self.subject = subject
  }

  /// The silent days in a row, of the 60 days up to the explained one.
  ///
  /// - Parameter evaluated: By run, its last evaluated day.
  public func strip(evaluated: [UUID: Day] = [:]) -> SeriesStrip {
    let day = explanation.day
    return SeriesStrip(
      of: explanation, on: (day - 59)...day, label: explanation.series.metric.words,
      unit: explanation.series.metric.unitBesideName, marks: stored.notifications.marks(evaluated))
  }
}

extension SilenceExplanationReport: DecisionReport {
  public func text(style: TextStyle) -> String { decisionText(style) }

  var chart: String? { nil }

  var pairs: [(String, String)] {
    [
      dayPair, ("Thresholds", subject.profile.version.terminalSafe), ("Silent", silentText),
      ("Opens with", opensText), ("Before", state(explanation.before)),
      ("After", state(explanation.after)),
    ]
  }

  func sections(_ style: TextStyle) -> [String] { [] }

  var figures: JSONFields { explanation.fields(of: subject) }

  public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }

  private var opensText: String {
    switch explanation.series {
    case .checkInOverdue(let settings):
      return "\(NumberText.count(settings.openAfterDays, "silent day")) or more, at most"
        + " \(settings.watchedDays)"
    case .inactivity(let settings):
      guard let habit = explanation.habit else {
        return
          "\(settings.minDays) to \(NumberText.count(settings.maxDays, "silent day")), by habit"
      }
      return "\(NumberText.count(habit.threshold, "silent day")); \(habit.words)"
    }
  }

  private var silentText: String {
    guard let count = explanation.count else { return "longer than was read" }
    guard count > 0, let since = explanation.silentSince else { return "no" }
    return "\(NumberText.count(count, "day")), since \(since)"
  }
}
