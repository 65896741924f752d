import VigilLaboratory

extension Population {
  /// Adds deep sleep, for data that lack it: the days of sleep, at an assumed level and spread.
  ///
  /// Level 75 min, spread 22 min and mean autocorrelation 0.11 are the assumptions of the specification,
  /// evidence.md section 10; the correlations with other metrics are assumed too. People differ from
  /// each other by as large a share of level and spread as they do in sleep.
  mutating func assumeDeepSleep() {
    let name = "deep_sleep_minutes"
    guard index(of: name) == nil, let sleepIndex = index(of: "sleep_minutes") else { return }
    let sleep = metrics[sleepIndex]
    var deep = sleep
    deep.metric = name
    deep.people = 0
    deep.observations = 0
    deep.assumed =
      "level 75 min, spread 22 min and autocorrelation 0.11 are assumed; all else is that of sleep_minutes"
    let (level, spread) = (sleep.level.value(at: 0.5), sleep.spread.value(at: 0.5))
    let points = sleep.autocorrelation.values
    let mean = points.reduce(0, +) / Double(points.count)
    deep.level = sleep.level.map { 75 * $0 / level }
    deep.spread = sleep.spread.map { 22 * $0 / spread }
    deep.autocorrelation = sleep.autocorrelation.map { $0 - mean + 0.11 }
    metrics.append(deep)
    let assumed = [
      "sleep_minutes": 0.5, "sleep_efficiency_pct": 0.2, "hrv_ms": 0.1, "resting_hr": -0.1,
    ]
    for row in correlation.indices {
      correlation[row].append(assumed[metrics[row].metric] ?? 0)
    }
    correlation.append(correlation.map { $0[$0.count - 1] } + [1])
  }
}
