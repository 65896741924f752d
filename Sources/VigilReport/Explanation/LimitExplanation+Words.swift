import VigilAnalysis
import VigilDetection
import VigilModel

extension LimitExplanation: WordedDecision {
  /// The answer in a sentence.
  var sentence: String {
    let level = after.map { "level \($0.level.rawValue)" } ?? ""
    switch change {
    case .none: return "No alert of \(metric.words) \(side) a limit on \(day): \(reasonForNone)"
    case .opened, .superseded:
      return "Alert of \(level), opened on \(day): the value of \(metric.words) \(reasonForOpening)"
    case .escalated(let from):
      return
        "Alert of \(level) on \(day), until now of level \(from.rawValue): the value of \(metric.words)"
        + " \(last)."
    case .extended:
      return "Alert of \(level) on \(day), and it goes on: the value of \(metric.words) \(last)."
    case .continued: return "Alert of \(level) on \(day), and it stays: \(reasonForWaiting)"
    case .resolved(let reason):
      return "The alert of \(metric.words) \(side) a limit ended on \(day): \(end(reason))"
    }
  }

  /// The change of the input that would have turned the answer.
  var oppositeSentence: String {
    guard !limits.isEmpty else { return "Without a limit, no value would lead to an alert." }
    if isActive {
      return "The alert ends with \(NumberText.count(calmValues, "value")) in a row within the"
        + " limits, after 7 days without a value, or when no limit holds any more."
    }
    return "An alert opens with " + limits.map { opening(by: $0.limit) }.joined(separator: ", or ")
      + "."
  }

  private func opening(by limit: CriticalLimit) -> String {
    (limit.days == 1 ? "one value" : "\(limit.days) values in a row")
      + " \(side) \(text(limit.value))"
  }

  var side: String { direction.rawValue }

  func text(_ value: Double) -> String {
    NumberText.value(value) + (metric.unit.isEmpty ? "" : " \(metric.unit)")
  }

  /// The limit in words, with who set it: `below 90 %, 2 values in a row, attention; set by Dr. Lee, 2026-05-01..2026-06-30`.
  func words(of limit: Limit) -> String {
    let setter =
      limit.personal.map {
        "set by \($0.setBy.terminalSafe), \($0.days.lowerBound)..\($0.days.upperBound)"
      } ?? "of the thresholds, for all persons"
    return "\(limit.limit.rule); \(setter)"
  }

  private var reasonForNone: String {
    guard !limits.isEmpty else { return "no limit holds for this person on this day." }
    guard let value else { return "there is no value of this day." }
    let isBeyond = values.last.map { $0.day == day && $0.isBeyond == true } ?? false
    guard isBeyond else { return "\(text(value)) is within the limits." }
    return "\(text(value)) is beyond a limit, but the values before it are too few in a row."
  }

  private var reasonForOpening: String {
    guard let evidence = after?.limit else { return last + "." }
    let count = evidence.days == 1 ? "" : ", the last of \(evidence.days) values in a row"
    return "was \(text(evidence.value)), \(side) the limit of \(text(evidence.limit))\(count)."
  }

  /// The newest value beyond a limit.
  private var last: String {
    guard let figures = after?.figures else { return "is \(side) a limit" }
    return "was \(text(figures.recent.value)) on \(figures.recent.end), \(side) the limit of"
      + " \(text(figures.baseline.value))"
  }

  private var reasonForWaiting: String {
    guard let value else { return "there is no value of this day." }
    return
      "\(text(value)) is within the limits, but \(NumberText.count(calmValues, "value")) in a row"
      + " are needed."
  }

  private func end(_ reason: Episode.Resolution.Reason) -> String {
    switch reason {
    case .recovered: "\(NumberText.count(calmValues, "value")) in a row are within the limits."
    case .noData: "there has been no value for 7 days."
    case .limitEnded: "no limit holds any more."
    case .superseded, .rebased, .recalibrated, .retracted, .profileChanged, .left:
      reason.words + "."
    }
  }
}
