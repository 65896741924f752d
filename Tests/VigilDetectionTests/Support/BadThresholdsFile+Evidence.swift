extension BadThresholdsFile {
  static let metricUnderEvidence = """
    "steps": { "pattern_type": "drop_vs_baseline", "rules": [{ "percent_drop_at_least": 0.25 }], \
    "transform": "sqrt", "prior_spread": 23.4, "prior_autocorrelation": 0.13, \
    "thresholds": { "10": 4.58 } }
    """

  /// A file whose own detector is `evidence`.
  private static func file(_ keys: String) -> String {
    file(
      "\"detector\": \"evidence\"" + (keys.isEmpty ? "" : ", " + keys),
      metrics: metricUnderEvidence)
  }

  /// The same with one part of the metric replaced.
  private static func metric(_ part: String, by replacement: String) -> String {
    file(
      "\"detector\": \"evidence\"",
      metrics: metricUnderEvidence.replacing(part, with: replacement))
  }

  static let evidence: [BadThresholdsFile] = [
    .init(
      reason: "unknown detector", text: Self.file("\"detector\": \"guess\"", metrics: steps),
      path: "$.detector", message: "\"guess\" is not one of \"means\", \"evidence\""),
    .init(
      reason: "recent days of a file under evidence", text: file("\"recent_days\": 3"),
      path: "$.recent_days",
      message: "unknown key; allowed are $schema, version, detector, horizon_days, warmup_days, "
        + "merge, non_wear, baseline, evidence, recovery, episode, combined, inactivity, "
        + "check_in_overdue, critical_limits, means, calibration, notify, metrics"
    ),
    .init(
      reason: "baseline of means in a file under evidence",
      text: file("\"baseline\": { \"mode\": \"anchored\" }"), path: "$.baseline.mode",
      message: "unknown key; allowed are max_days, min_days, guard_days"),
    .init(
      reason: "horizon too short for a baseline under evidence",
      text: file(
        "\"horizon_days\": 100, \"baseline\": { \"min_days\": 90 }, "
          + "\"episode\": { \"adopt_after_days\": 60 }"), path: "$.baseline.min_days",
      message: "a baseline of 90 needs 118 observations, more than horizon_days + 1 (101)",
      isRefusedBySchema: false),
    .init(
      reason: "least baseline above the largest under evidence",
      text: file("\"baseline\": { \"max_days\": 20, \"min_days\": 21 }"),
      path: "$.baseline.min_days", message: "21 cannot be more than max_days (20)",
      isRefusedBySchema: false),
    .init(
      reason: "windows that fall", text: file("\"evidence\": { \"windows\": [7, 3] }"),
      path: "$.evidence.windows[1]",
      message:
        "must be a list of different whole numbers from 2 to guard_days (28), ascending, is 3",
      isRefusedBySchema: false),
    .init(
      reason: "no window", text: file("\"evidence\": { \"windows\": [] }"),
      path: "$.evidence.windows",
      message: "must be a list of different whole numbers from 2 to guard_days (28), ascending, is "
        + "an array"),
    .init(
      reason: "unknown key of evidence", text: file("\"evidence\": { \"z\": 4 }"),
      path: "$.evidence.z",
      message: "unknown key; allowed are windows, span_factor, drift_allowance, clip, held, "
        + "spread_prior_days, spread_floor, weekday_prior_days, rho_prior_days, rho_max, "
        + "noise_prior_days"),
    .init(
      reason: "least level above the largest",
      text: file("\"recovery\": { \"level_min\": 3, \"level_max\": 2 }"),
      path: "$.recovery.level_min", message: "3 cannot be more than level_max (2)",
      isRefusedBySchema: false),
    .init(
      reason: "episodes longer than the horizon",
      text: file("\"episode\": { \"adopt_after_days\": 190 }"), path: "$.episode.adopt_after_days",
      message: "with max_unknown_days 204, cannot be more than horizon_days (200)",
      isRefusedBySchema: false),
    .init(
      reason: "calibration without a rate",
      text: file("\"calibration\": { \"simulated_series\": 8000 }"),
      path: "$.calibration.openings_per_series_year", message: "is missing"),
    .init(
      reason: "calibration with pauses of how many people",
      text: file(
        "\"calibration\": { \"simulated_series\": 1, \"openings_per_series_year\": 1, "
          + "\"pauses\": { \"fitted\": true } }"),
      path: "$.calibration.pauses.people", message: "is missing"),
    .init(
      reason: "calibration with people but without a fit",
      text: file(
        "\"calibration\": { \"simulated_series\": 1, \"openings_per_series_year\": 1, "
          + "\"metrics\": { \"steps\": { \"people\": 3 } } }"),
      path: "$.calibration.metrics.steps.fitted", message: "is missing"),
    .init(
      reason: "metric without transform", text: metric("\"transform\": \"sqrt\", ", by: ""),
      path: "$.metrics.steps.transform", message: "is missing; \"none\", \"sqrt\" or \"log\""),
    .init(
      reason: "metric without spread", text: metric("\"prior_spread\": 23.4, ", by: ""),
      path: "$.metrics.steps.prior_spread",
      message: "is missing; the detector \"evidence\" needs it"),
    .init(
      reason: "autocorrelation of 1",
      text: metric("\"prior_autocorrelation\": 0.13", by: "\"prior_autocorrelation\": 1"),
      path: "$.metrics.steps.prior_autocorrelation",
      message: "must be a fraction from 0 to 0.99, is 1"),
    .init(
      reason: "metric without thresholds",
      text: metric(", \"thresholds\": { \"10\": 4.58 }", by: ""),
      path: "$.metrics.steps.thresholds",
      message: "is missing; an object of the evidence needed by size of the baseline, such as "
        + "{ \"10\": 4.5, \"60\": 4.3 }"),
    .init(
      reason: "threshold of no size", text: metric("\"10\": 4.58", by: "\"ten\": 4.58"),
      path: "$.metrics.steps.thresholds.ten",
      message: "must be a size of the baseline, a whole number from 1"),
    .init(
      reason: "evidence of a metric under means",
      text: Self.metric("\"transform\": \"sqrt\""), path: "$.metrics.steps.transform",
      message: "unknown key; allowed are unit, pattern_type, source, rules, "
        + "suppress_on_workout_days, plausible, detector"),
  ]
}
