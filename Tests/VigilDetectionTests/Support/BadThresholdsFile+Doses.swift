extension BadThresholdsFile {
  /// A metric under `dose_evidence`, with further keys.
  static func doses(_ keys: String = "") -> String {
    """
    "dose_adherence_pct": { "pattern_type": "drop_vs_baseline", "source": "dose_history", \
    "detector": "dose_evidence"\(keys.isEmpty ? "" : ", " + keys) }
    """
  }

  private static func file(doses keys: String) -> String { file(metrics: doses(keys)) }

  private static let path = "$.metrics.dose_adherence_pct."

  static let doses: [BadThresholdsFile] = [
    .init(
      reason: "file under evidence of doses",
      text: file("\"detector\": \"dose_evidence\"", metrics: doses()), path: "$.detector",
      message: "\"dose_evidence\" is not one of \"means\", \"evidence\""),
    .init(
      reason: "rules of doses", text: file(doses: "\"rules\": [{ \"absolute_drop_below\": 80 }]"),
      path: path + "rules",
      message: "unknown key; allowed are unit, pattern_type, source, detector, horizon_days, "
        + "baseline, doses, recovery, episode, feed_limit, rare_days, rare_after_days, "
        + "thresholds"),
    .init(
      reason: "evidence of doses that rise",
      text: file(metrics: doses().replacing("drop_", with: "rise_")), path: path + "pattern_type",
      message: "must be \"drop_vs_baseline\" with the detector \"dose_evidence\""),
    .init(
      reason: "evidence of doses of wearables",
      text: file(metrics: doses().replacing("dose_history", with: "wearable_daily_metrics")),
      path: path + "source", message: "must be \"dose_history\" with the detector \"dose_evidence\""
    ),
    .init(
      reason: "unknown key of doses", text: file(doses: "\"doses\": { \"p\": 0.1 }"),
      path: path + "doses.p",
      message: "unknown key; allowed are prior_missed, prior_taken, day_prior, day_prior_doses, "
        + "weekday_prior_doses, run_prior_doses, run_max, shortest, longest, short_run, "
        + "missed_days, fall, low, low_fall"),
    .init(
      reason: "least baseline of doses above the largest",
      text: file(doses: "\"baseline\": { \"max_days\": 20, \"min_days\": 21 }"),
      path: path + "baseline.min_days", message: "21 cannot be more than max_days (20)",
      isRefusedBySchema: false),
    .init(
      reason: "horizon too short for a baseline of doses",
      text: file(doses: "\"horizon_days\": 100, \"baseline\": { \"min_days\": 90 }"),
      path: path + "baseline.min_days",
      message: "a baseline of 90 needs 118 observations, more than horizon_days + 1 (101)",
      isRefusedBySchema: false),
    .init(
      reason: "shortest window of doses above the longest",
      text: file(doses: "\"doses\": { \"shortest\": 9, \"longest\": 8 }"),
      path: path + "doses.shortest", message: "9 cannot be more than longest (8)",
      isRefusedBySchema: false),
    .init(
      reason: "windows of doses in the baseline",
      text: file(doses: "\"doses\": { \"longest\": 29 }"),
      path: path + "doses.longest", message: "29 cannot be more than baseline.guard_days (28)",
      isRefusedBySchema: false),
    .init(
      reason: "fall of few doses above that of many",
      text: file(doses: "\"doses\": { \"low_fall\": 0.3 }"), path: path + "doses.low_fall",
      message: "0.3 cannot be more than fall (0.2)", isRefusedBySchema: false),
    .init(
      reason: "episodes of doses longer than the horizon",
      text: file(doses: "\"episode\": { \"adopt_after_days\": 190 }"),
      path: path + "episode.adopt_after_days",
      message: "with max_unknown_days 204, cannot be more than horizon_days (200)",
      isRefusedBySchema: false),
    .init(
      reason: "feed of doses that is always broken", text: file(doses: "\"feed_limit\": 0"),
      path: path + "feed_limit", message: "must be a fraction from 0.05 to 1, or null, is 0"),
    .init(
      reason: "no threshold of doses", text: file(doses: "\"thresholds\": {}"),
      path: path + "thresholds", message: "must have at least one size of the baseline"),
  ]
}
