/// The numbers of a thresholds file that the evaluation of a single day needs.
struct EvaluationSettings: Sendable {
  let horizonDays: Int
  let recentDays: Int
  let maxDays: Int
  let minDays: Int
  let minTotalDays: Int
  let statistic: BaselineSettings.Statistic

  /// Observations of a recent window and the largest baseline pool before it.
  var fullWindow: Int { recentDays + maxDays }

  init(_ thresholds: Thresholds) {
    horizonDays = thresholds.horizonDays
    recentDays = thresholds.recentDays
    maxDays = min(
      thresholds.baseline.maxDays, thresholds.horizonDays + 1 - thresholds.recentDays)
    minDays = thresholds.baseline.minDays
    minTotalDays = thresholds.baseline.minTotalDays
    statistic = thresholds.baseline.statistic
  }

  /// Size of the baseline pool when `observations` lie within the horizon; 0 where it is too small.
  @inline(__always)
  func poolSize(observations: Int) -> Int {
    guard observations >= minTotalDays else { return 0 }
    let size = min(observations - recentDays, maxDays)
    return size >= minDays ? size : 0
  }
}
