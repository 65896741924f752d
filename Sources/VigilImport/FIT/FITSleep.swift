import VigilModel

/// The levels of one sleep, from the first message that has one to the last.
struct FITSleep {
  private(set) var values: [MetricType: Double] = [:]
  private(set) var minutesAsleep = 0.0
  /// Seconds since the end of 1989 at the last message.
  private(set) var end: UInt32

  private static let awake = MetricType("awake_minutes")

  /// The sleeps of a file.
  ///
  /// - Parameter longestLevel: In seconds; a longer time between two messages ends a sleep.
  static func all(in levels: [FITReading.Level], longestLevel: UInt32) -> [FITSleep] {
    let sorted = levels.sorted { $0.time < $1.time }
    var starts = sorted.indices.filter {
      $0 == 0 || sorted[$0].time - sorted[$0 - 1].time > longestLevel
    }
    starts.append(sorted.count)
    return zip(starts, starts.dropFirst()).compactMap { FITSleep(sorted[$0..<$1]) }
  }

  /// - Returns: Nil where the person never sleeps.
  private init?(_ levels: ArraySlice<FITReading.Level>) {
    guard let last = levels.last else { return nil }
    end = last.time
    // Each level lasts up to the next message; the last one says only when the sleep ends.
    let parts = zip(levels, levels.dropFirst()).map { level, next in
      (metric: level.metric, minutes: Double(next.time - level.time) / 60)
    }
    func isAsleep(_ metric: MetricType?) -> Bool { metric != nil && metric != Self.awake }
    guard let first = parts.firstIndex(where: { isAsleep($0.metric) && $0.minutes > 0 }),
      let latest = parts.lastIndex(where: { isAsleep($0.metric) && $0.minutes > 0 })
    else { return nil }
    values[Self.awake] = 0
    // Time awake before falling asleep and after waking is no part of it.
    for part in parts[first...latest] {
      guard let metric = part.metric else { continue }
      values[metric, default: 0] += part.minutes
      if metric != Self.awake { minutesAsleep += part.minutes }
    }
    values[MetricType("sleep_minutes")] = minutesAsleep
  }
}
