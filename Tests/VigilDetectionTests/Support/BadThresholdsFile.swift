import Testing

/// A thresholds file with one mistake, and what is said about it.
struct BadThresholdsFile: CustomTestStringConvertible, Sendable {
  var reason: String
  var text: String
  var path: String
  var message: String
  /// Whether a JSON Schema can say the same; it cannot compare two numbers of a file.
  var isRefusedBySchema = true

  var testDescription: String { reason }

  static let steps = """
    "steps": { "pattern_type": "drop_vs_baseline", "rules": [{ "percent_drop_at_least": 0.25 }] }
    """

  /// A small file that is right, but for what `keys` and `metrics` bring in.
  static func file(_ keys: String = "", metrics: String = steps) -> String {
    "{ \"version\": \"test\", \(keys.isEmpty ? "" : keys + ", ")\"metrics\": { \(metrics) } }"
  }

  /// The same with another list of rules, and further keys of the metric.
  static func rules(_ rules: String, pattern: String = "drop", also keys: String = "") -> String {
    file(
      metrics: """
        "steps": { "pattern_type": "\(pattern)_vs_baseline", \(keys) "rules": \(rules) }
        """)
  }

  static func metric(_ keys: String) -> String {
    rules("[{ \"percent_drop_at_least\": 0.25 }]", also: keys + ",")
  }

  static let kinds = """
    "percent_drop_at_least", "percent_rise_at_least", "absolute_drop_at_least", \
    "absolute_rise_at_least", "absolute_drop_below"
    """

  static let all: [BadThresholdsFile] =
    wholeFiles + topLevel + sections + metrics + ruleLists + evidence + combined + doses
    + limits

  static let wholeFiles: [BadThresholdsFile] = [
    .init(
      reason: "truncated file", text: String(file().dropLast(4)), path: "$",
      message: "not valid JSON: cut short in line 1; copy the file again"),
    .init(
      reason: "empty file", text: "", path: "$",
      message: "not valid JSON: cut short in line 1; copy the file again"),
    .init(
      reason: "truncated in its third line", text: "{\n  \"version\": \"test\",\n  \"metrics\": {",
      path: "$", message: "not valid JSON: cut short in line 3; copy the file again"),
    .init(
      reason: "comma missing before the third line",
      text: "{\n  \"version\": \"test\"\n  \"metrics\": {} }", path: "$",
      message: "not valid JSON: mistyped in line 3, column 3; fix the file or copy it again"),
    .init(
      reason: "NaN as a bare word", text: rules("[{ \"percent_drop_at_least\": NaN }]"), path: "$",
      message:
        "not valid JSON: mistyped in line 1, column 120; fix the file or copy it again"),
    .init(reason: "an array", text: "[]", path: "$", message: "must be an object, is an array"),
    .init(reason: "null", text: "null", path: "$", message: "must be an object, is null"),
    .init(
      reason: "missing version", text: "{ \"metrics\": { \(steps) } }", path: "$.version",
      message: "is missing; a short name such as \"v1\""),
    .init(
      reason: "missing metrics", text: "{ \"version\": \"test\" }", path: "$.metrics",
      message: "is missing; an object of at least one metric"),
  ]

