public import Foundation
import VigilAdherence
public import VigilAnalysis
public import VigilModel

/// The output of `vigil explain --medication`: each expected dose, and what the periods come to.
public struct DoseExplanationReport: Sendable {
  let explanation: DoseExplanation
  let person: UUID
  /// The ids of persons in the system their data come from.
  public var externalIDs: [UUID: String] = [:]
  /// The alerts about the medication that are active on the day.
  public var alerts: [PatternAlertState] = []

  /// - Parameters:
  ///   - explanation: The doses and their measures.
  ///   - person: The person.
  public init(_ explanation: DoseExplanation, of person: UUID) {
    self.explanation = explanation
    self.person = person
  }

  public var medication: UUID { explanation.medication }

  private func measures(_ kind: AdherencePeriod.Kind) -> AdherenceMeasures? {
    explanation.analytics.first { $0.period.kind == kind }?.measures
  }
}

extension DoseExplanationReport: Report {
  public func text(style: TextStyle) -> String {
    var parts = [sentence.wrapped(width: min(style.width ?? 79, 79)) + "\n"]
    parts.append(
      TextTable(
        pairs: [
          ("Person", PersonText.full(person, externalIDs)),
          ("Medication", explanation.medication.lowercased),
          ("Day", explanation.day.description),
        ] + alerts.map { ("Alert", words(of: $0)) }, indent: ""
      ).render(style))
    parts.append(periods(style))
    if !explanation.doses.isEmpty { parts.append(doses(style)) }
    if !explanation.extraDoses.isEmpty {
      parts.append(
        "\(NumberText.count(explanation.extraDoses.count, "record")) in these days"
          + " \(explanation.extraDoses.count == 1 ? "matches" : "match") no expected dose.\n")
    }
    parts.append(oppositeSentence.wrapped(width: min(style.width ?? 79, 79)) + "\n")
    return parts.joined(separator: "\n")
  }

  /// The words of an alert with its evidence.
  private func words(of alert: PatternAlertState) -> String {
    [alert.medicationWords, alert.episode.doses?.shortText].compactMap(\.self)
      .joined(separator: "; ")
  }

  var sentence: String {
    let today = explanation.doses.filter { $0.day == explanation.day }
    let counted = today.filter { $0.outcome != .plannedSkip && $0.outcome != .pending }
    let taken = counted.count { $0.outcome == .taken }
    let day =
      today.isEmpty
      ? "No dose was expected on \(explanation.day)."
      : "On \(explanation.day), \(taken) of \(NumberText.count(counted.count, "expected dose"))"
        + " \(counted.count == 1 ? "was" : "were") taken."
    guard let month = measures(.thirtyDays), let rate = month.takingAdherence else { return day }
    return day + " Over 30 days, \(NumberText.count(month.takenDoses)) of"
      + " \(NumberText.count(month.expectedDoses)) were, \(Self.percent(rate))."
  }

  private static func percent(_ rate: Double?) -> String {
    rate.map { "\(Int(clamping: ($0 * 100).rounded())) %" } ?? "–"
  }

  private func periods(_ style: TextStyle) -> String {
    var table = TextTable([
      .init("Period"), .init("Taken", .right), .init("Missed", .right), .init("Late", .right),
      .init("Extra", .right), .init("Taking", .right), .init("PDC", .right), .init("Adherent"),
    ])
    table.indent = "  "
    table.rows = explanation.analytics.map { row in
      let found = row.measures
      return [
        .init(row.period.kind.words),
        .init("\(NumberText.count(found.takenDoses)) of \(NumberText.count(found.expectedDoses))"),
        .init(NumberText.count(found.missedDoses)), .init(NumberText.count(found.lateDoses)),
        .init(NumberText.count(found.extraDoses)), .init(Self.percent(found.takingAdherence)),
        .init(Self.percent(found.pdc)),
        .init(found.isAdherent.map { $0 ? "yes" : "no" } ?? "–"),
      ]
    }
    return "Periods\n" + table.render(style)
  }

  private func doses(_ style: TextStyle) -> String {
    var table = TextTable([
      .init("Day"), .init("Due (UTC)"), .init("Outcome"), .init("Timing"), .init("Record"),
    ])
    table.indent = "  "
    table.rows = explanation.doses.map { dose in
      [
        .init(dose.day.description), .init(dose.time.minuteText), .init(dose.outcome.words),
        .init(dose.timing?.words ?? "–"), .init(dose.record?.shortened ?? "none"),
      ]
    }
    return "Doses\n" + table.render(style)
  }

  /// The least that would have made the 30 days adherent, or has kept them so.
  private var oppositeSentence: String {
    guard let month = measures(.thirtyDays), let missing = month.daysToAdherent else {
      return "No dose was expected in the 30 days, so they are neither adherent nor not."
    }
    if missing > 0 {
      return
        "With \(NumberText.count(missing, "more day")) on which all doses are taken, the 30 days"
        + " would count as adherent (80 % of \(NumberText.count(month.daysExpected, "day")))."
    }
    let spare = month.daysCovered - (month.daysExpected * 4 + 4) / 5
    return
      "The 30 days count as adherent; \(NumberText.count(spare + 1, "more day")) without all doses"
      + " and they would not."
  }
}

extension DoseExplanationReport {
  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields =
      explanation.fields(of: person) + [
        "external_id": externalIDs[person],
        "sentence": sentence,
        "opposite_sentence": oppositeSentence,
        "alerts": alerts.map { $0.fields(externalIDs, course: nil, limits: AlertLimits()) },
      ]
    try fields.encode(to: encoder)
  }
}

extension AdherencePeriod.Kind {
  fileprivate var words: String {
    switch self {
    case .sevenDays: "7 days"
    case .thirtyDays: "30 days"
    case .ninetyDays: "90 days"
    case .calendarMonth: "last month"
    }
  }
}
