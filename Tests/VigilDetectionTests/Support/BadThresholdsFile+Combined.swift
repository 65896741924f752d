extension BadThresholdsFile {
  private static let metricsUnderEvidence =
    metricUnderEvidence + ", " + metricUnderEvidence.replacing("\"steps\"", with: "\"hrv_ms\"")

  /// A file whose metrics are followed together with some settings.
  private static func together(_ keys: String) -> String {
    file("\"detector\": \"evidence\", \"combined\": { \(keys) }", metrics: metricsUnderEvidence)
  }

  static let combined: [BadThresholdsFile] = [
    .init(
      reason: "metrics together in a file of means", text: Self.file("\"combined\": {}"),
      path: "$.combined",
      message: "unknown key; allowed are $schema, version, detector, horizon_days, warmup_days, "
        + "merge, non_wear, recent_days, baseline, recovery, episode, evidence, inactivity, "
        + "check_in_overdue, critical_limits, calibration, notify, metrics"),
    .init(
      reason: "unknown key of metrics together", text: together("\"windows\": [3]"),
      path: "$.combined.windows",
      message: "unknown key; allowed are enabled, metrics, windows_days, metric_evidence, "
        + "evidence_cap, matter_share, min_groups, max_age_days, groups, thresholds, correlation, "
        + "recovery"),
    .init(
      reason: "unknown metric together", text: together("\"metrics\": [\"steps\", \"mood\"]"),
      path: "$.combined.metrics[1]",
      message: "must be a list of 2 to 10 different metrics that evidence follows, is \"mood\"",
      isRefusedBySchema: false),
    .init(
      reason: "one metric together", text: together("\"metrics\": [\"steps\"]"),
      path: "$.combined.metrics",
      message: "must be a list of 2 to 10 different metrics that evidence follows, is an array"),
    .init(
      reason: "windows of metrics together that fall", text: together("\"windows_days\": [7, 3]"),
      path: "$.combined.windows_days[1]",
      message: "must be a list of different whole numbers from 2 to 365, ascending, is 3",
      isRefusedBySchema: false),
    .init(
      reason: "windows of metrics together beyond the horizon",
      text: together("\"windows_days\": [3, 201]"), path: "$.combined.windows_days",
      message: "cannot be longer than horizon_days (200)", isRefusedBySchema: false),
    .init(
      reason: "cap below the evidence that counts", text: together("\"evidence_cap\": 1"),
      path: "$.combined.evidence_cap", message: "cannot be less than metric_evidence (1.5)",
      isRefusedBySchema: false),
    .init(
      reason: "a metric in two groups",
      text: together("\"groups\": { \"a\": [\"steps\"], \"b\": [\"steps\", \"hrv_ms\"] }"),
      path: "$.combined.groups.b[0]",
      message: "must be a metric of combined that is in no other group, is \"steps\"",
      isRefusedBySchema: false),
    .init(
      reason: "no threshold for two metrics", text: together("\"thresholds\": { \"3\": 4 }"),
      path: "$.combined.thresholds.2",
      message: "is missing; the evidence needed where 2 metrics take part",
      isRefusedBySchema: false),
    .init(
      reason: "threshold of one metric", text: together("\"thresholds\": { \"1\": 4, \"2\": 4 }"),
      path: "$.combined.thresholds.1", message: "must be a number of metrics, from 2 to 10"),
    .init(
      reason: "correlation below 0",
      text: together("\"correlation\": { \"steps\": { \"hrv_ms\": -0.1 } }"),
      path: "$.combined.correlation.steps.hrv_ms",
      message: "must be a number from 0 to 0.99, is -0.1"),
    .init(
      reason: "correlation of a metric with itself",
      text: together("\"correlation\": { \"steps\": { \"steps\": 0.5 } }"),
      path: "$.combined.correlation.steps.steps", message: "must be another metric of combined",
      isRefusedBySchema: false),
    .init(
      reason: "correlation given twice",
      text: together(
        "\"correlation\": { \"hrv_ms\": { \"steps\": 0.5 }, \"steps\": { \"hrv_ms\": 0.5 } }"),
      path: "$.combined.correlation.steps.hrv_ms", message: "is given twice for these two metrics",
      isRefusedBySchema: false),
  ]
}