  static let topLevel: [BadThresholdsFile] = [
    .init(
      reason: "unknown key at the top", text: file("\"horizon\": 60"), path: "$.horizon",
      message: "unknown key; allowed are $schema, version, detector, horizon_days, warmup_days, "
        + "merge, non_wear, recent_days, baseline, recovery, episode, evidence, inactivity, "
        + "check_in_overdue, critical_limits, calibration, notify, metrics"),
    .init(
      reason: "unknown key of inactivity", text: file("\"inactivity\": { \"days\": 3 }"),
      path: "$.inactivity.days",
      message:
        "unknown key; allowed are enabled, min_days, max_days, rate, weight, prior, habit_days, "
        + "max_lag_days, left_after_days, remind_after_days, feed_limit"),
    .init(
      reason: "unknown key of check-ins", text: file("\"check_in_overdue\": { \"feed_limit\": 1 }"),
      path: "$.check_in_overdue.feed_limit",
      message: "unknown key; allowed are enabled, open_after_days, watched_days"),
    .init(
      reason: "check-ins that never open",
      text: file("\"check_in_overdue\": { \"open_after_days\": 9, \"watched_days\": 8 }"),
      path: "$.check_in_overdue.watched_days",
      message: "8 cannot be less than open_after_days (9)", isRefusedBySchema: false),
    .init(
      reason: "feed limit above 1", text: file("\"inactivity\": { \"feed_limit\": 30 }"),
      path: "$.inactivity.feed_limit", message: "must be a fraction from 0.05 to 1, or null, is 30"),
    .init(
      reason: "inactivity with its bounds reversed",
      text: file("\"inactivity\": { \"min_days\": 9, \"max_days\": 8 }"),
      path: "$.inactivity.min_days", message: "9 cannot be more than max_days (8)",
      isRefusedBySchema: false),
    .init(
      reason: "left before the greatest threshold",
      text: file("\"inactivity\": { \"left_after_days\": 21 }"),
      path: "$.inactivity.left_after_days", message: "21 must be more than max_days (21)",
      isRefusedBySchema: false),
    .init(
      reason: "a prior of two numbers", text: file("\"inactivity\": { \"prior\": [2, 1] }"),
      path: "$.inactivity.prior",
      message:
        "must be 19 numbers from 0 to 366 that do not rise, the first above 0; is another list"),
    .init(
      reason: "a prior that rises",
      text: file(
        "\"inactivity\": { \"prior\": [\(Array(repeating: "1", count: 18).joined(separator: ", ")), 2] }"
      ),
      path: "$.inactivity.prior",
      message:
        "must be 19 numbers from 0 to 366 that do not rise, the first above 0; is another list",
      isRefusedBySchema: false),
    .init(
      reason: "empty version", text: "{ \"version\": \"\", \"metrics\": { \(steps) } }",
      path: "$.version", message: "must not be empty"),
    .init(
      reason: "version is a number", text: "{ \"version\": 1, \"metrics\": { \(steps) } }",
      path: "$.version", message: "must be a string, is a number"),
    .init(
      reason: "number as text", text: file("\"horizon_days\": \"60\""), path: "$.horizon_days",
      message: "must be a whole number from 7 to 3650, is \"60\""),
    .init(
      reason: "fraction of a day", text: file("\"horizon_days\": 60.5"), path: "$.horizon_days",
      message: "must be a whole number from 7 to 3650, is 60.5"),
    .init(
      reason: "negative number of days", text: file("\"warmup_days\": -1"), path: "$.warmup_days",
      message: "must be a whole number from 1 to 3650, is -1"),
    .init(
      reason: "recent window too long", text: file("\"recent_days\": 31"), path: "$.recent_days",
      message: "must be a whole number from 1 to 30, is 31"),
    .init(
      reason: "null where a number must be", text: file("\"recent_days\": null"),
      path: "$.recent_days", message: "must be a whole number from 1 to 30, is null"),
    .init(
      reason: "boolean as number", text: file("\"non_wear\": 1"), path: "$.non_wear",
      message: "must be true, false or an object, is a number"),
    .init(
      reason: "unknown key of non_wear", text: file("\"non_wear\": { \"days\": 8 }"),
      path: "$.non_wear.days",
      message: "unknown key; allowed are still_sleep_pct, heart_days, window_days, part_share, "
        + "min_worn_minutes, full_worn_minutes"),
    .init(
      reason: "efficiency as a fraction", text: file("\"non_wear\": { \"still_sleep_pct\": 0.99 }"),
      path: "$.non_wear.still_sleep_pct",
      message: "must be a percentage from 50 to 100, or null, is 0.99"),
    .init(
      reason: "more days with a heart rate than days",
      text: file("\"non_wear\": { \"heart_days\": 9, \"window_days\": 8 }"),
      path: "$.non_wear.heart_days", message: "9 cannot be more than window_days (8)",
      isRefusedBySchema: false),
    .init(
      reason: "share as a percentage", text: file("\"non_wear\": { \"part_share\": 25 }"),
      path: "$.non_wear.part_share", message: "must be a fraction from 0.01 to 1, or null, is 25"),
    .init(
      reason: "more minutes than a day has",
      text: file("\"non_wear\": { \"min_worn_minutes\": 1441 }"),
      path: "$.non_wear.min_worn_minutes",
      message: "must be minutes from 0 to 1440, or null, is 1441"),
    .init(
      reason: "whole days shorter than days at all",
      text: file("\"non_wear\": { \"full_worn_minutes\": 30 }"),
      path: "$.non_wear.full_worn_minutes",
      message: "30 cannot be less than min_worn_minutes (60)", isRefusedBySchema: false),
    .init(
      reason: "unknown merge", text: file("\"merge\": \"median\""), path: "$.merge",
      message: "must be \"max\", \"min\", \"mean\" or a list of source names, best first, "
        + "is \"median\""),
    .init(
      reason: "empty merge list", text: file("\"merge\": []"), path: "$.merge",
      message: "must be \"max\", \"min\", \"mean\" or a list of source names, best first, "
        + "is an array"),
    .init(
      reason: "source twice in the merge list", text: file("\"merge\": [\"ring\", \"ring\"]"),
      path: "$.merge[1]",
      message: "must be a source name that is not in the list before, is \"ring\""),
    .init(
      reason: "section is no object", text: file("\"baseline\": []"), path: "$.baseline",
      message: "must be an object, is an array"),
  ]

