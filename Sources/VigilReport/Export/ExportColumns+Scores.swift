public import VigilModel

extension ExportColumns {
  /// Rows of `trend_insights`.
  public static let insights: [ExportColumn<Exported<TrendInsight>>] = [
    .uuid("id", "The insight; the same one has the same id in every database.") { $0.id },
    .uuid("user_id", "The person.") { $0.user },
    .text("external_id", "The person's id in the system the data come from.") {
      $0.externalIDs[$0.user]
    },
    .text("pillar", "sleep, movement, stress or adherence.") { $0.pillar.rawValue },
    .date(
      "insight_date",
      "The evaluated day; of a co-occurrence the first day that both episodes share."
    ) { $0.day },
    .text("rule", "The rule that matched, such as drop_vs_baseline or missed_streak.") {
      $0.rule.rawValue
    },
    .text("severity", "attention or celebrate.") { $0.severity.rawValue },
    .number("recent_mean", unit: "points", "The mean of the recent scores, 0 to 100.") {
      $0.recent
    },
    .number("baseline_mean", unit: "points", "The mean of the scores before, 0 to 100.") {
      $0.baseline
    },
    .number("change_fraction", unit: "fraction", "Their difference as a fraction of the baseline.")
    {
      $0.change
    },
    .integer("coverage_days", unit: "days", "Days with a score in the window.") { $0.coverage },
    .number("confidence", unit: "fraction", "coverage_days as a fraction of the window.") {
      $0.confidence
    },
    .number(
      "slope_per_day", unit: "points a day", "The slope of the scores, where the rule uses one."
    ) {
      $0.slope?.perDay
    },
    .number("slope_lower", unit: "points a day", "The lower end of its confidence interval.") {
      $0.slope?.lower
    },
    .number("slope_upper", unit: "points a day", "The upper end of its confidence interval.") {
      $0.slope?.upper
    },
    .text("suppressed_reason", "recovered or retracted; missing while the insight holds.") {
      $0.suppressedReason?.rawValue
    },
    .uuid("medication_id", "The medication of an insight about missed doses or a refill.") {
      $0.medication
    },
    .integer("missed_doses", unit: "doses", "Doses missed in a row.") { $0.missed?.doses },
    .integer("days_without_dose", unit: "days", "Days in a row without a taken dose.") {
      $0.missed?.days
    },
    .number("days_left", unit: "days", "Days that a medication lasts, of a refill that is due.") {
      $0.daysLeft
    },
    .uuid("alert_state_id", "Of a co-occurrence, the alert about doses.") {
      $0.coOccurrence?.adherence
    },
    .uuid("related_alert_state_id", "Of a co-occurrence, the other alert.") {
      $0.coOccurrence?.other
    },
    .text("related_metric_type", "The metric of the other alert.") {
      $0.coOccurrence?.otherMetric.rawValue
    },
  ]

  /// Rows of `vitality_scores`.
  public static let scores: [ExportColumn<Exported<VitalityScore>>] = [
    .uuid("user_id", "The person.") { $0.user },
    .text("external_id", "The person's id in the system the data come from.") {
      $0.externalIDs[$0.user]
    },
    .date("score_date", "The day.") { $0.day },
    .integer("total_score", unit: "points", "The score of all pillars, 0 to 100.") { $0.total },
    .integer("sleep_score", unit: "points", "The score of sleep, 0 to 100.") { $0.sleep },
    .integer("movement_score", unit: "points", "The score of movement, 0 to 100.") { $0.movement },
    .integer(
      "stress_score", unit: "points", "The score of stress, 0 to 100; high is little stress."
    ) {
      $0.stress
    },
    .text("schema_version", "Version of the settings that gave the scores.") { $0.schemaVersion },
    .text("source", "vigil for scores that Vigil computed, else the program that did.") {
      $0.source
    },
  ]

  /// Observations as detection sees them: sources merged, and without values that are implausible or not worn.
  public static let observations: [ExportColumn<Exported<Observation>>] = [
    .uuid("user_id", "The person.") { $0.user },
    .text("external_id", "The person's id in the system the data come from.") {
      $0.externalIDs[$0.user]
    },
    .date("metric_date", "The day.") { $0.day },
    .text("metric_type", "The metric, such as steps.") { $0.metric.rawValue },
    .text("metric_unit", "The unit of the metric; missing where Vigil does not know it.") {
      $0.metric.unit.isEmpty ? nil : $0.metric.unit
    },
    .number("value", unit: "metric_unit", "The value of the day. A day without one has no row.") {
      $0.value.value
    },
  ]
}
