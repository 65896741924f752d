public import Foundation
public import VigilModel
import VigilStorage
public import VigilVitality

/// The output of `vigil explain --score`: a score with the sub-metrics that it is made of.
public struct ScoreExplanationReport: Sendable {
  let explanation: ScoreExplanation
  /// Nil for the total.
  let pillar: Pillar?
  let person: UUID
  /// The row of the day in `vitality_scores`; nil where there is none.
  public var stored: VitalityScore?
  /// Insights of the day into the pillar.
  public var insights: [TrendInsight] = []
  /// The scores of the days up to the explained one, drawn; nil for none.
  public var chart: String?
  /// The ids of persons in the system their data come from.
  public var externalIDs: [UUID: String] = [:]

  /// - Parameters:
  ///   - explanation: The scores of the day.
  ///   - pillar: The score to explain; nil for the total.
  ///   - person: The person.
  public init(_ explanation: ScoreExplanation, of pillar: Pillar?, person: UUID) {
    self.explanation = explanation
    self.pillar = pillar
    self.person = person
  }

  private var shown: [ScoreExplanation.Pillar] {
    explanation.pillars.filter { pillar == nil || $0.pillar == pillar }
  }

  private var score: Int? {
    pillar == nil ? explanation.total : shown.first?.score
  }

  private var storedScore: Int? {
    switch pillar {
    case nil: stored?.total
    case .sleep: stored?.sleep
    case .movement: stored?.movement
    case .stress: stored?.stress
    case .adherence: nil
    }
  }

  private var name: String { pillar?.rawValue ?? "total" }
}

extension ScoreExplanationReport: Report {
  public func text(style: TextStyle) -> String {
    var parts = [sentence.wrapped(width: min(style.width ?? 79, 79)) + "\n"]
    if let chart { parts.append(chart) }
    parts.append(
      TextTable(
        pairs: [
          ("Person", PersonText.full(person, externalIDs)),
          ("Day", explanation.day.description),
          ("Age group", explanation.ageGroup),
          ("Stored", storedText),
        ], indent: ""
      ).render(style))
    for pillar in shown { parts.append(section(pillar, style)) }
    parts.append(insightText)
    return parts.joined(separator: "\n")
  }

  /// The score, and what costs it most.
  var sentence: String {
    if let stored, stored.isForeign {
      return
        "The \(name) score of \(explanation.day) is \(storedScore.map(String.init) ?? "missing"),"
        + " as another system gave it; below is what Vigil would compute."
    }
    guard let score else {
      return
        "There is no \(name) score on \(explanation.day): too few of its metrics have a value in"
        + " the days before."
    }
    let text = "The \(name) score of \(explanation.day) is \(score) of 100."
    let parts = shown.flatMap(\.parts).filter { $0.score != nil }
    guard let worst = parts.max(by: { $0.lostPoints < $1.lostPoints }), worst.lostPoints >= 0.5,
      let value = worst.value
    else { return text + " Nothing costs it points." }
    return text + " Most of what is missing is \(worst.subMetric.words) of"
      + " \(NumberText.value(value))\(worst.subMetric.unitText), which costs \(NumberText.value(worst.lostPoints)) points"
      + (pillar == nil ? " of its pillar." : ".")
  }

  private var storedText: String {
    guard stored != nil else { return "nothing" }
    let text = storedScore.map { "\($0)" } ?? "no \(name) score"
    return stored?.isForeign == true ? text + ", from another system" : text
  }

  private func section(_ pillar: ScoreExplanation.Pillar, _ style: TextStyle) -> String {
    var table = TextTable([
      .init("Sub-metric"), .init("Value", .right), .init("Good", .right),
      .init("Points", .right), .init("Weight", .right), .init("Costs", .right),
    ])
    table.indent = "  "
    table.rows = pillar.parts.map { part in
      [
        .init(part.subMetric.title), .init(part.value.map(NumberText.value) ?? "none"),
        .init(part.goodText), .init(part.score.map(String.init) ?? "–"),
        .init(String(part.weight)),
        .init(part.score == nil ? "–" : NumberText.value(part.lostPoints)),
      ]
    }
    let score = pillar.score.map(String.init) ?? "no score"
    return "\(pillar.pillar.rawValue.capitalized): \(score), weight \(pillar.weight)\n"
      + table.render(style)
  }

  private var insightText: String {
    guard !insights.isEmpty else { return "No insight of that day is about it.\n" }
    return insights.map { insight in
      let change = insight.change.map { ", \(NumberText.change($0))" } ?? ""
      let state = insight.suppressedReason.map { " (suppressed: \($0.rawValue))" } ?? ""
      return
        "Insight: \(insight.pillar.rawValue), \(insight.rule.rawValue.replacing("_", with: " "))"
        + "\(change)\(state)\n"
    }.joined()
  }
}

extension ScoreExplanationReport {
  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "user_id": person,
      "external_id": externalIDs[person],
      "date": explanation.day,
      "score": name,
      "sentence": sentence,
      "age_group": explanation.ageGroup,
      "value": score,
      "stored_value": storedScore,
      "stored_source": stored?.source,
      "pillars": shown.map { pillar -> JSONFields in
        [
          "pillar": pillar.pillar.rawValue,
          "weight": pillar.weight,
          "score": pillar.score,
          "sub_metrics": pillar.parts.map(\.fields),
        ]
      },
      "insights": insights.map { insight -> JSONFields in
        [
          "pillar": insight.pillar.rawValue,
          "rule": insight.rule.rawValue,
          "change": insight.change,
          "suppressed_reason": insight.suppressedReason?.rawValue,
        ]
      },
    ]
    try fields.encode(to: encoder)
  }
}

extension ScoreExplanation.Part {
  fileprivate var fields: JSONFields {
    [
      "name": subMetric.rawValue,
      "direction": direction.rawValue,
      "weight": weight,
      "value": value,
      "points": score,
      "lost_points": lostPoints,
      "optimal_low": bands.optimal.lowerBound,
      "optimal_high": bands.optimal.upperBound,
    ]
  }
}

extension ScoreExplanation.Part {
  /// The values that get the most points.
  fileprivate var goodText: String {
    switch direction {
    case .optimalRange:
      "\(NumberText.value(bands.optimal.lowerBound)) to \(NumberText.value(bands.optimal.upperBound))"
    case .higher: "\(NumberText.value(bands.optimal.upperBound)) or more"
    case .lower: "\(NumberText.value(bands.optimal.lowerBound)) or less"
    }
  }
}

extension SubMetric {
  fileprivate var words: String {
    switch self {
    case .sleepDuration: "sleep duration"
    case .restorative: "restorative sleep"
    case .sleepEfficiency: "sleep efficiency"
    case .awake: "time awake"
    case .movementMinutes: "movement"
    case .steps: "steps"
    case .activeCalories: "active calories"
    case .hrv: "heart rate variability"
    case .restingHeartRate: "resting heart rate"
    case .breathingRate: "breathing rate"
    }
  }

  private var unit: String? {
    switch self {
    case .sleepDuration: "h"
    case .restorative, .sleepEfficiency, .awake: "%"
    case .movementMinutes: "min"
    case .steps: nil
    case .activeCalories: "kcal"
    case .hrv: "ms"
    case .restingHeartRate: "bpm"
    case .breathingRate: "per min"
    }
  }

  /// The unit after a number.
  fileprivate var unitText: String { unit.map { " \($0)" } ?? "" }

  fileprivate var title: String { unit.map { "\(words) (\($0))" } ?? words }
}
