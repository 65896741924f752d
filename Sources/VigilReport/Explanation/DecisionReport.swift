import Foundation
import VigilAnalysis
import VigilModel

/// A decision with its sentences.
protocol WordedDecision: ExplainedDecision {
  /// The answer in a sentence or two for someone who knows neither statistics nor Vigil.
  var sentence: String { get }
  /// The change of the input that would have turned the answer.
  var oppositeSentence: String { get }
}

extension Explanation: WordedDecision {}
extension CombinedExplanation: WordedDecision {}
extension SilenceExplanation: WordedDecision {}

/// A report on the decision about one day: what explanations of all kinds of series have in common.
protocol DecisionReport: Report {
  associatedtype Decision: WordedDecision
  var explanation: Decision { get }
  var subject: ExplainedPerson { get }
  var stored: StoredDecision { get }
  /// The last days as lines of text; nil where there are none.
  var chart: String? { get }
  /// The lines about the decision between the person and the stored alert.
  var pairs: [(String, String)] { get }
  /// The sections about the figures that decided.
  func sections(_ style: TextStyle) -> [String]
  /// The figures that decided in JSON.
  var figures: JSONFields { get }
}

extension DecisionReport {
  func decisionText(_ style: TextStyle) -> String {
    let width = min(style.width ?? 79, 79)
    let lines =
      [("Person", PersonText.full(subject.id, stored.externalIDs))] + pairs
      + stored.pairs(of: explanation.after, on: explanation.day)
    var parts = [explanation.sentence.wrapped(width: width) + "\n"]
    if let chart { parts.append(chart) }
    parts.append(TextTable(pairs: lines, indent: "").render(style))
    parts += sections(style)
    if let section = stored.notificationsSection(style) { parts.append(section) }
    parts.append(explanation.oppositeSentence.wrapped(width: width) + "\n")
    return parts.joined(separator: "\n")
  }

  /// The day, and the run that has evaluated it.
  var dayPair: (String, String) { ("Day", "\(explanation.day), \(stored.runText)") }

  /// An episode in words; `waiting` says why it is still active.
  func state(_ episode: Episode?, waiting: String? = nil) -> String {
    guard let episode else { return "no alert" }
    if let resolution = episode.resolution {
      return "the alert since \(episode.activeSince) has ended: \(resolution.reason.words)"
    }
    return "alert since \(episode.activeSince), level \(episode.level.rawValue),"
      + " \(NumberText.count(episode.duration, "day"))" + (waiting.map { ", \($0)" } ?? "")
  }

  var fields: JSONFields {
    figures + stored.fields(of: subject.id, explanation) + [
      "sentence": explanation.sentence,
      "opposite_sentence": explanation.oppositeSentence,
    ]
  }
}