  static let sections: [BadThresholdsFile] = [
    .init(
      reason: "unknown key in baseline", text: file("\"baseline\": { \"days\": 21 }"),
      path: "$.baseline.days",
      message: "unknown key; allowed are mode, statistic, max_days, min_days, min_total_days, "
        + "rebase_after_days"),
    .init(
      reason: "unknown mode", text: file("\"baseline\": { \"mode\": \"fixed\" }"),
      path: "$.baseline.mode", message: "\"fixed\" is not one of \"rolling\", \"anchored\""),
    .init(
      reason: "unknown statistic", text: file("\"baseline\": { \"statistic\": \"mode\" }"),
      path: "$.baseline.statistic", message: "\"mode\" is not one of \"mean\", \"median\""),
    .init(
      reason: "min_days above max_days",
      text: file("\"baseline\": { \"max_days\": 10, \"min_days\": 11 }"),
      path: "$.baseline.min_days", message: "11 cannot be more than max_days (10)",
      isRefusedBySchema: false),
    .init(
      reason: "min_total_days above the horizon",
      text: file("\"horizon_days\": 20, \"baseline\": { \"min_total_days\": 22 }"),
      path: "$.baseline.min_total_days", message: "22 cannot be more than horizon_days + 1 (21)",
      isRefusedBySchema: false),
    .init(
      reason: "rebase with a rolling baseline",
      text: file("\"baseline\": { \"rebase_after_days\": 60 }"),
      path: "$.baseline.rebase_after_days",
      message: "has a meaning only with \"mode\": \"anchored\""),
    .init(
      reason: "rebase after no day",
      text: file("\"baseline\": { \"mode\": \"anchored\", \"rebase_after_days\": 0 }"),
      path: "$.baseline.rebase_after_days",
      message: "must be a whole number from 1 to 3650, is 0"),
    .init(
      reason: "unknown key in recovery", text: file("\"recovery\": { \"days\": 2 }"),
      path: "$.recovery.days", message: "unknown key; allowed are within, clean_days"),
    .init(
      reason: "NaN as text", text: file("\"recovery\": { \"within\": \"NaN\" }"),
      path: "$.recovery.within", message: "must be a fraction from 0 to 1, is \"NaN\""),
    .init(
      reason: "negative fraction", text: file("\"recovery\": { \"within\": -0.05 }"),
      path: "$.recovery.within", message: "must be a fraction from 0 to 1, is -0.05"),
    .init(
      reason: "recovery in percent", text: file("\"recovery\": { \"within\": 5 }"),
      path: "$.recovery.within", message: "must be a fraction from 0 to 1, is 5"),
    .init(
      reason: "unknown level", text: file("\"recovery\": { \"clean_days\": { \"10\": 2 } }"),
      path: "$.recovery.clean_days.10", message: "unknown key; allowed are 3, 7, 14, 21"),
    .init(
      reason: "no clean day", text: file("\"recovery\": { \"clean_days\": { \"14\": 0 } }"),
      path: "$.recovery.clean_days.14", message: "must be a whole number from 1 to 60, is 0"),
    .init(
      reason: "clean days are no object", text: file("\"recovery\": { \"clean_days\": 2 }"),
      path: "$.recovery.clean_days", message: "must be an object, is a number"),
    .init(
      reason: "unknown key in episode", text: file("\"episode\": { \"max_days\": 2 }"),
      path: "$.episode.max_days",
      message: "unknown key; allowed are on_interruption, max_unknown_days, level_may_fall"),
    .init(
      reason: "unknown interruption", text: file("\"episode\": { \"on_interruption\": \"end\" }"),
      path: "$.episode.on_interruption",
      message: "\"end\" is not one of \"restart\", \"continue\""),
    .init(
      reason: "too many unknown days", text: file("\"episode\": { \"max_unknown_days\": 366 }"),
      path: "$.episode.max_unknown_days", message: "must be a whole number from 1 to 365, is 366"),
    .init(
      reason: "boolean as text", text: file("\"episode\": { \"level_may_fall\": \"no\" }"),
      path: "$.episode.level_may_fall", message: "must be true or false, is a string"),
    .init(
      reason: "unknown key in notify", text: file("\"notify\": { \"on_start\": true }"),
      path: "$.notify.on_start",
      message:
        "unknown key; allowed are on_recovery, group, payload_detail"),
    .init(
      reason: "null as a boolean", text: file("\"notify\": { \"on_recovery\": null }"),
      path: "$.notify.on_recovery", message: "must be true or false, is null"),
    .init(
      reason: "recovery against the default baseline, which rolls",
      text: file("\"notify\": { \"on_recovery\": true }"), path: "$.notify.on_recovery",
      message: recoveryAgainstRolling),
    .init(
      reason: "recovery against a baseline section without mode",
      text: file("\"baseline\": { \"max_days\": 14 }, \"notify\": { \"on_recovery\": true }"),
      path: "$.notify.on_recovery", message: recoveryAgainstRolling),
    .init(
      reason: "recovery against a rolling baseline",
      text: file(
        "\"notify\": { \"on_recovery\": true }, \"baseline\": { \"mode\": \"rolling\" }"),
      path: "$.notify.on_recovery", message: recoveryAgainstRolling),
  ]

