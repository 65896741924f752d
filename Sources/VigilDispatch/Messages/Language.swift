import Foundation
import Mustache
import VigilAlerts
import VigilModel
import VigilStorage
import VigilWords

/// One language, ready to render.
struct Language: Sendable {
  private let words: Words
  private let months: [String]
  private let reference: Texts
  private let messages: [String: Texts]

  private struct Texts: Sendable {
    var subject: MustacheTemplate
    var text: MustacheTemplate

    init(_ source: LanguageSource.Texts, named name: String) throws {
      do {
        subject = try Self.template(source.subject)
        text = try Self.template(source.text)
      } catch {
        throw MessageFault("the template \(name) is no Mustache")
      }
    }

    /// Messages are no HTML: nothing in them is escaped.
    private static func template(_ text: String) throws -> MustacheTemplate {
      try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}" + text)
    }
  }

  /// - Throws: `MessageFault` for a template that is none, or a sentence that is missing.
  init(_ source: LanguageSource, named name: String) throws {
    do {
      words = try Words(source.words)
    } catch let fault as Words.Fault {
      throw MessageFault("\(name).json: \(fault.description)")
    }
    months = source.months
    reference = try Texts(source.reference, named: "reference")
    messages = try Dictionary(
      uniqueKeysWithValues: source.messages.map { ($0.key, try Texts($0.value, named: $0.key)) })
  }

  func message(for row: ClaimedNotification, named name: String) -> Message? {
    guard let payload = MessagePayload(text: row.payload) else { return nil }
    let texts: Texts?
    var values: [String: any Sendable]
    switch payload {
    // A voice says nothing about health: others may hear it.
    case _ where row.channel == .call:
      (texts, values) = (messages["call.\(row.templateID)"] ?? messages["call"], [:])
    // Prompts, and calls upon caregivers and contacts, are all references, with words of their own.
    case .reference:
      let hasWords =
        EscalationNotice.Template(rawValue: row.templateID) != nil
        || Prompt.Kind(rawValue: row.templateID) != nil
      (texts, values) = (hasWords ? messages[row.templateID] ?? reference : reference, [:])
    case .standard(let alerts):
      texts = messages[row.templateID]
      values = context(of: alerts)
    }
    // The person is notified of themselves where the family has no administrator.
    values["self"] = row.recipient == row.member
    guard let texts else { return nil }
    func line(_ text: String) -> String {
      text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
    return Message(
      language: name, subject: line(texts.subject.render(values)), text: texts.text.render(values))
  }

  private func context(of alerts: [MessagePayload.Alert]) -> [String: any Sendable] {
    var values = alerts.first.map(context) ?? [:]
    values["alerts"] = alerts.map(context)
    values["count"] = alerts.count
    return values
  }

  /// The values that a template may name.
  private func context(of alert: MessagePayload.Alert) -> [String: any Sendable] {
    let summary = alert.summary
    var values: [String: any Sendable] = [
      "headline": words.headline(of: summary), "sentence": words.sentence(of: summary),
      "metric": words.title(of: summary.metric), "level": alert.level, "days": summary.days,
      "drop": alert.direction == .lower, "rise": alert.direction == .higher,
      "worse": alert.pattern == "worse_than_usual", "watch": alert.severity == "watch",
      "attention": alert.severity == "attention", "critical": alert.severity == "critical",
    ]
    if let limit = alert.belowLimit { values["below"] = limit }
    if let deviation = alert.deviation, Words.canSay(deviation: deviation) {
      values["percent"] = Int(clamping: (abs(deviation) * 100).rounded())
    }
    if let doses = alert.doses {
      var counts: [String: any Sendable] = [
        "recorded": doses.isRecorded, "usual_expected": doses.usual.expected,
      ]
      if doses.usual.missed > 0 { counts["usual_missed"] = doses.usual.missed }
      if let missed = doses.missed, let expected = doses.expected {
        (counts["missed"], counts["expected"]) = (missed, expected)
      }
      values["doses"] = counts
    }
    if let first = alert.activeSince, months.count == 12 {
      let date = first.components
      values["day"] = date.day
      values["month"] = months[date.month - 1]
    }
    if let days = alert.windowDays { values["window_days"] = days }
    if let metrics = alert.metrics { values["metrics"] = words.list(of: metrics) }
    return values
  }
}
