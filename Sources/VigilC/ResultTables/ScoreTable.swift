import CVigil
import VigilModel

/// The rows of `VIGIL_SCORES`: the columns of `vigil export scores` that do not depend on a database.
struct ScoreTable {
  private var table = ResultTable([
    .text("person"), .text("user_id"), .date("score_date"),
    .integer("total_score", nullable: true), .integer("sleep_score", nullable: true),
    .integer("movement_score", nullable: true), .integer("stress_score", nullable: true),
    .text("schema_version"), .text("source"),
  ])

  mutating func append(_ score: VitalityScore, of person: PersonRows) {
    table.beginRow()
    table.add(person.name)
    table.add(score.user)
    table.add(score.day.ordinal)
    for value in [score.total, score.sleep, score.movement, score.stress] {
      table.add(value.map(Int32.init))
    }
    table.add(score.schemaVersion)
    table.add(score.source)
  }

  mutating func take() -> ArrowArrayStream { table.take() }
}

/// The rows of `VIGIL_INSIGHTS`: the columns of `vigil export insights` that do not depend on a database.
struct InsightTable {
  private var table = ResultTable([
    .text("person"), .text("id"), .text("user_id"), .text("pillar"), .date("insight_date"),
    .text("rule"), .text("severity"), .number("recent_mean", nullable: true),
    .number("baseline_mean", nullable: true), .number("change_fraction", nullable: true),
    .integer("coverage_days"), .number("confidence"), .number("slope_per_day", nullable: true),
    .number("slope_lower", nullable: true), .number("slope_upper", nullable: true),
    .text("suppressed_reason", nullable: true), .text("medication", nullable: true),
    .text("medication_id", nullable: true), .integer("missed_doses", nullable: true),
    .integer("days_without_dose", nullable: true), .number("days_left", nullable: true),
    .text("alert_state_id", nullable: true), .text("related_alert_state_id", nullable: true),
    .text("related_metric_type", nullable: true),
  ])

  /// - Parameter medicationNames: By id, a medication as the caller names it.
  mutating func append(
    _ insight: TrendInsight, of person: PersonRows, medicationNames: [UUID: String]
  ) {
    table.beginRow()
    table.add(person.name)
    table.add(insight.id)
    table.add(insight.user)
    table.add(insight.pillar.rawValue)
    table.add(insight.day.ordinal)
    table.add(insight.rule.rawValue)
    table.add(insight.severity.rawValue)
    table.add(insight.recent)
    table.add(insight.baseline)
    table.add(insight.change)
    table.add(Int32(insight.coverage))
    table.add(insight.confidence)
    table.add(insight.slope?.perDay)
    table.add(insight.slope?.lower)
    table.add(insight.slope?.upper)
    table.add(insight.suppressedReason?.rawValue)
    table.add(insight.medication.map { medicationNames[$0] ?? $0.lowercased })
    table.add(insight.medication)
    table.add(insight.missed.map { Int32(clamping: $0.doses) })
    table.add(insight.missed.map { Int32(clamping: $0.days) })
    table.add(insight.daysLeft)
    table.add(insight.coOccurrence?.adherence)
    table.add(insight.coOccurrence?.other)
    table.add(insight.coOccurrence?.otherMetric.rawValue)
  }

  mutating func take() -> ArrowArrayStream { table.take() }
}