  private static let recoveryAgainstRolling =
    "cannot be true with \"baseline\": { \"mode\": \"rolling\" }: a rolling baseline follows a "
    + "lasting change, so families would be notified of a recovery that never came; set it to "
    + "false, or the mode to \"anchored\""

  static let metrics: [BadThresholdsFile] = [
    .init(
      reason: "no metric", text: file(metrics: ""), path: "$.metrics",
      message: "must name at least one metric"),
    .init(
      reason: "metrics are a list", text: "{ \"version\": \"test\", \"metrics\": [] }",
      path: "$.metrics", message: "must be an object, is an array"),
    .init(
      reason: "metric is no object", text: file(metrics: "\"steps\": 0.25"),
      path: "$.metrics.steps", message: "must be an object, is a number"),
    .init(
      reason: "metric that cannot be a column",
      text: file(metrics: steps.replacing("steps", with: "Steps a day")),
      path: "$.metrics.Steps a day",
      message: "a metric is named by its column: lower-case letters, digits and _"),
    .init(
      reason: "unknown key in a metric", text: metric("\"rule\": []"), path: "$.metrics.steps.rule",
      message: "unknown key; allowed are unit, pattern_type, source, rules, "
        + "suppress_on_workout_days, plausible, detector"),
    .init(
      reason: "missing pattern_type",
      text: file(metrics: "\"steps\": { \"rules\": [{ \"percent_drop_at_least\": 0.25 }] }"),
      path: "$.metrics.steps.pattern_type",
      message: "is missing; \"drop_vs_baseline\" or \"rise_vs_baseline\""),
    .init(
      reason: "unknown pattern_type",
      text: rules("[{ \"percent_drop_at_least\": 0.25 }]", pattern: "fall"),
      path: "$.metrics.steps.pattern_type",
      message: "\"fall_vs_baseline\" is not one of \"drop_vs_baseline\", \"rise_vs_baseline\""),
    .init(
      reason: "unit is a number", text: metric("\"unit\": 1"), path: "$.metrics.steps.unit",
      message: "must be a string, is a number"),
    .init(
      reason: "unknown source", text: metric("\"source\": \"diary\""),
      path: "$.metrics.steps.source",
      message: "\"diary\" is not one of \"wearable_daily_metrics\", \"dose_history\""),
    .init(
      reason: "suppression as text", text: metric("\"suppress_on_workout_days\": \"yes\""),
      path: "$.metrics.steps.suppress_on_workout_days",
      message: "must be true or false, is a string"),
    .init(
      reason: "plausible reversed", text: metric("\"plausible\": [200, 1]"),
      path: "$.metrics.steps.plausible",
      message: "must be [lowest, highest] with lowest < highest, or null",
      isRefusedBySchema: false),
    .init(
      reason: "plausible with one end", text: metric("\"plausible\": [200]"),
      path: "$.metrics.steps.plausible",
      message: "must be [lowest, highest] with lowest < highest, or null"),
    .init(
      reason: "plausible with infinity as text", text: metric("\"plausible\": [0, \"inf\"]"),
      path: "$.metrics.steps.plausible",
      message: "must be [lowest, highest] with lowest < highest, or null"),
  ]

