public import VigilModel

/// The columns of the tables that can be exported.
public enum ExportColumns {
  /// Rows of `pattern_alert_state`.
  public static let alerts: [ExportColumn<Exported<PatternAlertState>>] = [
    .uuid("id") { $0.id },
    .text("profile") { $0.profile.id },
    .uuid("user_id") { $0.series.user },
    .text("external_id", "The person's id in the system the data come from.") {
      $0.externalIDs[$0.series.user]
    },
    .uuid("medication_id") { $0.series.medication },
    .text("metric_type") { $0.series.metric.rawValue },
    .text("metric_unit", "The unit of the metric; NULL where Vigil does not know it.") {
      $0.series.metric.unit.isEmpty ? nil : $0.series.metric.unit
    },
    .text("pattern_type") { $0.series.pattern.rawValue },
    .uuid("event_id") { $0.eventID },
    .text("episode_status") { $0.episode.isActive ? "active" : "resolved" },
    .date("active_since") { $0.episode.activeSince },
    .date("last_evaluated_date") { $0.episode.lastEvaluated },
    .integer("consecutive_true_days", unit: "days") { $0.episode.duration },
    .integer("current_level", unit: "days") { $0.episode.level.rawValue },
    .text("severity") { $0.severity.rawValue },
    .integer("last_notified_level", unit: "days") { $0.lastNotifiedLevel?.rawValue },
    .instant("last_notified_at") { $0.lastNotifiedAt },
    .integer("shadow_notified_level", unit: "days") { $0.shadowNotifiedLevel?.rawValue },
    .date("snooze_until") { $0.snoozeUntil },
    .instant("dismissed_at") { $0.dismissedAt },
    .instant("acknowledged_at") { $0.acknowledgedAt },
    .uuid("acknowledged_by") { $0.acknowledgedBy },
    .date("baseline_start") { $0.episode.figures.baseline.start },
    .date("baseline_end") { $0.episode.figures.baseline.end },
    .integer("baseline_days", unit: "days") { $0.episode.figures.baseline.count },
    .number("baseline_value", unit: "metric_unit") { $0.episode.figures.baseline.value },
    .date("recent_start") { $0.episode.figures.recent.start },
    .date("recent_end") { $0.episode.figures.recent.end },
    .number("recent_value", unit: "metric_unit") { $0.episode.figures.recent.value },
    .number("deviation_fraction", unit: "fraction") { $0.episode.figures.deviation },
    .date("opened_on") { $0.episode.opening?.openedOn },
    .integer("window_days", unit: "days") { $0.episode.opening?.windowDays },
    .number("evidence", unit: "standard deviations") { $0.episode.opening?.evidence },
    .number("evidence_threshold", unit: "standard deviations") { $0.episode.opening?.threshold },
    .number("shift_spreads", unit: "personal spreads") { $0.episode.opening?.shift },
    .integer("longest_pause_days", unit: "days") { $0.episode.silence?.longestPause },
    .date("resolved_on") { $0.episode.resolution?.day },
    .text("resolution_reason") { $0.episode.resolution?.reason.rawValue },
    .text("thresholds_version") { $0.profile.version },
    .text("thresholds_digest") { $0.profile.digest },
  ]
}
