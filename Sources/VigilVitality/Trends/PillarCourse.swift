import VigilModel

/// The days of a pillar that have a score, and the window of them that moves on day by day.
struct PillarCourse {
  /// In order of days.
  private var values: [Double] = []
  private var days: [Int] = []
  /// The number of days in a row with a score; the day of the point is the last of them.
  private var runs: [Int] = []
  /// The points in the window.
  private var window = 0..<0

  /// Takes the days of another series; the window is before the first.
  mutating func load(_ series: ArraySlice<Double>) {
    values.removeAll(keepingCapacity: true)
    days.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    window = 0..<0
    for (day, value) in series.enumerated() where value == value {
      let follows = days.last == day - 1
      runs.append(follows ? (runs.last ?? 0) + 1 : 1)
      values.append(value)
      days.append(day)
    }
  }

  /// Moves the window to the `length` days that end with the day of an index; only forwards.
  mutating func advance(to day: Int, length: Int) {
    var (first, end) = (window.lowerBound, window.upperBound)
    while end < days.count, days[end] <= day { end += 1 }
    while first < end, days[first] <= day - length { first += 1 }
    window = first..<end
  }

  /// Points in the window.
  var count: Int { window.count }

  /// Index of the day of the last point in the window; nil without one.
  var lastDay: Int? { window.isEmpty ? nil : days[window.upperBound - 1] }

  var lastValue: Double? { window.isEmpty ? nil : values[window.upperBound - 1] }

  /// The last `count` points in the window.
  func recent(_ count: Int) -> ArraySlice<Double> { values[window].suffix(count) }

  /// The up to `count` points in the window before the last `recent`.
  func baseline(_ count: Int, before recent: Int) -> ArraySlice<Double> {
    values[window].dropLast(recent).suffix(count)
  }

  /// Whether as many days in a row have a point somewhere in the window.
  func hasRun(of length: Int) -> Bool {
    window.contains { min(runs[$0], $0 - window.lowerBound + 1) >= length }
  }

  /// Whether `value` is at most the one at `rank` of the sorted points in the window, within the
  /// tolerance of that.
  func isAtMost(rank: Int, _ value: Double) -> Bool {
    // As many as are below it precede it, and the tolerance never changes an order.
    values[window].count { $0 + Tolerance.of($0) < value } <= rank
  }
}

/// The recent points of a pillar compared with the baseline points.
struct TrendFigures {
  /// The largest of the recent points.
  let recentMaximum: Double
  let recent: Double
  let baseline: Double
  let baselineCount: Int
  /// Nil where the baseline is 0.
  let change: Double?

  /// Nil with fewer points than the settings ask for.
  init?(_ course: PillarCourse, settings: TrendSettings) {
    guard course.count >= settings.minPoints else { return nil }
    let points = course.recent(settings.recentPoints)
    let earlier = course.baseline(settings.baselinePoints, before: settings.recentPoints)
    recentMaximum = points.reduce(-.infinity) { max($0, $1) }
    recent = points.reduce(0, +) / Double(points.count)
    baseline = earlier.reduce(0, +) / Double(earlier.count)
    baselineCount = earlier.count
    change = baseline > Tolerance.of(0) ? (recent - baseline) / baseline : nil
  }
}
