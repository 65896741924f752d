import VigilDetection
import VigilModel

/// The evaluation and the state machine of profile v1 as one would first write them: for each day,
/// loops over the observations of its windows.
struct PlainLoopTwin {
  let thresholds: Thresholds
  let metrics: [MetricThresholds]

  /// Episodes that were active on some day of `block`.
  func episodeCount(in block: ObservationBlock) -> Int {
    var count = 0
    for person in 0..<block.personCount {
      let workouts = block.workouts(person: person)
      for (index, metric) in metrics.enumerated() {
        count += episodeCount(
          UnsafeBufferPointer(block.series(person: person, metric: index)), metric: metric,
          workouts: metric.isSuppressedOnWorkoutDays ? workouts : nil,
          firstDay: block.days.lowerBound)
      }
    }
    return count
  }

  private func episodeCount(
    _ series: UnsafeBufferPointer<Double>, metric: MetricThresholds,
    workouts: UnsafeBufferPointer<UInt8>?, firstDay: Day
  ) -> Int {
    var values: [Double] = []
    var days: [Int] = []
    var verdicts: [DayVerdict] = Array(repeating: .unknown, count: series.count)
    var machine = EpisodeMachine(settings: .init(thresholds))
    var opened = 0
    for index in 0..<series.count {
      if !series[index].isNaN {
        values.append(series[index])
        days.append(index)
        verdicts[index] = verdict(values, days, metric: metric)
      }
      if let workouts, workouts[index] == 1 { verdicts[index].formUnion(.suppressed) }
      var start = index
      while start > 0, verdicts[start - 1].contains(.deviating) { start -= 1 }
      let action = machine.step(
        firstDay + index, verdict: verdicts[index], rolling: verdicts[index],
        runStart: firstDay + start)
      switch action {
      case .opened, .restarted: opened += 1
      case .none, .extended, .resolved: break
      }
    }
    return opened
  }

  private func verdict(_ values: [Double], _ days: [Int], metric: MetricThresholds) -> DayVerdict {
    let last = values.count - 1
    let recentDays = thresholds.recentDays
    var first = last
    while first > 0, days[first - 1] >= days[last] - thresholds.horizonDays { first -= 1 }
    let observations = last - first + 1
    guard observations >= thresholds.baseline.minTotalDays,
      days[last - recentDays + 1] == days[last] - recentDays + 1
    else { return .unknown }
    let size = min(observations - recentDays, thresholds.baseline.maxDays)
    guard size >= thresholds.baseline.minDays else { return .unknown }
    var recent = 0.0
    for index in (last - recentDays + 1)...last { recent += values[index] }
    recent /= Double(recentDays)
    var baseline = 0.0
    for index in (last - recentDays - size + 1)...(last - recentDays) { baseline += values[index] }
    baseline /= Double(size)
    let deviation = abs(baseline) <= 1e-9 ? nil : (recent - baseline) / baseline
    for rule in metric.rules {
      let limit = rule.threshold - 1e-9 * max(1, abs(rule.threshold))
      let matches =
        switch rule.kind {
        case .percentDropAtLeast: deviation.map { -$0 >= limit } ?? false
        case .percentRiseAtLeast: deviation.map { $0 >= limit } ?? false
        case .absoluteDropAtLeast: baseline - recent >= limit
        case .absoluteRiseAtLeast: recent - baseline >= limit
        case .absoluteDropBelow: recent < limit
        }
      if matches { return .deviating }
    }
    guard baseline > 1e-9, let deviation else { return .normal }
    let worse = metric.pattern == .drop ? -deviation : deviation
    return worse <= thresholds.recovery.within + 1e-9 ? [.normal, .clean] : .normal
  }
}
