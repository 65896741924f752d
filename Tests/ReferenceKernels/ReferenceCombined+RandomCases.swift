import Foundation

/// A random history of several metrics of one person.
public struct ReferenceCombinedCase: Sendable {
  public var days: ClosedRange<Int>
  public var members: [ReferenceCombined.Member]
  public var workouts: Set<Int>
  /// The events that were planted, for the message of a failing test.
  public var events: [String]
}

extension ReferenceCombined {
  /// Returns a history of 100 to 400 days of one to seven metrics; equal generators give equal ones.
  ///
  /// Each metric has a history of its own, realistic or nasty; besides, up to four times several become worse
  /// together, some days after each other, or some better while others become worse. Some metrics stop or begin late.
  public static func randomCase(
    using random: inout some RandomNumberGenerator
  ) -> ReferenceCombinedCase {
    let start = Int.random(in: 18_000...20_000, using: &random)
    let count = Int.random(in: 0..<12, using: &random)
    var metrics = ReferenceEvidence.Metric.v3
    // One metric, or steps and movement alone, are not followed together.
    switch count {
    case 0: metrics = [metrics[1]]
    case 1: metrics = [metrics[0], metrics[5]]
    default:
      while metrics.count > max(2, 14 - count), metrics.count > 2 {
        metrics.remove(at: Int.random(in: metrics.indices, using: &random))
      }
    }
    var events: [String] = []
    var workouts: Set<Int> = []
    var members: [Member] = []
    var last = start + 100
    for metric in metrics {
      let own = metric.randomCase(using: &random)
      let offset = start - (own.series.first?.day ?? start)
      var series = own.series.map { (day: $0.day + offset, value: $0.value) }
      if Int.random(in: 0..<8, using: &random) == 0 {
        let cut = start + Int.random(in: 40...200, using: &random)
        let begins = Bool.random(using: &random)
        series.removeAll { begins ? $0.day < cut : $0.day > cut }
        events.append("\(metric.name) \(begins ? "begins" : "stops") at \(cut - start)")
      }
      last = max(last, series.last?.day ?? start)
      let sources = Dictionary(
        uniqueKeysWithValues: own.sources.map { ($0.key + offset, $0.value) })
      members.append(Member(metric, series: series, sources: sources))
      workouts.formUnion(own.workouts.map { $0 + offset }.filter { $0 % 3 == 0 })
      events.append("\(metric.name): \(own.events.joined(separator: ", "))")
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let first = start + Int.random(in: 20...300, using: &random)
      let length = [5, 14, 30, 60, 150].randomElement(using: &random) ?? 30
      let size = Double.random(in: 0.6...3, using: &random)
      for place in members.indices where Int.random(in: 0..<3, using: &random) > 0 {
        let lag = Int.random(in: 0...3, using: &random)
        let isBetter = Int.random(in: 0..<8, using: &random) == 0
        let days = (first + lag)...(first + lag + length)
        members[place].plant(size * (isBetter ? -1 : 1), on: days)
      }
      events.append("\(first - start) for \(length) days by \(size)")
    }
    return ReferenceCombinedCase(
      days: start...last, members: members, workouts: workouts, events: events)
  }
}

extension ReferenceCombined.Member {
  /// Makes some days worse, by a number of usual personal spreads.
  fileprivate mutating func plant(_ size: Double, on days: ClosedRange<Int>) {
    let metric = twin.metric
    let shift = metric.direction * size * metric.priorSpread
    for index in series.indices where days.contains(series[index].day) {
      let x = series[index].value
      let y = metric.transform.applied(to: x) + shift
      let moved: Double =
        switch metric.transform {
        case .none: y
        case .sqrt: y < 0 ? 0 : y * y
        case .log: exp(y)
        }
      // As devices round, and within what the metric can be.
      let most = metric.name == "sleep_efficiency_pct" ? 100 : Double.infinity
      series[index].value = min(max(0, moved.rounded()), most)
    }
  }
}
