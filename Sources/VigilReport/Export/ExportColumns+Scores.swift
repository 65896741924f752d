public import VigilModel

extension ExportColumns {
  /// Rows of `trend_insights`.
  public static let insights: [ExportColumn<Exported<TrendInsight>>] = [
    .uuid("id") { $0.id },
    .uuid("user_id") { $0.user },
    .text("external_id", "The person's id in the system the data come from.") {
      $0.externalIDs[$0.user]
    },
    .text("pillar") { $0.pillar.rawValue },
    .date("insight_date") { $0.day },
    .text("rule") { $0.rule.rawValue },
    .text("severity") { $0.severity.rawValue },
    .number("recent_mean", unit: "points") { $0.recent },
    .number("baseline_mean", unit: "points") { $0.baseline },
    .number("change_fraction", unit: "fraction") { $0.change },
    .integer("coverage_days", unit: "days") { $0.coverage },
    .number("confidence", unit: "fraction") { $0.confidence },
    .number("slope_per_day", unit: "points a day") { $0.slope?.perDay },
    .number("slope_lower", unit: "points a day") { $0.slope?.lower },
    .number("slope_upper", unit: "points a day") { $0.slope?.upper },
    .text("suppressed_reason") { $0.suppressedReason?.rawValue },
    .uuid("medication_id") { $0.medication },
    .integer("missed_doses", unit: "doses") { $0.missed?.doses },
    .integer("days_without_dose", unit: "days") { $0.missed?.days },
    .number("days_left", unit: "days") { $0.daysLeft },
    .uuid("alert_state_id") { $0.coOccurrence?.adherence },
    .uuid("related_alert_state_id") { $0.coOccurrence?.other },
    .text("related_metric_type") { $0.coOccurrence?.otherMetric.rawValue },
  ]

  /// Rows of `vitality_scores`.
  public static let scores: [ExportColumn<Exported<VitalityScore>>] = [
    .uuid("user_id") { $0.user },
    .text("external_id", "The person's id in the system the data come from.") {
      $0.externalIDs[$0.user]
    },
    .date("score_date") { $0.day },
    .integer("total_score", unit: "points") { $0.total },
    .integer("sleep_score", unit: "points") { $0.sleep },
    .integer("movement_score", unit: "points") { $0.movement },
    .integer("stress_score", unit: "points") { $0.stress },
    .text("schema_version") { $0.schemaVersion },
    .text("source") { $0.source },
  ]

  /// Observations as detection sees them: sources merged, and without values that are implausible or not worn.
  public static let observations: [ExportColumn<Exported<Observation>>] = [
    .uuid("user_id", "The person.") { $0.user },
    .text("external_id", "The person's id in the system the data come from.") {
      $0.externalIDs[$0.user]
    },
    .date("metric_date", "The day.") { $0.day },
    .text("metric_type", "The metric, such as steps.") { $0.metric.rawValue },
    .text("metric_unit", "The unit of the metric; NULL where Vigil does not know it.") {
      $0.metric.unit.isEmpty ? nil : $0.metric.unit
    },
    .number("value", unit: "metric_unit", "The value of the day. A day without one has no row.") {
      $0.value.value
    },
  ]
}
