import VigilModel

/// The scores that a pillar has in a window of days.
struct PillarPoints {
  /// In order of days.
  private(set) var values: [Double] = []
  /// Index of the day of the last point; nil without one.
  private(set) var lastDay: Int?
  /// Longest run of days in a row that have a point.
  private(set) var longestRun = 0

  /// - Parameter days: One value for each day of the window, NaN where there is none.
  init(days: some Sequence<Double>) {
    var run = 0
    for (day, value) in days.enumerated() {
      guard value == value else {
        run = 0
        continue
      }
      values.append(value)
      lastDay = day
      run += 1
      longestRun = max(longestRun, run)
    }
  }
}

/// The last points of a pillar as against those before them.
struct TrendFigures {
  let recentPoints: ArraySlice<Double>
  let recent: Double
  let baseline: Double
  let baselineCount: Int
  /// Nil where the baseline is 0.
  let change: Double?

  /// Nil with fewer points than the settings ask for.
  init?(_ points: PillarPoints, settings: TrendSettings) {
    guard points.values.count >= settings.minPoints else { return nil }
    recentPoints = points.values.suffix(settings.recentPoints)
    let earlier = points.values.dropLast(settings.recentPoints).suffix(settings.baselinePoints)
    recent = recentPoints.reduce(0, +) / Double(recentPoints.count)
    baseline = earlier.reduce(0, +) / Double(earlier.count)
    baselineCount = earlier.count
    change = baseline > Tolerance.of(0) ? (recent - baseline) / baseline : nil
  }
}