  static let ruleLists: [BadThresholdsFile] = [
    .init(
      reason: "missing rules",
      text: file(metrics: "\"steps\": { \"pattern_type\": \"drop_vs_baseline\" }"),
      path: "$.metrics.steps.rules", message: "is missing; a list of at least one rule"),
    .init(
      reason: "empty rules", text: rules("[]"), path: "$.metrics.steps.rules",
      message: "must be a list of at least one rule, is an empty list"),
    .init(
      reason: "rules are an object", text: rules("{ \"percent_drop_at_least\": 0.25 }"),
      path: "$.metrics.steps.rules",
      message: "must be a list of at least one rule, is an object"),
    .init(
      reason: "rule is no object", text: rules("[0.25]"), path: "$.metrics.steps.rules[0]",
      message: "must be an object with one of \(kinds) and its number"),
    .init(
      reason: "two rules in one object",
      text: rules("[{ \"percent_drop_at_least\": 0.25, \"absolute_drop_below\": 80 }]"),
      path: "$.metrics.steps.rules[0]",
      message: "must be an object with one of \(kinds) and its number"),
    .init(
      reason: "unknown rule", text: rules("[{ \"percent_drop\": 0.25 }]"),
      path: "$.metrics.steps.rules[0]",
      message: "unknown rule \"percent_drop\"; allowed are \(kinds)"),
    .init(
      reason: "rise rule of a drop", text: rules("[{ \"absolute_rise_at_least\": 5 }]"),
      path: "$.metrics.steps.rules[0]",
      message: "\"absolute_rise_at_least\" does not fit pattern_type \"drop_vs_baseline\""),
    .init(
      reason: "drop rule of a rise",
      text: rules("[{ \"absolute_drop_below\": 5 }]", pattern: "rise"),
      path: "$.metrics.steps.rules[0]",
      message: "\"absolute_drop_below\" does not fit pattern_type \"rise_vs_baseline\""),
    .init(
      reason: "percent above 1", text: rules("[{ \"percent_drop_at_least\": 25 }]"),
      path: "$.metrics.steps.rules[0].percent_drop_at_least",
      message: "must be a fraction from 0 to 1 (0.25 is 25 %), is 25"),
    .init(
      reason: "negative percent", text: rules("[{ \"percent_drop_at_least\": -0.1 }]"),
      path: "$.metrics.steps.rules[0].percent_drop_at_least",
      message: "must be a fraction from 0 to 1 (0.25 is 25 %), is -0.1"),
    .init(
      reason: "negative amount in the second rule",
      text: rules("[{ \"percent_drop_at_least\": 0.1 }, { \"absolute_drop_at_least\": -45 }]"),
      path: "$.metrics.steps.rules[1].absolute_drop_at_least",
      message: "must be a number from 0 up, is -45"),
    .init(
      reason: "amount as text", text: rules("[{ \"absolute_drop_below\": \"85\" }]"),
      path: "$.metrics.steps.rules[0].absolute_drop_below",
      message: "must be a number from 0 up, is \"85\""),
    .init(
      reason: "amount is null", text: rules("[{ \"absolute_drop_below\": null }]"),
      path: "$.metrics.steps.rules[0].absolute_drop_below",
      message: "must be a number from 0 up, is null"),
  ]
}
