public import VigilModel

/// The columns of the tables that can be exported.
public enum ExportColumns {
  /// Rows of `pattern_alert_state`.
  public static let alerts: [ExportColumn<Exported<PatternAlertState>>] = [
    .uuid("id", "The alert; the same episode has the same id in every database.") { $0.id },
    .text(
      "profile", "The thresholds profile that found the episode, with the beginning of its digest."
    ) {
      $0.profile.id
    },
    .uuid("user_id", "The person.") { $0.series.user },
    .text("external_id", "The person's id in the system the data come from.") {
      $0.externalIDs[$0.series.user]
    },
    .uuid("medication_id", "The medication, by id only. Missing for an alert about the person.") {
      $0.series.medication
    },
    .text("metric_type", "The metric, such as steps.") { $0.series.metric.rawValue },
    .text("metric_unit", "The unit of the metric; missing where Vigil does not know it.") {
      $0.series.metric.unit.isEmpty ? nil : $0.series.metric.unit
    },
    .text(
      "pattern_type",
      "drop_vs_baseline, rise_vs_baseline, worse_than_usual, silence, critical_value_below, critical_value_above, or"
        + " medication for an alert about one."
    ) { $0.series.pattern.rawValue },
    .uuid("event_id", "The alert that started the event of this one: its own id, where it did.") {
      $0.eventID
    },
    .text("episode_status", "active or resolved.") { $0.episode.isActive ? "active" : "resolved" },
    .date("active_since", "The first day of the episode.") { $0.episode.activeSince },
    .date("last_evaluated_date", "The last day that changed the episode.") {
      $0.episode.lastEvaluated
    },
    .integer(
      "consecutive_true_days", unit: "days",
      "Days from active_since to the last deviating day, both included."
    ) { $0.episode.duration },
    .integer(
      "current_level", unit: "days", "The level that the episode has reached: 3, 7, 14 or 21."
    ) {
      $0.episode.level.rawValue
    },
    .text("severity", "watch (level 3), attention (7) or critical (14 and 21).") {
      $0.severity.rawValue
    },
    .integer("last_notified_level", unit: "days", "The highest level that a live run notified of.")
    {
      $0.lastNotifiedLevel?.rawValue
    },
    .instant("last_notified_at", "When a live run last notified.") { $0.lastNotifiedAt },
    .integer(
      "shadow_notified_level", unit: "days",
      "The highest level that a shadow run would have notified of."
    ) { $0.shadowNotifiedLevel?.rawValue },
    .date("snooze_until", "The day on which a snooze is over.") { $0.snoozeUntil },
    .instant("dismissed_at", "When a member dismissed the alert.") { $0.dismissedAt },
    .instant("acknowledged_at", "When a member acknowledged the alert.") { $0.acknowledgedAt },
    .uuid("acknowledged_by", "The member who did.") { $0.acknowledgedBy },
    .date("baseline_start", "The first day of the baseline.") { $0.episode.figures.baseline.start },
    .date("baseline_end", "The last day of the baseline.") { $0.episode.figures.baseline.end },
    .integer("baseline_days", unit: "days", "Days with a value in the baseline.") {
      $0.episode.figures.baseline.count
    },
    .number(
      "baseline_value", unit: "metric_unit",
      "The usual value of the person; of values beyond a limit the limit."
    ) {
      $0.episode.figures.baseline.value
    },
    .date("recent_start", "The first of the recent days, which are compared with the baseline.") {
      $0.episode.figures.recent.start
    },
    .date("recent_end", "The last of the recent days.") { $0.episode.figures.recent.end },
    .number("recent_value", unit: "metric_unit", "The value of the recent days.") {
      $0.episode.figures.recent.value
    },
    .number(
      "deviation_fraction", unit: "fraction",
      "Recent value minus baseline, as a fraction of the baseline: -0.5 is half of it. Missing where the"
        + " baseline is 0."
    ) { $0.episode.figures.deviation },
    .date(
      "opened_on",
      "The day on which the evidence, the silence of inactivity, or the values beyond a limit, were enough. Missing, as the other columns"
        + " about evidence, where the profile compares means."
    ) { $0.episode.opening?.openedOn },
    .integer("window_days", unit: "days", "Days with a value in the window that gave the evidence.")
    {
      $0.episode.opening?.windowDays
    },
    .number(
      "evidence", unit: "standard deviations",
      "The distance of the window from what is usual, in standard deviations of such windows; of missed"
        + " doses in nats; of a limit the value that opened the alert."
    ) { $0.episode.opening?.evidence },
    .number(
      "evidence_threshold", unit: "standard deviations",
      "The evidence that the day needed; of inactivity the silent days; of a limit the limit."
    ) { $0.episode.opening?.threshold },
    .number(
      "shift_spreads", unit: "personal spreads",
      "The mean of the window, away from what is usual; positive is bad. Missing for missed doses."
    ) { $0.episode.opening?.shift },
    .integer(
      "longest_pause_days", unit: "days",
      "The longest time without data in the half-year before a silence. Missing for other alerts."
    ) { $0.episode.silence?.longestPause },
    .date("resolved_on", "The day on which the episode ended.") { $0.episode.resolution?.day },
    .text(
      "resolution_reason",
      "Why it ended: recovered, superseded, no_data, rebased, recalibrated, left, limit_ended, retracted or profile_changed."
    ) { $0.episode.resolution?.reason.rawValue },
    .text("thresholds_version", "Version of the thresholds file.") { $0.profile.version },
    .text("thresholds_digest", "SHA-256 of the thresholds file, in hexadecimal.") {
      $0.profile.digest
    },
  ]
}
