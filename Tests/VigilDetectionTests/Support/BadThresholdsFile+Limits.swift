extension BadThresholdsFile {
  private static let metric = """
    "resting_hr": { "pattern_type": "rise_vs_baseline", "plausible": [20, 250], \
    "rules": [{ "absolute_rise_at_least": 3 }] }
    """

  private static func file(limits: String) -> String {
    file("\"critical_limits\": \(limits)", metrics: metric)
  }

  private static let path = "$.critical_limits"

  static let limits: [BadThresholdsFile] = [
    .init(
      reason: "limits that are no list", text: file(limits: "{}"), path: path,
      message: "must be a list of limits, is an object"),
    .init(
      reason: "limit on neither side", text: file(limits: "[{ \"metric\": \"resting_hr\" }]"),
      path: path + "[0]", message: "must have one of \"below\" and \"above\", with the limit"),
    .init(
      reason: "limit on both sides",
      text: file(limits: "[{ \"metric\": \"resting_hr\", \"below\": 40, \"above\": 120 }]"),
      path: path + "[0]", message: "must have one of \"below\" and \"above\", with the limit"),
    .init(
      reason: "limit of an unknown metric",
      text: file(limits: "[{ \"metric\": \"pulse\", \"above\": 120 }]"), path: path + "[0].metric",
      message: "\"pulse\" is no metric of wearables of this file; its metrics are resting_hr",
      isRefusedBySchema: false),
    .init(
      reason: "limit that no value can reach",
      text: file(limits: "[{ \"metric\": \"resting_hr\", \"above\": 900 }]"),
      path: path + "[0].above",
      message: "must be a value that resting_hr can have, from 20 to 250, is 900",
      isRefusedBySchema: false),
    .init(
      reason: "limit of eight days",
      text: file(limits: "[{ \"metric\": \"resting_hr\", \"above\": 120, \"days\": 8 }]"),
      path: path + "[0].days", message: "must be a whole number from 1 to 7, is 8"),
    .init(
      reason: "limit of an unknown severity",
      text: file(limits: "[{ \"metric\": \"resting_hr\", \"above\": 120, \"severity\": \"red\" }]"),
      path: path + "[0].severity",
      message: "\"red\" is not one of \"watch\", \"attention\", \"critical\""),
  ]
}
